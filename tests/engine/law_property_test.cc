// The firing rule on thousands of random nets: every step is valid and maximal, conserved sums are
// constant, and each trajectory equals that of LawByTheBook.
#include <gtest/gtest.h>

#include <random>

#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "simulator/net/net_builder.h"
#include "tests/engine/by_the_book.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::LawByTheBook;

// Few places and many takers: most steps have conflicts, which are often linked.
class RandomNets {
 public:
  explicit RandomNets(std::uint64_t seed) : random_(seed) {}

  // Many transitions take from four places, so that one conflict has hundreds of candidates.
  Net crowded() {
    NetBuilder builder("crowded");
    for (std::uint32_t p = 0; p < 5; ++p)
      builder.add_place("p" + std::to_string(p), 40 + below(400));
    for (std::uint32_t i = 0; i < 320; ++i) {
      const TransitionId t = builder.add_transition("t" + std::to_string(i));
      for (std::uint32_t a = 1 + below(3); a > 0; --a)
        builder.add_input(t, PlaceId{below(5)}, 1 + below(9) / 4);
      builder.add_output(t, PlaceId{below(5)});
    }
    return builder.build();
  }

  // `conserving`: every transition gives as many tokens as it takes.
  Net next(bool conserving) {
    NetBuilder builder("random");
    const std::uint32_t places = 2 + below(7);
    for (std::uint32_t p = 0; p < places; ++p) builder.add_place("p" + std::to_string(p), below(6));
    const std::uint32_t transitions = 1 + below(9);
    for (std::uint32_t i = 0; i < transitions; ++i) {
      const TransitionId t = builder.add_transition("t" + std::to_string(i));
      Tokens taken = 0;
      for (std::uint32_t a = 1 + below(3); a > 0; --a) {
        const Tokens weight = 1 + below(5) / 3;
        builder.add_input(t, PlaceId{below(places)}, weight);
        taken += weight;
      }
      Tokens given = conserving ? taken : below(4);
      for (; given > 0; --given) builder.add_output(t, PlaceId{below(places)});
      if (below(4) == 0) builder.add_inhibitor(t, PlaceId{below(places)});
    }
    return builder.build();
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::mt19937_64 random_;
};

std::vector<TransitionId> sorted(std::span<const TransitionId> list) {
  std::vector<TransitionId> out(list.begin(), list.end());
  std::sort(out.begin(), out.end());
  return out;
}

constexpr std::uint64_t kStepsEach = 25;

// Calls check(engine before the step, firing transitions) for every step of a run.
template <class Check>
std::uint64_t for_each_step(const Net& net, RunId id, std::uint64_t max_steps, Check check) {
  ReferenceEngine engine(net, id);
  while (!engine.outcome(max_steps)) {
    const std::vector<TransitionId> fired = sorted(engine.choose());
    check(engine, fired);
    engine.fire();
  }
  return engine.steps();
}

TEST(LawOnRandomNets, ConflictsOfHundredsOfTransitionsAreSettledByTheBook) {
  RandomNets nets(3);
  std::size_t largest = 0;
  for (int n = 0; n < 6; ++n) {
    const Net net = nets.crowded();
    const RunId id{.seed = 6, .replica = 1};
    const LawByTheBook book(net, id);
    for_each_step(net, id, 3, [&](const auto& engine, const auto& fired) {
      for (const Conflict& conflict : engine.plan().conflicts())
        largest = std::max(largest, conflict.candidates.size());
      ASSERT_EQ(fired, book.fired(engine.marking(), engine.steps())) << "net " << n;
    });
  }
  EXPECT_GE(largest, 300u);
}

TEST(LawOnRandomNets, EveryStepIsValidAndMaximal) {
  RandomNets nets(11);
  std::uint64_t steps = 0, with_conflict = 0, with_losers = 0;
  for (int n = 0; n < 3000; ++n) {
    const Net net = nets.next(n % 2 == 0);
    steps +=
        for_each_step(net, {.seed = 5}, kStepsEach, [&](const auto& engine, const auto& fired) {
          const auto enabled = LawByTheBook(net, {}).enabled(engine.marking());
          ASSERT_EQ(sorted(engine.plan().enabled()), enabled);
          ASSERT_EQ(std::adjacent_find(fired.begin(), fired.end()), fired.end()) << "fired twice";
          ASSERT_TRUE(std::includes(enabled.begin(), enabled.end(), fired.begin(), fired.end()));
          Marking left = engine.marking();
          for (const TransitionId t : fired) LawByTheBook::take(net, t, left);
          ASSERT_GE(*std::min_element(left.begin(), left.end()), 0) << "more taken than there was";
          for (const TransitionId t : enabled) {
            if (std::binary_search(fired.begin(), fired.end(), t)) continue;
            ASSERT_FALSE(LawByTheBook::covered(net, t, left)) << "not maximal: " << net.name_of(t);
          }
          with_conflict += engine.plan().conflicts().empty() ? 0 : 1;
          with_losers += fired.size() < enabled.size() ? 1 : 0;
        });
  }
  EXPECT_GT(steps, 20'000u);
  EXPECT_GT(with_conflict, 5'000u);  // otherwise the nets are too simple to prove anything
  EXPECT_GT(with_losers, 5'000u);
}

TEST(LawOnRandomNets, EveryTrajectoryIsThatOfTheLawByTheBook) {
  RandomNets nets(12);
  std::uint64_t linked = 0;
  for (std::uint32_t n = 0; n < 3000; ++n) {
    const Net net = nets.next(n % 2 == 0);
    const RunId id{.seed = (std::uint64_t{n} << 33) + 1, .replica = n % 3, .stream = n % 5};
    const LawByTheBook book(net, id);
    for_each_step(net, id, kStepsEach, [&](const auto& engine, const auto& fired) {
      ASSERT_EQ(fired, book.fired(engine.marking(), engine.steps())) << "net " << n;
      for (const Conflict& c : engine.plan().conflicts()) {
        const auto inputs = net.inputs(c.candidates.front());
        const bool takes_lowest = std::any_of(inputs.begin(), inputs.end(), [&](const Arc& arc) {
          return arc.place == c.lowest_place;
        });
        linked += takes_lowest ? 0 : 1;
      }
    });
  }
  EXPECT_GT(linked, 100u);  // conflicts whose lowest place is not that of the first candidate
}

TEST(LawOnRandomNets, FreeAndConflictsDivideTheEnabled) {
  RandomNets nets(13);
  for (int n = 0; n < 1000; ++n) {
    const Net net = nets.next(false);
    for_each_step(net, {}, kStepsEach, [&](const auto& engine, const auto& fired) {
      std::vector<TransitionId> all = sorted(engine.plan().free());
      ASSERT_TRUE(std::includes(fired.begin(), fired.end(), all.begin(), all.end()));
      for (const Conflict& c : engine.plan().conflicts()) {
        ASSERT_TRUE(std::is_sorted(c.candidates.begin(), c.candidates.end()));
        ASSERT_GE(c.candidates.size(), 2u);
        all.insert(all.end(), c.candidates.begin(), c.candidates.end());
      }
      ASSERT_EQ(sorted(all), sorted(engine.plan().enabled()));
    });
  }
}

TEST(LawOnRandomNets, AConservedSumOfTokensStays) {
  RandomNets nets(14);
  for (int n = 0; n < 500; ++n) {
    const Net net = nets.next(true);
    const auto sum = [](const Marking& m) {
      return std::accumulate(m.begin(), m.end(), Tokens{0});
    };
    const Tokens before = sum(net.initial_marking());
    EXPECT_EQ(sum(run_reference(net, {}, 60).final_marking), before) << "net " << n;
  }
}

TEST(LawOnRandomNets, TheSameRunForTheSameId) {
  RandomNets nets(15);
  int differ_by_seed = 0;
  for (int n = 0; n < 300; ++n) {
    const Net net = nets.next(true);
    const RunId id{.seed = 3, .replica = 1, .stream = 2};
    const Marking once = run_reference(net, id, 40).final_marking;
    ASSERT_EQ(run_reference(net, id, 40).final_marking, once);
    if (run_reference(net, {.seed = 4, .replica = 1, .stream = 2}, 40).final_marking != once) {
      ++differ_by_seed;
    }
  }
  EXPECT_GT(differ_by_seed, 50);
}

// Place invariants of the paper's net. Those of a latency scale with its length: one token of p11
// becomes l + 1 tokens of p12 (or p15), which become one token of p13 (or p14).
Tokens at(const Net& net, const Marking& m, const std::string& name) {
  return m[net.find_place(name).value().value];
}

Tokens schedulers_of_warp(const Net& net, const Marking& m, const std::string& w, Tokens l2) {
  return (l2 + 1) * (at(net, m, "p11" + w) + at(net, m, "p14" + w) + at(net, m, "p17" + w)) +
         at(net, m, "p15" + w) + at(net, m, "p18" + w);
}

Tokens life_of_warp(const Net& net, const Marking& m, const std::string& w, Tokens l1, Tokens l2) {
  Tokens whole = 0;
  for (const char* p : {"p3", "p4", "p11", "p13", "p14", "p17"}) whole += at(net, m, p + w);
  return (l1 + 1) * (l2 + 1) * whole + (l2 + 1) * (at(net, m, "p12" + w) + at(net, m, "p16" + w)) +
         (l1 + 1) * (at(net, m, "p15" + w) + at(net, m, "p18" + w));
}

TEST(WarpNet, KeepsItsPlaceInvariantsInEveryStep) {
  constexpr Tokens kL1 = 5, kL2 = 2, kSchedulers = 2;
  const Net net = test::wpnm_net(
      {.warps = 5, .schedulers = kSchedulers, .l1 = kL1, .l2 = kL2, .xa = 6, .xs = 4, .xg = 3});
  const std::uint64_t steps =
      for_each_step(net, {.seed = 2}, 10'000, [&](const auto& engine, const auto&) {
        const Marking& m = engine.marking();
        Tokens schedulers = (kL2 + 1) * at(net, m, "p0");
        for (int warp = 0; warp < 5; ++warp) {
          const std::string w = "." + std::to_string(warp);
          schedulers += schedulers_of_warp(net, m, w, kL2);
          ASSERT_EQ(life_of_warp(net, m, w, kL1, kL2),
                    (kL1 + 1) * (kL2 + 1) * at(net, m, "p1" + w));
        }
        ASSERT_EQ(schedulers, (kL2 + 1) * kSchedulers);
      });
  EXPECT_GT(steps, 100u);
}

}  // namespace
}  // namespace pnsim
