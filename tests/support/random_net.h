// Small random nets for property tests: the same net for the same seed and options everywhere.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "simulator/net/net_builder.h"

namespace pnsim::test {

enum class Flow {
  kShrinking,  // a transition gives fewer tokens than it takes: every run ends
  kKeeping,    // at most as many: finitely many markings, cycles among them
  kFree,       // any number: places can fill without end
};

struct RandomNetOptions {
  std::uint32_t places = 5;
  std::uint32_t transitions = 6;
  std::uint32_t max_inputs = 2;  // places a transition takes from
  Tokens max_tokens = 3;         // at first, in a place
  Tokens max_weight = 2;
  std::uint32_t inhibitor_percent = 20;  // of transitions that have an inhibitor
  bool goal = false;                     // that one of the places is empty
  Flow flow = Flow::kKeeping;
};

class RandomNetMaker {
 public:
  RandomNetMaker(std::uint64_t seed, const RandomNetOptions& options)
      : random_(seed), options_(options), builder_("random_" + std::to_string(seed)) {}

  Net make() {
    for (std::uint32_t p = 0; p < options_.places; ++p) {
      builder_.add_place("q" + std::to_string(p), 1 + below(options_.max_tokens));
    }
    for (std::uint32_t i = 0; i < options_.transitions; ++i) add_transition(i);
    if (options_.goal) builder_.set_goal({place()});
    return builder_.build();
  }

 private:
  void add_transition(std::uint32_t i) {
    const TransitionId t = builder_.add_transition("u" + std::to_string(i));
    Tokens taken = 0;
    for (Tokens k = 1 + below(options_.max_inputs); k > 0; --k) {
      const Tokens weight = 1 + below(options_.max_weight);
      builder_.add_input(t, place(), weight);
      taken += weight;
    }
    for (Tokens given = tokens_given(taken); given > 0; --given) builder_.add_output(t, place());
    if (below(100) < options_.inhibitor_percent) builder_.add_inhibitor(t, place());
  }

  Tokens tokens_given(Tokens taken) {
    switch (options_.flow) {
      case Flow::kShrinking:
        return below(taken);
      case Flow::kKeeping:
        return taken - (below(4) == 0 ? 1 : 0);
      case Flow::kFree:
        return below(taken + 2);
    }
    return 0;
  }

  PlaceId place() { return PlaceId{static_cast<std::uint32_t>(below(options_.places))}; }

  // 0 ... size - 1. Not a standard distribution: those differ between libraries.
  Tokens below(std::uint64_t size) { return static_cast<Tokens>(random_() % size); }

  std::mt19937_64 random_;
  RandomNetOptions options_;
  NetBuilder builder_;
};

inline Net random_net(std::uint64_t seed, const RandomNetOptions& options = {}) {
  return RandomNetMaker(seed, options).make();
}

}  // namespace pnsim::test
