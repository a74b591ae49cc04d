// Deterministic mutations of text files, for tests without a fuzzing engine.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace pnsim::fuzz {

// The same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }

 private:
  std::mt19937_64 engine_;
};

// `text` with one change: cut off, a bit flipped, a line doubled, removed or moved, a number
// replaced by an extreme one, a quoted name changed, a piece of itself inserted, or a byte
// inserted. `kind` (may be null) gets the name of the change.
std::string mutated(const std::string& text, Random& random, const char** kind = nullptr);

}  // namespace pnsim::fuzz
