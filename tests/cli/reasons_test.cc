// Tests pnsim run --reasons and pnsim sensitivity with a net that executes programs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using json = nlohmann::json;

double sum(const json& shares) {
  double total = 0;
  for (const auto& [name, share] : shares.items()) total += share.get<double>();
  return total;
}

TEST(Reasons, AModelSaysWhereItsCyclesGo) {
  const std::string run = "run --model norm_group --net sm --reasons";
  const json report = json::parse(run_program(run + " --json").out);
  const json& breakdown = report.at("breakdown");
  EXPECT_NEAR(sum(breakdown.at("schedulers")), 1, 1e-9);
  EXPECT_NEAR(sum(breakdown.at("warps")), 1, 1e-9);
  EXPECT_EQ(breakdown.at("units").size(), 8u);
  EXPECT_EQ(report.at("launches")[0].at("breakdown").at("warps"), breakdown.at("warps"));
  const std::string text = run_program(run).out;
  EXPECT_NE(text.find("nearest limit"), std::string::npos);
  EXPECT_NE(text.find("not selected"), std::string::npos);
}

TEST(Reasons, StatesAreExplainedAndIdleSchedulersHaveANote) {
  const std::string run = "--model norm_group --set block=64 --net sm --reasons";
  const std::string text = run_program(run).out;
  EXPECT_NE(text.find("waits for arithmetic, a branch, a constant, a fence or code"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("note: norm_group_d32_g8: an SM runs 1 block of 2 warps"), std::string::npos)
      << text;
  const json report = json::parse(run_program(run + " --json").out);
  EXPECT_EQ(report.at("breakdown").at("notes").size(), 1u);
}

TEST(Reasons, TheStepsAreTheSameWithThem) {
  const json with =
      json::parse(run_program("run --model matmul_tiled --net sm --reasons --json").out);
  const json without = json::parse(run_program("run --model matmul_tiled --net sm --json").out);
  EXPECT_EQ(with.at("steps"), without.at("steps"));
  EXPECT_EQ(with.at("firings"), without.at("firings"));
  EXPECT_FALSE(without.at("breakdown").contains("warps"));
}

TEST(Reasons, ATemplateMayBeRunAlone) {
  const ProgramResult found =
      run_program("run sm --set blocks=[0,1] --set issue=10 --set work=30 --reasons --json");
  EXPECT_EQ(found.code, 0);
  EXPECT_NEAR(sum(json::parse(found.out).at("breakdown").at("schedulers")), 1, 1e-9);
}

TEST(Reasons, NetsThatSayNothingOfThemAreRefused) {
  EXPECT_EQ(run_program("run wpnm --reasons").code, 2);
  EXPECT_EQ(run_program("run --model norm_group --net wpnm --reasons").code, 2);
  EXPECT_EQ(run_program("run " PNSIM_TEST_DATA "/vectors/wpnm_2w.pnml --reasons").code, 2);
}

TEST(WhatIf, RowsAreSortedByTime) {
  const json report =
      json::parse(run_program("sensitivity --model norm_group --net sm --json").out);
  const json& rows = report.at("what_if");
  ASSERT_GT(rows.size(), 10u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LE(rows[i - 1].at("time_us").get<double>(), rows[i].at("time_us").get<double>());
  }
}

}  // namespace
}  // namespace pnsim
