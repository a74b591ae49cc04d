// How many replicas a comparison takes: as many as tell a change from the noise of the draws.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace pnsim {

// Replicas 0 ... first - 1 are run, then twice as many until the change is told from the noise, at
// most `most`. The number is fixed where both are equal.
struct ReplicaRule {
  std::uint32_t first = 20;
  std::uint32_t most = 640;
};

// What is known of a change after some replicas.
enum class Told {
  kChange,  // it is not 0
  kNone,    // it is too small to matter
  kNoise,   // the draws hide it
  kOneRun,  // one replica tells nothing about the draws
};

// `half_width` is that of the interval of `change`. A change within -+ `matters` does not matter.
Told told(double change, double half_width, double matters);

// Runs replicas until the change is told from the noise, or the rule ends. `run(first, count)` must
// run the replicas first ... first + count - 1. `tell(look)` must say what all replicas so far
// tell, with the interval of that check (from 1; stopping.h). Returns its last answer.
Told run_until_told(const ReplicaRule& rule,
                    const std::function<void(std::uint32_t, std::uint32_t)>& run,
                    const std::function<Told(int look)>& tell);

// "20 replicas", or "20 to 640 replicas" where a comparison took more than the first ones.
std::string text_of(const ReplicaRule& rule, std::uint32_t used);

// For a table: "", "no change", "hidden by the draws" or "one replica".
std::string remark_of(Told told);

// For JSON and CSV: "change", "no change", "noise" or "one replica".
std::string name_of(Told told);

}  // namespace pnsim
