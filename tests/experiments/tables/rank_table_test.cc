// Tests what the first configurations in the predicted order keep of the best speed.
#include "experiments/tables/rank_table.h"

#include <gtest/gtest.h>

#include "experiments/spec/suite.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/validation_root.h"

namespace pnsim::experiments {
namespace {

Rendered ranks_of_toy(const std::string& device) {
  return rank_table(RecordedResults(device), load_device_profile("toy"), load_net("sm"), {});
}

// Four sizes of toy_a with two block sizes each; the programs of toy_b are not known.
TEST(RankTable, EveryProblemIsJudgedOnItsConfigurations) {
  const ValidationRoot root;
  const Rendered rendered = ranks_of_toy("toy");
  const InputJson rows = parse_json(rendered.json, "table");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["program"], "toy_a");
  EXPECT_EQ(rows[0]["problems"], 4);
  EXPECT_EQ(rows[0]["configurations"], 2.0);
  EXPECT_LE(rows[0]["first 1 %"].get<double>(), 100);
  EXPECT_EQ(rows[0]["first 2"], 100.0) << "both";
  EXPECT_EQ(rows[1]["program"], "all");
  EXPECT_EQ(rendered.csv.substr(0, 17), "program,problems,");
}

TEST(RankTable, WithoutMeasuredTimesThereIsNothingToJudge) {
  const ValidationRoot root;
  const std::string error =
      test::error_of(ExitCode::kUnavailable, [] { ranks_of_toy("unmeasured"); });
  EXPECT_NE(error.find("experiment measure"), std::string::npos) << error;
}

}  // namespace
}  // namespace pnsim::experiments
