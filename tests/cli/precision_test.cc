// Tests --rel-error: it runs as many replicas as the precision needs, for any number of threads.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::ordered_json;

ordered_json run_json(const std::string& arguments, int expected_code = 0) {
  const ProgramResult result = run_program(arguments + " --json");
  EXPECT_EQ(result.code, expected_code) << result.err;
  return ordered_json::parse(result.out, nullptr, false);
}

const std::string kRun = "run wpnm --set W=2 --set S=1 --set l1=3 --set l2=1";

TEST(PnsimRelError, Runs81632ReplicasUntilThePrecisionIsThere) {
  const auto rough = run_json(kRun + " --rel-error 0.2");
  EXPECT_EQ(rough["replicas"], 8);
  const auto fine = run_json(kRun + " --rel-error 0.01");
  const int replicas = fine["replicas"];
  EXPECT_GT(replicas, 8);
  EXPECT_EQ(replicas & (replicas - 1), 0) << "a power of two: " << replicas;
  EXPECT_TRUE(fine["stopping"]["reached"]);
  EXPECT_EQ(8 << (fine["stopping"]["looks"].get<int>() - 1), replicas);
  EXPECT_LE(fine["stopping"]["relative_half_width"].get<double>(), 0.01);
  EXPECT_NEAR(fine["steps"]["mean"].get<double>(), 917.0 / 36, 0.01 * 917 / 36);
}

TEST(PnsimRelError, GivesTheRunOfAsManyReplicas) {
  const auto by_rule = run_json(kRun + " --rel-error 0.02");
  auto by_number = run_json(kRun + " --replicas " + by_rule["replicas"].dump());
  auto without = by_rule;
  without.erase("stopping");
  EXPECT_EQ(without.dump(), by_number.dump()) << "conflicts and runs included";
}

TEST(PnsimRelError, DoesNotDependOnThreadsNorOnTheWayItIsRun) {
  const std::string one = run_program(kRun + " --rel-error 0.02 --json -j 1").out;
  EXPECT_EQ(run_program(kRun + " --rel-error 0.02 --json -j 5").out, one);
  auto row = ordered_json::parse(
      run_program("sweep wpnm -q --set W=2 --set S=1 --set l1=3 -a l2=[1] --rel-error 0.02").out);
  row.erase("id");
  row.erase("axes");
  EXPECT_EQ(row.dump(), ordered_json::parse(one).dump());
}

TEST(PnsimRelError, AKernelModelHasTheErrorOfItsWholeProgram) {
  const std::string run = "run radix_shared --set n=2^12 --set block=128";
  const auto by_rule = run_json(run + " --rel-error 0.05");
  EXPECT_TRUE(by_rule["stopping"]["reached"]);
  const auto by_number = run_json(run + " --replicas " + by_rule["replicas"].dump());
  EXPECT_EQ(by_rule["steps"], by_number["steps"]);
  EXPECT_EQ(by_rule["launches"], by_number["launches"]);
}

TEST(PnsimRelError, BeyondTheMostReplicasIs1AndSaysSo) {
  const auto run = run_json(kRun + " --rel-error 0.0001 --replicas 20", 1);
  EXPECT_EQ(run["replicas"], 20);
  EXPECT_FALSE(run["stopping"]["reached"]);
  EXPECT_EQ(run["stopping"]["looks"], 3) << "8, 16, 20";
  const ProgramResult text = run_program(kRun + " --rel-error 0.0001 --replicas 20");
  EXPECT_EQ(text.code, 1);
  EXPECT_NE(text.out.find("NOT reached"), std::string::npos) << text.out;
}

TEST(PnsimRelError, ARunThatNeverVariesStopsAtTheFirstLook) {
  const auto run = run_json("run wpnm --set W=1 --set xs=0 --set xg=0 --rel-error 0.000001");
  EXPECT_EQ(run["replicas"], 8);
  EXPECT_EQ(run["stopping"]["relative_half_width"], 0);
}

TEST(PnsimRelError, BadValuesAreUsageErrors) {
  EXPECT_EQ(run_program(kRun + " --rel-error 0").code, 2);
  EXPECT_EQ(run_program(kRun + " --rel-error x").code, 2);
  EXPECT_EQ(run_program(kRun + " --rel-error 0.1 --replicas 1").code, 2);
  EXPECT_EQ(run_program(kRun + " --rel-error 0.1 --replica 3").code, 2);
}

}  // namespace
}  // namespace pnsim
