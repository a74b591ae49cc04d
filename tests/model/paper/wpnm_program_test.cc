// The paper's net whose warps walk their programs.
#include <gtest/gtest.h>

#include <map>

#include "simulator/analysis/exact/exact.h"
#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/engine/run.h"
#include "simulator/model/paper/count_programs.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

NetTemplate shipped_net(const std::string& name) {
  return load_net_template(data_root() + "/models/nets/" + name + ".json");
}

KernelModel shipped_model(const std::string& name) {
  return load_kernel_model(find_data_file(name, {"models"}));
}

// Two warps, one scheduler, short latencies.
std::string exact_of(const std::string& net, ParameterValues values) {
  values.merge(ParameterValues{{"W", {2}}, {"S", {1}}, {"l1", {3}}, {"l2", {1}}});
  const ExactResult result = exact_steps(instantiate(shipped_net(net), values));
  return result.expected_steps ? result.expected_steps->fraction.value() : "never";
}

// Places and transitions of wpnm come first and in its order, so the same things are drawn.
TEST(WpnmProgram, AProgramOfOneSegmentGivesTheVeryStepsOfWpnm) {
  const ParameterValues shape{{"W", {7}}, {"S", {2}}};
  ParameterValues bag = shape, walk = shape;
  bag.insert({{"xa", {5}}, {"xs", {0, 1, 2, 3, 4, 5, 6}}, {"xg", {3}}});
  walk.insert({{"xa0", {5}}, {"xs0", {0, 1, 2, 3, 4, 5, 6}}, {"xg0", {3}}});
  const Net wpnm = instantiate(shipped_net("wpnm"), bag);
  const Net program = instantiate(shipped_net("wpnm_program"), walk);
  for (const std::uint32_t replica : {0u, 1u, 2u, 3u, 4u}) {
    const RunId id{.seed = 3, .replica = replica};
    EXPECT_EQ(run_reference(program, id).steps, run_reference(wpnm, id).steps);
    EXPECT_EQ(run_reference(program, id).firings, run_reference(wpnm, id).firings);
  }
}

// The expected values come from a Markov chain that was computed independently.
TEST(WpnmProgram, ExactStepsOfTinyPrograms) {
  // An arithmetic instruction, then a global access; in any order it is 16 (below).
  EXPECT_EQ(exact_of("wpnm_program",
                     {{"xa0", {1}}, {"xs0", {0}}, {"xg0", {0}}, {"first", {0}}, {"xg", {1}}}),
            "17");
  EXPECT_EQ(exact_of("wpnm", {{"xa", {1}}, {"xs", {0}}, {"xg", {1}}}), "16");
  // One warp the other way round.
  EXPECT_EQ(exact_of("wpnm_program", {{"xa0", {1, 0}},
                                      {"xs0", {0}},
                                      {"xg0", {0, 1}},
                                      {"first", {0}},
                                      {"xa", {0, 1}},
                                      {"xg", {1, 0}}}),
            "31/2");
  // An arithmetic instruction and a shared access, then twice: arithmetic; shared and global.
  EXPECT_EQ(exact_of("wpnm_program", {{"K", {2}},
                                      {"xa0", {1}},
                                      {"xs0", {1}},
                                      {"xg0", {0}},
                                      {"first", {0}},
                                      {"xa", {1, 0, 1, 0}},
                                      {"xs", {0, 1, 0, 1}},
                                      {"xg", {0, 1, 0, 1}},
                                      {"next", {1, -1, 1, -1}},
                                      {"turn", {-1, 0, -1, 0}},
                                      {"trips", {2}}}),
            "4207/64");
}

TEST(WpnmProgram, WhereOrderSaysNothingItCostsNothing) {
  EXPECT_EQ(exact_of("wpnm_program",
                     {{"xa0", {1}}, {"xs0", {0}}, {"xg0", {0}}, {"first", {0}}, {"xa", {1}}}),
            exact_of("wpnm", {{"xa", {2}}, {"xs", {0}}, {"xg", {0}}}));
}

// Walks the rows of one warp as the net does.
class Walker {
 public:
  explicit Walker(const ParameterValues& values) : values_(values) {}

  InstructionCounts sum_of(std::size_t warp) {
    warp_ = warp;
    sum_ = {};
    add("xa0", "xs0", "xg0", warp);
    std::int64_t at = of_warp("first"), turn = of_warp("first_turn");
    std::map<std::int64_t, std::int64_t> left;
    while (at >= 0 || turn >= 0) {
      if (at >= 0) {
        const std::size_t row = index(at, "K");
        add("xa", "xs", "xg", row);
        at = values_.at("next")[row];
        turn = values_.at("turn")[row];
        continue;
      }
      const std::size_t row = index(turn, "Q");
      std::int64_t& trips = left.emplace(turn, values_.at("trips")[row] - 1).first->second;
      if (trips-- > 0) {
        at = values_.at("body")[row];
        continue;
      }
      left.erase(turn);
      at = values_.at("next_after")[row];
      turn = values_.at("turn_after")[row];
    }
    return sum_;
  }

 private:
  std::int64_t of_warp(const char* name) const { return values_.at(name)[warp_]; }

  std::size_t index(std::int64_t row, const char* count) const {
    return warp_ * static_cast<std::size_t>(values_.at(count)[0]) + static_cast<std::size_t>(row);
  }

  void add(const char* a, const char* s, const char* g, std::size_t row) {
    sum_.arithmetic += values_.at(a)[row];
    sum_.shared += values_.at(s)[row];
    sum_.global += values_.at(g)[row];
  }

  const ParameterValues& values_;
  std::size_t warp_ = 0;
  InstructionCounts sum_;
};

TEST(WpnmProgram, EveryWarpWalksTheSumsOfItsProgram) {
  for (const char* name : {"matmul_tiled", "norm_base", "radix_shared", "sobel_tiled"}) {
    const KernelModel model = shipped_model(name);
    for (const Launch& launch : model.points.back().launches) {
      const ParameterValues values = program_counts(launch, {0, 1}, 132);
      Walker walker(values);
      for (std::size_t w = 0; w < static_cast<std::size_t>(values.at("W")[0]); ++w) {
        const InstructionCounts sum = walker.sum_of(w);
        const bool is_of_a_kind =
            std::any_of(launch.warp_kinds.begin(), launch.warp_kinds.end(),
                        [&](const WarpKind& k) { return total_counts(k.program, "test") == sum; });
        ASSERT_TRUE(is_of_a_kind) << name << " warp " << w;
      }
    }
  }
}

// The whole launch as one wave of one SM: no warp stands for another.
TEST(WpnmProgram, SumsOverALaunchAreKept) {
  const KernelModel model = shipped_model("radix_report_shared");
  const Launch& launch = model.point({{"n", 1280}, {"block", 64}}).launches.at(1);
  const ParameterValues values = program_counts(launch, {0, launch.grid}, 1);
  Walker walker(values);
  InstructionCounts walked, expected;
  for (std::size_t w = 0; w < static_cast<std::size_t>(values.at("W")[0]); ++w) {
    const InstructionCounts sum = walker.sum_of(w);
    walked.arithmetic += sum.arithmetic;
    walked.shared += sum.shared;
    walked.global += sum.global;
  }
  for (const WarpKind& kind : launch.warp_kinds) {
    const InstructionCounts sum = total_counts(kind.program, "test");
    expected.arithmetic += kind.warps * sum.arithmetic;
    expected.shared += kind.warps * sum.shared;
    expected.global += kind.warps * sum.global;
  }
  EXPECT_EQ(walked, expected);
}

// Blocks 0 ... 4 in turn on two SMs: the second one has blocks 1 and 3, then none.
TEST(WpnmProgram, AWaveIsThatOfTheBusiestSm) {
  const auto kind = [](std::int64_t warps, std::int64_t arithmetic) {
    return WarpKind{warps, {{1, {arithmetic, 0, 0}, {}, std::nullopt}}};
  };
  Launch launch;
  launch.grid = 5;
  launch.block = 32;
  launch.warp_kinds = {kind(3, 1), kind(2, 10)};
  launch.block_kinds = {{1, {{0, 1}}}, {1, {{1, 1}}}, {1, {{0, 1}}}, {1, {{1, 1}}}, {1, {{0, 1}}}};
  using Counts = std::vector<std::int64_t>;
  EXPECT_EQ(program_counts(launch, {0, 2}, 2).at("xa0"), (Counts{10, 10}));
  EXPECT_EQ(program_counts(launch, {2, 1}, 2).at("xa0"), (Counts{1}));
}

Prediction predicted(const KernelModel& model, const std::string& net,
                     InstructionCounts more = {}) {
  const NetTemplate net_template = shipped_net(net);
  const DeviceProfile device = load_device_profile("h200");
  return predict({{&model, &net_template, &device, &model.point({}), {}, more}}, {}).front();
}

TEST(WpnmProgram, AModelOfCountsAloneIsPredictedAsByWpnm) {
  KernelModel model = shipped_model("radix_shared");
  model.problem["n"] = 1 << 19;  // at even powers of two it has programs
  EXPECT_EQ(predicted(model, "wpnm_program").steps, predicted(model, "wpnm").steps);
}

TEST(WpnmProgram, ModelsWithProgramsReachTheirGoal) {
  for (const char* name : {"norm_group", "radix_report_global", "sobel_tiled"}) {
    const Prediction found = predicted(shipped_model(name), "wpnm_program");
    EXPECT_EQ(found.outcome, Outcome::kGoal) << name;
    EXPECT_FALSE(found.net_parameters.contains("xa0"));
    EXPECT_EQ(found.net_parameters.at("l1"), (std::vector<std::int64_t>{20}));
  }
}

TEST(WpnmProgram, CountsThatComeFromProgramsCannotBeChanged) {
  const KernelModel model = shipped_model("sobel_global");
  test::error_of(ExitCode::kUsage, [&] { predicted(model, "wpnm_program", {1, 0, 0}); });
}

}  // namespace
}  // namespace pnsim
