// Property test: what a check proves from the structure holds in every run of random nets.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/analysis/check/check_report.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/net/siphons.h"
#include "tests/net/structure_testing.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kSteps = 40;
constexpr int kNets = 1500;

// Everything that the structure of one net proves.
struct Proved {
  explicit Proved(const Net& n)
      : net(n),
        sums(place_invariants(net)),
        bounds(place_bounds(net, sums)),
        cycles(transition_invariants(net)),
        enabling(net, sums) {}

  const Net& net;
  PlaceInvariants sums;
  std::vector<std::optional<Tokens>> bounds;
  TransitionInvariants cycles;
  EnablingProof enabling;
};

Tokens value_of(const PlaceSum& sum, const Marking& marking) {
  Tokens value = 0;
  for (const IndexWeight& e : sum.terms) value += e.weight * marking[e.index];
  return value;
}

// Calls check(engine) at every marking of a run, including the last one.
template <class Check>
Outcome walk(const Net& net, std::uint64_t seed, std::uint64_t max_steps, Check check) {
  ReferenceEngine engine(net, {.seed = seed});
  while (true) {
    const auto outcome = engine.outcome(max_steps);
    check(engine.marking(),
          outcome == Outcome::kGoal ? std::span<const TransitionId>{} : engine.plan().enabled());
    if (outcome) return *outcome;
    engine.choose();
    engine.fire();
  }
}

TEST(ProvedByStructure, SumsAndBoundsHoldInEveryRun) {
  test::RandomStructures nets(5);
  std::size_t constant = 0, falling = 0, bounds = 0;
  for (int n = 0; n < kNets; ++n) {
    const Net net = nets.next();
    const Proved proved(net);
    std::vector<Tokens> last;
    for (const PlaceSum& sum : proved.sums.sums) {
      last.push_back(value_of(sum, net.initial_marking()));
      ASSERT_EQ(last.back(), sum.initial);
      (sum.constant ? constant : falling) += 1;
    }
    walk(net, 9, kSteps, [&](const Marking& marking, auto) {
      for (std::size_t s = 0; s < last.size(); ++s) {
        const Tokens value = value_of(proved.sums.sums[s], marking);
        ASSERT_LE(value, last[s]);
        if (proved.sums.sums[s].constant) {
          ASSERT_EQ(value, last[s]);
        }
        last[s] = value;
      }
      for (std::size_t p = 0; p < marking.size(); ++p) {
        bounds += proved.bounds[p].has_value();
        ASSERT_LE(marking[p], proved.bounds[p].value_or(kMaxTokens))
            << net.name_of(PlaceId{static_cast<std::uint32_t>(p)});
      }
    });
  }
  EXPECT_GT(constant, 1000u);
  EXPECT_GT(falling, 100u);
  EXPECT_GT(bounds, 10000u);
}

TEST(ProvedByStructure, WhatIsNeverEnabledNeverIsAloneOrTogether) {
  test::RandomStructures nets(6);
  std::size_t blocked = 0, apart = 0;
  for (int n = 0; n < kNets; ++n) {
    const Net net = nets.next();
    const Proved proved(net);
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      blocked += !proved.enabling.never_enabled(TransitionId{t}).empty();
      for (std::uint32_t u = 0; u < t; ++u) {
        apart += proved.enabling.never_together(TransitionId{t}, TransitionId{u});
      }
    }
    walk(net, 9, kSteps, [&](const Marking&, std::span<const TransitionId> enabled) {
      for (const TransitionId t : enabled) {
        ASSERT_EQ(proved.enabling.never_enabled(t), "") << net.name_of(t);
        for (const TransitionId u : enabled) {
          if (u < t) {
            ASSERT_FALSE(proved.enabling.never_together(t, u));
          }
        }
      }
    });
  }
  EXPECT_GT(blocked, 500u);
  EXPECT_GT(apart, 2000u);
}

TEST(ProvedByStructure, ANetWithoutEndlessTransitionsEnds) {
  test::RandomStructures nets(7);
  std::size_t ending = 0, others = 0;
  for (int n = 0; n < kNets; ++n) {
    const Net net = nets.next().with_goal({});
    const Proved proved(net);
    const auto endless = endless_transitions(net, proved.enabling, proved.cycles, proved.bounds);
    const Outcome outcome = walk(net, 9, 2'000, [](const Marking&, auto) {});
    if (endless.empty()) {
      ASSERT_EQ(outcome, Outcome::kDead);
    }
    (endless.empty() ? ending : others) += 1;
  }
  EXPECT_GT(ending, 300u);
  EXPECT_GT(others, 300u);
}

TEST(ProvedByStructure, SiphonsAndTrapsKeepTheirWord) {
  test::RandomStructures nets(8);
  std::size_t always = 0, never = 0;
  for (int n = 0; n < kNets; ++n) {
    const Net net = nets.next();
    const Proved proved(net);
    const SiphonProof proof(net, proved.sums);
    const PlaceSets siphons = minimal_siphons(net);
    const PlaceSets traps = minimal_traps(net);
    const auto tokens = [](const PlaceSet& set, const Marking& marking) {
      return std::any_of(set.begin(), set.end(), [&](PlaceId p) { return marking[p.value] > 0; });
    };
    std::vector<char> was_empty(siphons.sets.size()), was_marked(traps.sets.size());
    walk(net, 9, kSteps, [&](const Marking& marking, auto) {
      for (std::size_t s = 0; s < siphons.sets.size(); ++s) {
        const bool marked = tokens(siphons.sets[s], marking);
        const SiphonState state = proof.state_of(siphons.sets[s]);
        if (was_empty[s]) {
          ASSERT_FALSE(marked) << "an empty siphon stays empty";
        }
        if (state == SiphonState::kStaysMarked) {
          ASSERT_TRUE(marked);
        }
        if (state == SiphonState::kUnmarked) {
          ASSERT_FALSE(marked);
        }
        always += state == SiphonState::kStaysMarked;
        never += state == SiphonState::kUnmarked;
        was_empty[s] = !marked;
      }
      for (std::size_t s = 0; s < traps.sets.size(); ++s) {
        const bool marked = tokens(traps.sets[s], marking);
        if (was_marked[s]) {
          ASSERT_TRUE(marked) << "a marked trap stays marked";
        }
        was_marked[s] = marked;
      }
    });
  }
  EXPECT_GT(always, 1000u);
  EXPECT_GT(never, 1000u);
}

TEST(ProvedByStructure, AGoalWithAMarkedTrapIsNeverReached) {
  test::RandomStructures nets(9);
  std::size_t trapped = 0;
  for (int n = 0; n < kNets; ++n) {
    const Net net = nets.next();
    const Outcome outcome = walk(net, 9, kSteps, [](const Marking&, auto) {});
    if (!trap_in_goal(net).empty()) {
      ASSERT_NE(outcome, Outcome::kGoal);
    }
    trapped += !trap_in_goal(net).empty();
  }
  EXPECT_GT(trapped, 30u);
}

// Tests transition invariants by definition: firing all transitions of one changes nothing.
TEST(ProvedByStructure, CyclesAddUpToNothing) {
  test::RandomStructures nets(10);
  std::size_t cycles = 0;
  for (int n = 0; n < kNets; ++n) {
    const Net net = nets.next();
    for (const SparseRow& cycle : transition_invariants(net).cycles) {
      std::vector<Tokens> change(net.place_count());
      for (const IndexWeight& firings : cycle) {
        for (const IndexWeight& e : effect_of(net, TransitionId{firings.index})) {
          change[e.index] += firings.weight * e.weight;
        }
      }
      ASSERT_EQ(change, std::vector<Tokens>(net.place_count()));
      ++cycles;
    }
  }
  EXPECT_GT(cycles, 500u);
}

TEST(ProvedByStructure, ThePaperNetKeepsItsSumsInEveryStep) {
  for (const bool literal : {false, true}) {
    const Net net = test::wpnm_net({.warps = 8,
                                    .schedulers = 2,
                                    .l1 = 5,
                                    .l2 = 2,
                                    .xa = 4,
                                    .xs = 3,
                                    .xg = 3,
                                    .literal = literal});
    const Proved proved(net);
    ASSERT_EQ(proved.sums.sums.size(), 33u);
    for (const auto& bound : proved.bounds) ASSERT_TRUE(bound.has_value());
    std::vector<Tokens> most(net.place_count());
    const Outcome outcome = walk(net, 3, 10'000, [&](const Marking& marking, auto) {
      for (const PlaceSum& sum : proved.sums.sums) {
        if (sum.constant) {
          ASSERT_EQ(value_of(sum, marking), sum.initial);
        }
        ASSERT_LE(value_of(sum, marking), sum.initial);
      }
      for (std::size_t p = 0; p < most.size(); ++p) {
        ASSERT_LE(marking[p], *proved.bounds[p]);
        most[p] = std::max(most[p], marking[p]);
      }
    });
    EXPECT_EQ(outcome, Outcome::kGoal);
    EXPECT_EQ(most[net.find_place("p12.3")->value], proved.bounds[net.find_place("p12.3")->value])
        << "the bound is reached";
  }
}

}  // namespace
}  // namespace pnsim
