// Tests pnsim sensitivity: differences and elasticities with common random numbers.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json sensitivity(const std::string& arguments, int expected_code = 0) {
  const ProgramResult result = run_program("sensitivity " + arguments + " --json");
  EXPECT_EQ(result.code, expected_code) << result.err;
  return json::parse(result.out, nullptr, false);
}

json row(const json& report, const std::string& parameter) {
  for (const json& r : report["sensitivities"]) {
    if (r["parameter"] == parameter) return r;
  }
  ADD_FAILURE() << "no row of " << parameter;
  return {};
}

// A single warp never waits: 4 steps per arithmetic, 5 + l2 per shared, 5 + l1 per global, 1 to
// end.
TEST(PnsimSensitivity, ALoneWarpIsKnownExactly) {
  const json report =
      sensitivity("wpnm --set W=1 --set l1=20 --set l2=10 --set xa=30 --set xs=6 --set xg=4");
  const double steps = 4 * 30 + 15 * 6 + 25 * 4 + 1;
  EXPECT_EQ(report["steps"]["mean"], steps);
  for (const auto& [parameter, per_unit, value] : {std::tuple{"l1", 4, 20},
                                                   {"l2", 6, 10},
                                                   {"xa", 4, 30},
                                                   {"xs", 15, 6},
                                                   {"xg", 25, 4},
                                                   {"S", 0, 4}}) {
    const json r = row(report, parameter);
    EXPECT_EQ(r["per_unit"]["value"].get<double>(), per_unit) << parameter;
    EXPECT_EQ(r["per_unit"]["stderr"].get<double>(), 0) << parameter;
    EXPECT_NEAR(r["elasticity"]["value"].get<double>(), per_unit * value / steps, 1e-12);
    EXPECT_EQ(r["value"], value);
  }
  EXPECT_EQ(row(report, "l1")["low"], 18);
  EXPECT_EQ(row(report, "l1")["high"], 22);
  EXPECT_EQ(row(report, "xs")["low"], 5) << "at least by 1";
}

TEST(PnsimSensitivity, IsTheDifferenceOfRunsOfTheSameReplicas) {
  const std::string set = " --set W=5 --set xa=9 --seed 3 --replicas 6";
  const json r = row(sensitivity("wpnm" + set), "l1");
  const auto run = [&](int l1) {
    return json::parse(
        run_program("run wpnm" + set + " --set l1=" + std::to_string(l1) + " --json").out);
  };
  const json low = run(18), high = run(22);
  std::vector<double> slopes;
  for (int i = 0; i < 6; ++i) {
    slopes.push_back(
        (high["runs"][i]["steps"].get<double>() - low["runs"][i]["steps"].get<double>()) / 4);
  }
  double mean = 0, squares = 0;
  for (const double s : slopes) mean += s / 6;
  for (const double s : slopes) squares += (s - mean) * (s - mean);
  EXPECT_NEAR(r["per_unit"]["value"].get<double>(), mean, 1e-12);
  EXPECT_NEAR(r["per_unit"]["stderr"].get<double>(), std::sqrt(squares / 5 / 6), 1e-12);
  EXPECT_NEAR(r["steps_low"]["value"].get<double>(), low["steps"]["mean"].get<double>(), 1e-9);
}

TEST(PnsimSensitivity, CountsOfUnequalWarpsMoveTogether) {
  const json report =
      sensitivity("wpnm --set W=3 --set xa=[30,20,10] --set S=3 --set xs=0 --set xg=0");
  const json r = row(report, "xa");
  EXPECT_EQ(r["value"], 20) << "the mean over the warps";
  EXPECT_EQ(r["low"], 18);
  EXPECT_EQ(r["per_unit"]["value"], 4) << "the longest warp decides, and never waits";
  EXPECT_NE(row(report, "W")["why_not"].get<std::string>().find("xa"), std::string::npos)
      << "a list fits one number of warps";
}

TEST(PnsimSensitivity, AtTheEndOfARangeMovesToOneSide) {
  const json report = sensitivity("wpnm --set W=1 --set xs=0");
  EXPECT_EQ(row(report, "xs")["low"], 0);
  EXPECT_EQ(row(report, "xs")["high"], 1);
  EXPECT_EQ(row(report, "xs")["elasticity"]["value"], 0);
}

TEST(PnsimSensitivity, AKernelModelMovesTheNetAndTheCounts) {
  const std::string model = "radix_shared --set n=2^12 --set block=128 --replicas 3";
  const json report = sensitivity(model);
  EXPECT_EQ(report["device"], "h200");
  EXPECT_EQ(report["parameters"]["n"], 4096);
  std::vector<std::string> names;
  for (const json& r : report["sensitivities"]) names.push_back(r["parameter"]);
  EXPECT_EQ(names, (std::vector<std::string>{"S", "l1", "l2", "xa", "xs", "xg"}));
  const json l1 = row(report, "l1");
  const auto at = [&](int value) {
    return json::parse(
               run_program("run " + model + " --set l1=" + std::to_string(value) + " --json")
                   .out)["steps"]["mean"]
        .get<double>();
  };
  EXPECT_NEAR(l1["per_unit"]["value"].get<double>(), (at(22) - at(18)) / 4, 1e-6);
  EXPECT_GT(row(report, "xa")["per_unit"]["value"].get<double>(), 0);
  EXPECT_GT(row(report, "xg")["per_unit"]["value"].get<double>(),
            row(report, "xa")["per_unit"]["value"].get<double>())
      << "a global access takes longer";
}

// With the default of 640 replicas at most, an effect is told from the draws or known to be small.
TEST(PnsimSensitivity, TakesMoreReplicasWhereTheDrawsHideAChange) {
  const std::string set = "wpnm --set W=8 --set S=2 --set xa=9 --set xs=2 --set xg=2";
  const json report = sensitivity(set), few = sensitivity(set + " --replicas 2");
  std::set<int> replicas;
  for (const json& r : report["sensitivities"]) {
    const std::string told = r["told"];
    replicas.insert(r["replicas"].get<int>());
    if (told == "change") {
      EXPECT_GT(std::abs(r["elasticity"]["value"].get<double>()),
                r["elasticity"]["half_width_95"].get<double>())
          << r;
    } else if (told == "no change") {
      EXPECT_LE(std::abs(r["elasticity"]["value"].get<double>()), 0.005) << r;
    } else {
      EXPECT_EQ(r["replicas"], 640) << r;
    }
  }
  EXPECT_GT(replicas.size(), 1u) << "small effects take more";
  EXPECT_EQ(report["replicas"], *replicas.rbegin());
  EXPECT_EQ(row(few, "l1")["replicas"], 2) << "--replicas is a fixed number";
  const std::string text = run_program("sensitivity " + set + " --replicas 2").out;
  EXPECT_NE(text.find("hidden by the draws: 2 replicas do not tell the effect from 0"),
            std::string::npos)
      << text;
}

TEST(PnsimSensitivity, SaysWhichNetItTookAndHowToGetTheOther) {
  const std::string model = "sensitivity norm_group --replicas 2 ";
  EXPECT_THAT(run_program(model).err,
              HasSubstr("note: net wpnm, which the model names; --net sm shows which change"));
  EXPECT_THAT(run_program(model + "--net sm").err, Not(HasSubstr("note: net")));
  EXPECT_THAT(run_program(model + "-q").err, Not(HasSubstr("note: net")));
}

TEST(PnsimSensitivity, PrintsATableAndCsv) {
  const std::string run = "sensitivity wpnm --set W=1";
  const std::string text = run_program(run).out;
  EXPECT_NE(text.find("elasticity"), std::string::npos);
  EXPECT_NE(text.find("xg"), std::string::npos);
  const std::string csv = run_program(run + " --csv").out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 8) << "a header and seven parameters";
  EXPECT_NE(csv.find("\nl1,20,18,22,"), std::string::npos) << csv;
}

TEST(PnsimSensitivity, RunsThatEndDeadBeforeTheGoalGiveExitCode1) {
  const std::string net = scratch_folder() + "/stuck.json";
  write_text(net, R"({"kind": "net-template", "version": 1, "name": "stuck",
    "parameters": [{"name": "x", "default": 9, "min": 0, "max": 99, "unit": "1", "meaning": "m", "source": "s"}],
    "places": [{"name": "left", "tokens": "x", "meaning": "m"}, {"name": "kept", "tokens": 1, "meaning": "m"}],
    "transitions": [{"name": "t", "takes": ["left"], "meaning": "m"}],
    "until": ["kept=0"]})");
  EXPECT_EQ(sensitivity(net, 1)["outcome"], "dead");
}

TEST(PnsimSensitivity, InvalidUsageIsReported) {
  EXPECT_EQ(run_program("sensitivity " PNSIM_TEST_DATA "/vectors/wpnm_2w.pnml").code, 2);
  EXPECT_EQ(run_program("sensitivity wpnm --by 0").code, 2);
  EXPECT_EQ(run_program("sensitivity wpnm --rel-error 0.1").code, 2);
  EXPECT_EQ(run_program("sensitivity wpnm --set l9=3").code, 2);
  EXPECT_EQ(run_program("sensitivity wpnm --max-steps 10").code, 5);
}

// Rows have fewer replicas than the unchanged point; a mean over their own ones would be another.
TEST(PnsimSensitivity, HasOneBaselineForAllRowsAndShowsThatOfASingleRun) {
  const ProgramResult text = run_program("sensitivity norm_group --net sm");
  const json report = sensitivity("norm_group --net sm");
  ASSERT_GT(report["replicas"], 4);
  const double base = report["time_us"];
  for (const json& row : report["what_if"]) {
    EXPECT_NEAR(row["time_us"].get<double>(),
                base * (1 + row["change_percent"].get<double>() / 100), 1e-9 * base)
        << row["what"];
  }
  const json single = json::parse(run_program("--model norm_group --net sm --json").out);
  EXPECT_NEAR(report["first_replica_us"].get<double>(), single["time_us"]["value"].get<double>(),
              1e-9);
  EXPECT_NE(text.out.find("the first one alone, which pnsim --model shows: "), std::string::npos)
      << text.out;
}

TEST(PnsimSensitivity, ShowsTheStepsOfASingleRunOfThePapersNet) {
  const json report = sensitivity("radix_shared --replicas 3");
  const json single = json::parse(run_program("--model radix_shared --net wpnm --json").out);
  EXPECT_EQ(report["first_replica_steps"], single["steps"]["mean"]);
  EXPECT_NE(report["steps"]["mean"], single["steps"]["mean"]);
}

// Found by mutation: this took 2.9 GB before it said that every run had reached its limit.
TEST(PnsimSensitivity, RefusesMoreResultsThanFitInMemoryAndSaysHowManyFit) {
  const ProgramResult result =
      run_program("sensitivity norm_group --net sm --replicas 100000000 --max-steps 1");
  EXPECT_EQ(result.code, 5);
  EXPECT_NE(result.err.find("take more than 512 MiB; --replicas "), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace pnsim
