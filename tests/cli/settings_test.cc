// Tests --set of parameters, counts and factors, and the time scale that they need.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json object_of(const std::string& arguments) {
  const ProgramResult result = run_program(arguments + " --json");
  EXPECT_EQ(result.code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

void expect_refused(const std::string& arguments, int code, const std::string& message) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, code) << arguments;
  EXPECT_THAT(result.err, HasSubstr(message)) << arguments;
  EXPECT_EQ(result.out, "") << arguments;
}

// The shipped models with results of our own.
std::string root_with_scale(const std::string& parameters) {
  const std::string root = scratch_folder();
  std::filesystem::create_directory_symlink(std::string(PNSIM_TEST_DATA) + "/../../models",
                                            root + "/models");
  std::filesystem::create_directories(root + "/results/h200");
  write_text(root + "/results/h200/time_scale.jsonl",
             R"({"id":"abc","kind":"time_scale","net":"wpnm","device":"h200","parameters":)" +
                 parameters + R"(,"us_per_step":0.001,"programs":["radix_shared"]})" + "\n");
  return root;
}

const std::string kSmall = "--model radix_shared --set n=2^12 --set block=128";

TEST(PnsimSet, AStoredScaleOfExactlyTheseParametersGivesATime) {
  const std::string root = root_with_scale(R"({"S":4,"l1":160,"l2":2})");
  ::setenv("PNSIM_HOME", root.c_str(), 1);
  const json with = object_of(kSmall + " --set l1=160"),
             factor = object_of(kSmall + " --set 'l1*=8'"),
             without = object_of(kSmall + " --set l1=161");
  ::unsetenv("PNSIM_HOME");
  EXPECT_DOUBLE_EQ(with["time_us"]["value"].get<double>(),
                   0.001 * with["steps"]["mean"].get<double>());
  EXPECT_EQ(with["time_us"]["source"], "results/h200 row abc");
  EXPECT_EQ(factor["time_us"], with["time_us"]);
  EXPECT_TRUE(without["time_us"]["value"].is_null());
  EXPECT_FALSE(without["against_default"].is_null());
}

TEST(PnsimSet, WithoutAScaleTheChangeAgainstTheDefaultIsShown) {
  const json set = object_of(kSmall + " --set l1=161"), own = object_of(kSmall + " --net wpnm");
  const json& against = set["against_default"];
  const double steps = set["steps"]["mean"], default_steps = own["steps"]["mean"];
  EXPECT_EQ(against["steps"], default_steps);
  EXPECT_EQ(against["change"], steps - default_steps);
  EXPECT_DOUBLE_EQ(against["change_percent"].get<double>(), 100 * (steps / default_steps - 1));
  EXPECT_EQ(against["parameters"], json({{"l1", 20}}));
  EXPECT_FALSE(own.contains("against_default"));
  const std::string text = run_program(kSmall + " --set l1=161").out;
  EXPECT_THAT(text, HasSubstr("change by --set         "));
  EXPECT_THAT(text, HasSubstr("instead of"));
  EXPECT_THAT(text, HasSubstr("this fits one: experiment calibrate --net wpnm --device h200 -a "
                              "l1=161 -a l2=2"));
  EXPECT_THAT(text,
              HasSubstr("before you fit one      That scale is refitted to the measured times "
                        "of the h200 as it is: compare steps"));
  EXPECT_THAT(text, HasSubstr("stores it in results/h200/time_scale.jsonl of the data folder"));
  EXPECT_THAT(own.dump() + run_program(kSmall + " --net wpnm").out, Not(HasSubstr("refitted")));
}

TEST(PnsimSet, CountsAreChangedOnBothNets) {
  const json both = object_of(kSmall + " --set 'xa*=2'"), own = object_of(kSmall);
  ASSERT_EQ(both["also"].size(), 1u);
  EXPECT_EQ(both["net"], "wpnm");
  EXPECT_EQ(both["factors"], json({{"xa", 2.0}}));
  EXPECT_GT(both["steps"]["mean"], own["steps"]["mean"]);
  EXPECT_GT(both["also"][0]["steps"]["mean"], own["also"][0]["steps"]["mean"]);
  EXPECT_FALSE(both["time_us"]["value"].is_null()) << "the scale is that of S, l1 and l2";
  EXPECT_FALSE(own["measured_us"].is_null());
  EXPECT_TRUE(both["measured_us"].is_null()) << "the measured program has other counts";
  const json set = object_of(kSmall + " --set xa=9 --net wpnm");
  EXPECT_EQ(set["parameters"]["xa"], 9);
  EXPECT_THAT(run_program(kSmall + " --set 'xg*=0.5' --net sm").out, HasSubstr("xg * 0.5)"));
}

TEST(PnsimSet, NoMeasuredTimeStandsBesideAChangedGpu) {
  EXPECT_FALSE(object_of(kSmall + " --net sm --set S=4")["measured_us"].is_null()) << "as it is";
  for (const std::string set : {"--net sm --set 'latency*=2'", "--net sm --set latency=700",
                                "--net sm --set S=2", "--set l1=40"}) {
    const ProgramResult result = run_program(kSmall + " " + set);
    EXPECT_THAT(result.out, HasSubstr("measured time           - (a what-if")) << set;
    EXPECT_THAT(result.out, Not(HasSubstr("of the measured time"))) << set;
    EXPECT_TRUE(object_of(kSmall + " " + set)["measured_us"].is_null()) << set;
  }
  const std::string swept = run_program("sweep norm_group --net wpnm -a l1=[20,40] --csv").out;
  EXPECT_THAT(swept, HasSubstr("\n40,"));
  EXPECT_THAT(swept.substr(swept.find("\n40,")), HasSubstr(",,,,goal")) << swept;
}

TEST(PnsimSet, ACountThatALaunchHasNoPlaceForIsNotRunOnTheSmNet) {
  const ProgramResult result = run_program("--model gather --set xs=3");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              HasSubstr("Net sm was not run: --set xs: kernel gather has no accesses to "
                        "shared memory"));
}

TEST(PnsimSet, AFactorOnAnAxisOfTheProblemMustGiveARecordedPoint) {
  EXPECT_EQ(object_of("--model radix_shared --set 'n*=0.25' --net wpnm")["parameters"]["n"],
            1 << 18);
  expect_refused("--model radix_shared --set 'n*=0.3'", 3, "is not a whole number");
  expect_refused("--model radix_shared --set 'n*=3'", 4, "was not recorded");
}

TEST(PnsimSet, FactorsOnATemplateMultiplyItsDefaults) {
  EXPECT_EQ(object_of("run wpnm --set 'l1*=2' --set 'xa*=7'")["parameters"],
            object_of("run wpnm --set l1=40 --set xa=7")["parameters"]);
}

TEST(PnsimSet, UnknownNamesHaveTheNearestOne) {
  expect_refused("--model gather --set 'xf*=2'", 2, "did you mean \"xa\"");
  expect_refused("--model gather --net sm --set 'latncy*=2'", 2, "did you mean \"latency\"");
  expect_refused("run wpnm --set 'l9*=2'", 2, "did you mean \"l1\"");
}

TEST(PnsimSet, FactorsThatAreNoNumbersAboveZeroAreRefused) {
  for (const char* factor : {"0", "-0.5", "nan", "inf", "abc", "1/2"}) {
    expect_refused("--model gather --set 'xg*=" + std::string(factor) + "'", 3,
                   "expected a factor: a number above 0");
  }
  expect_refused("--model gather --set 'xg*='", 2, "expected PATH=VALUE or \"PATH*=FACTOR\"");
}

TEST(PnsimSet, WhatIsNotANumberHasNoFactor) {
  expect_refused("--model gather --set 'net*=2'", 2, "net is a name, not a number");
  expect_refused("--model gather --net sm --set 'order*=2'", 2, "is a switch");
  expect_refused("--model gather --net sm --set 'K*=2'", 2,
                 "comes from the kernel model's launches");
}

TEST(PnsimSet, ContradictingSettingsAreRefused) {
  expect_refused("--model gather --set xg=3 --set 'xg*=2'", 2, "contradict each other");
  expect_refused("--model gather --set 'xg*=2' --set 'xg*=3'", 2, "is given twice");
  expect_refused("--model gather --set xa=[1,2]", 2, "found 2 values, expected one");
}

}  // namespace
}  // namespace pnsim
