// The GPU code of replicas, compiled for the host: compared with the reference engine step by step,
// and in whole runs with all counts.
#include "simulator/engine/cuda/replica_run.h"

#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/engine/cuda/replica_program_maker.h"
#include "simulator/engine/gpu_replicas.h"
#include "simulator/engine/lane_program_maker.h"
#include "simulator/engine/run.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/net/net_file.h"
#include "tests/engine/compare_lanes.h"
#include "tests/engine/same_run.h"
#include "tests/support/random_lanes.h"

namespace pnsim {
namespace {

using test::expect_same_run;

// Records the events of a run, from which the marking of any step can be reconstructed.
class Notes {
 public:
  void begins(std::uint32_t lane, std::uint32_t step, std::uint32_t segment) {
    legs.push_back({lane, step, segment});
  }
  void step(std::uint32_t step, std::uint64_t packed) { signals.push_back({step, packed}); }

  struct Leg {
    std::uint32_t lane, begin, segment;
  };
  std::vector<Leg> legs;                                         // [lane] in order
  std::vector<std::pair<std::uint32_t, std::uint64_t>> signals;  // valid from a step on
};

// Reconstructs the markings of a net from the recorded events of a run.
class Replay {
 public:
  Replay(const LaneProgram& program, LaneMachine& machine, const ReplicaProgram& tables,
         Notes notes)
      : program_(program),
        machine_(machine),
        tables_(tables),
        notes_(std::move(notes)),
        legs_(program.lanes()) {
    for (const Notes::Leg& leg : notes_.legs) legs_[leg.lane].push_back(leg);
  }

  Marking marking(std::uint32_t step) {
    while (at_ + 1 < notes_.signals.size() && notes_.signals[at_ + 1].first <= step) ++at_;
    Marking out(program_.net().place_count());
    const LaneSplit& split = program_.split();
    for (std::size_t i = 0; i < split.shared_places.size(); ++i) {
      out[split.shared_places[i].value] = tables_.signal_value(notes_.signals[at_].second, i);
    }
    for (std::uint32_t lane = 0; lane < program_.lanes(); ++lane) {
      const Marking local = lane_marking(lane, step);
      for (std::size_t p = 0; p < local.size(); ++p) out[split.places[lane][p].value] = local[p];
    }
    return out;
  }

 private:
  Marking lane_marking(std::uint32_t lane, std::uint32_t step) {
    Marking initial;
    program_.initial_marking_of(lane, initial);
    Marking out = initial;
    std::vector<Tokens> counts;
    for (const std::uint32_t p : machine_.counters()) counts.push_back(initial[p]);
    for (const Notes::Leg& leg : legs_[lane]) {
      if (leg.begin > step) break;
      const LaneSegment way = machine_.segments()[leg.segment];
      const bool is_over = leg.begin + way.duration <= step;
      out = is_over ? machine_.record(leg.segment).end
                    : machine_.walk(leg.segment, step - leg.begin).marking;
      if (is_over && way.counter != LaneSegment::kNone) counts[way.counter] -= way.taken;
      for (std::size_t c = 0; c < counts.size(); ++c) out[machine_.counters()[c]] = counts[c];
    }
    return out;
  }

  const LaneProgram& program_;
  LaneMachine& machine_;
  const ReplicaProgram& tables_;
  Notes notes_;
  std::vector<std::vector<Notes::Leg>> legs_;  // [lane]
  std::size_t at_ = 0;
};

template <class Shape>
Notes notes_of(const ReplicaProgram& tables, RunId id, std::uint32_t max_steps, ReplicaEnd& end) {
  std::vector<std::uint32_t> state(std::size_t{state_words(tables.header())} * kReplicaStride);
  Notes notes;
  const ReplicaTables view(tables.header(), tables.image().data());
  ReplicaRun<Shape, Notes> run(tables.header(), view, state.data(),
                               replica_key(id.seed, id.replica, id.stream), max_steps, notes);
  end = run.run();
  return notes;
}

// Returns the number of compared steps of a net that fits.
std::uint64_t compare_replica_steps(const LaneProgram& program, LaneMachine& machine,
                                    const ReplicaProgram& tables, RunId id,
                                    std::uint32_t max_steps) {
  ReplicaEnd end{};
  Notes notes;
  switch (tables.header().shape) {
    case ReplicaShape::kSmall:
      notes = notes_of<SmallShape>(tables, id, max_steps, end);
      break;
    case ReplicaShape::kPaper:
      notes = notes_of<PaperShape>(tables, id, max_steps, end);
      break;
    case ReplicaShape::kWide:
      notes = notes_of<WideShape>(tables, id, max_steps, end);
      break;
  }
  Replay replay(program, machine, tables, std::move(notes));
  ReferenceEngine reference(program.net(), id);
  // A run may be left to the CPU only because of its last marking.
  const std::uint32_t last =
      end.outcome == ReplicaOutcome::kLeft && end.steps > 0 ? end.steps - 1 : end.steps;
  for (std::uint32_t step = 0;; ++step) {
    EXPECT_EQ(replay.marking(step), reference.marking())
        << program.net().name() << " step " << step;
    if (testing::Test::HasFailure() || step == last) return step;
    EXPECT_FALSE(reference.outcome(max_steps)) << program.net().name() << " step " << step;
    if (testing::Test::HasFailure()) return step;
    reference.choose();
    reference.fire();
  }
}

struct ReplicaTally {
  std::uint64_t nets = 0, fit = 0, steps = 0, runs = 0, left = 0;
};

// Compares whole runs of several replicas, including their conflicts.
void compare_replicas(const Net& net, std::uint64_t seed, std::uint64_t max_steps,
                      ReplicaTally& tally) {
  const FastRunner runner(net);
  const GpuReplicas replicas(runner);
  ASSERT_EQ(replicas.why_not(), "");
  const GpuReplicas::Request request{.seed = seed,
                                     .stream = 1,
                                     .first = 3,
                                     .count = 5,
                                     .max_steps = max_steps,
                                     .kept = 5,
                                     .on_gpu = false};
  ConflictLog found_log(net), expected_log(net);
  const GpuReplicas::Runs found = replicas.run(request, &found_log);
  ASSERT_EQ(found.fault, "");
  tally.runs += request.count;
  tally.left += found.left.size();
  for (std::uint32_t i = 0; i < request.count; ++i) {
    if (std::find(found.left.begin(), found.left.end(), i) != found.left.end()) continue;
    const RunId id{seed, request.first + i, request.stream};
    expect_same_run(found.runs[i], run_reference(net, id, max_steps, &expected_log), net.name());
  }
  if (runner.names_match()) test::expect_same_conflicts(found_log, expected_log, net.name());
}

void compare_net(const Net& net, std::uint64_t seed, std::uint32_t max_steps, ReplicaTally& tally) {
  ++tally.nets;
  const auto program = make_lane_program(net);
  if (!program) return;
  LaneMachine machine(*program);
  std::string why;
  const auto tables = make_replica_program(*program, machine, why);
  EXPECT_EQ(tables.has_value(), why.empty());
  if (!tables) return;
  ++tally.fit;
  tally.steps += compare_replica_steps(*program, machine, *tables, {seed, 2, 1}, max_steps);
  if (!testing::Test::HasFailure()) compare_replicas(net, seed, 8 * max_steps, tally);
}

TEST(ReplicaRun, AThousandRandomNetsOfLanesRunAsTheReference) {
  ReplicaTally tally;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    compare_net(test::random_lanes(seed), seed, 40, tally);
  }
  RecordProperty("fit", static_cast<int>(tally.fit));
  EXPECT_GT(tally.fit, 150u) << "too few nets fit to say anything";
  EXPECT_GT(tally.steps, 1500u);
  EXPECT_GT(tally.runs, 2 * tally.left);
}

Net paper_net(const std::string& name, const ParameterValues& overrides) {
  return instantiate(load_net_template(data_root() + "/models/nets/" + name + ".json"), overrides);
}

TEST(ReplicaRun, ThePapersNetRunsAsTheReferenceWith2To1024Warps) {
  for (const std::int64_t warps : {2, 3, 16, 31, 32, 33, 63, 64, 65, 96, 128, 1024}) {
    for (const std::int64_t l1 : {0, 1, 20}) {
      ReplicaTally tally;
      const Net net = paper_net("wpnm", {{"W", {warps}}, {"l1", {l1}}, {"xa", {4}}, {"S", {3}}});
      compare_net(net, 7, warps > 128 ? 60 : warps > 64 ? 150 : 700, tally);
      EXPECT_EQ(tally.fit, 1u) << warps;
      EXPECT_TRUE(warps > 64 || tally.left == 0) << warps << " " << l1;
    }
  }
}

TEST(ReplicaRun, UnequalWarpsLongLatenciesAndLargeCounts) {
  ReplicaTally tally;
  compare_net(paper_net("wpnm", {{"W", {5}}, {"xa", {9, 0, 3, 3, 1}}, {"xg", {0, 2, 1, 4, 0}}}), 3,
              900, tally);
  compare_net(paper_net("wpnm", {{"W", {40}}, {"xa", {3}}, {"xg", {2}}, {"l1", {300}}}), 4, 900,
              tally);
  compare_net(
      paper_net("wpnm", {{"W", {3}}, {"xa", {1 << 18}}, {"xs", {1 << 18}}, {"xg", {1 << 18}}}), 5,
      500, tally);
  EXPECT_EQ(tally.fit, 3u);
  EXPECT_EQ(tally.left, 5u) << "of the last, as they end amid instructions";
}

TEST(ReplicaRun, TakesNetsFromPnml) {
  ReplicaTally tally;
  for (const std::string name :
       {"wpnm_2w", "wpnm_16w", "wpnm_16w_s8", "wpnm_template_3w", "wpnm_unequal_3w"}) {
    const std::string path = std::string(PNSIM_TEST_DATA) + "/vectors/" + name + ".pnml";
    compare_net(load_net_file(path).net, 3, 500, tally);
  }
  EXPECT_EQ(tally.fit, 5u);
  EXPECT_EQ(tally.left, 0u);
}

TEST(ReplicaRun, SaysInWordsWhyANetDoesNotFit) {
  const auto why = [](const Net& net) { return GpuReplicas(FastRunner(net)).why_not(); };
  EXPECT_EQ(why(paper_net("wpnm", {{"W", {1}}})), "found no replicated parts");
  EXPECT_NE(why(paper_net("wpnm", {{"W", {1025}}})), "");
  EXPECT_EQ(why(paper_net("wpnm", {{"l1", {5000}}})),
            "a lane takes too many steps from one wait to the next");
  EXPECT_NE(why(paper_net("wpnm", {{"xa", {std::int64_t{1} << 60}}})), "");
  EXPECT_EQ(why(paper_net("wpnm_literal", {})),
            "the next step of a lane depends on more than one wait or draw");
  EXPECT_EQ(why(paper_net("wpnm", {})), "");
}

TEST(ReplicaDraws, AreTheLaws) {
  for (const std::uint64_t seed : {1ull, 0x123456789abcdefull}) {
    for (const std::uint32_t replica : {0u, 1u, ~0u}) {
      const RunKey key = run_key({seed, replica, 5});
      const ReplicaKey found = replica_key(seed, replica, 5);
      EXPECT_EQ((RunKey{found.k0, found.k1}), key);
      for (const std::uint32_t step : {0u, 1u, 0xfffffffau}) {
        const DrawWords words = draw_block(found, 17, step, 3);
        EXPECT_EQ((std::array{words.w[0], words.w[1], words.w[2], words.w[3]}),
                  draw_block(key, PlaceId{17}, step, 3));
      }
    }
  }
}

TEST(ReplicaDraws, TheJthBitIsFound) {
  for (const std::uint32_t bits : {1u, 0x80000000u, 0xffffffffu, 0x12345678u, 0xf0000001u}) {
    std::uint32_t j = 0;
    for (std::uint32_t at = 0; at < 32; ++at) {
      if ((bits >> at & 1) == 0) continue;
      EXPECT_EQ(select_bit(bits, j++), at);
    }
  }
}

}  // namespace
}  // namespace pnsim
