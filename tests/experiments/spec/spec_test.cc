#include "experiments/spec/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Spec toy() {
  const InputJson json = parse_json(ToyRoot::spec(), "toy.json");
  return read_spec(JsonReader(json, "toy.json"));
}

// The message of the error 3 for the toy spec after `change`.
template <class Change>
std::string refusal(Change change) {
  InputJson json = parse_json(ToyRoot::spec(), "toy.json");
  change(json);
  try {
    read_spec(JsonReader(json, "toy.json"));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(Spec, ReadsAllItsParts) {
  const Spec spec = toy();
  EXPECT_EQ(spec.name, "toy");
  EXPECT_THAT(spec.axis("program").values, ElementsAre("toy_a", "toy_b"));
  EXPECT_THAT(spec.axis("n").integers(), ElementsAre(4096, 8192, 16384, 32768));
  EXPECT_EQ(spec.size_axis, "n");
  EXPECT_EQ(spec.tuning_axis, "block");
  EXPECT_EQ(spec.mode, "warm");
  EXPECT_EQ(spec.reference, (ParameterValues{{"l1", {20}}, {"l2", {2}}}));
  EXPECT_EQ(spec.grid.size(), 2u);
}

TEST(Spec, ComesBackFromItsOwnJson) {
  const InputJson json = to_json(toy());
  const Spec again = read_spec(JsonReader(json, "again"));
  EXPECT_EQ(to_json(again).dump(), to_json(toy()).dump());
  EXPECT_EQ(again.axes, toy().axes);
}

TEST(Spec, UnknownKeysAreNamedWithTheNearest) {
  EXPECT_THAT(refusal([](InputJson& j) { j["size_axes"] = "n"; }),
              AllOf(HasSubstr("\"size_axes\""), HasSubstr("did you mean \"size_axis\"?")));
}

TEST(Spec, MissingKeysAreNamed) {
  for (const char* key : {"kind", "version", "name", "description", "axes", "size_axis", "training",
                          "net", "device", "mode", "reference"}) {
    EXPECT_THAT(refusal([&](InputJson& j) { j.erase(key); }),
                HasSubstr("\"" + std::string(key) + "\" is missing"));
  }
}

TEST(Spec, WrongKindOrVersionIsRefused) {
  EXPECT_THAT(refusal([](InputJson& j) { j["kind"] = "device"; }), HasSubstr("/kind"));
  EXPECT_THAT(refusal([](InputJson& j) { j["version"] = 2; }), HasSubstr("/version"));
}

TEST(Spec, BadAxesAreRefusedAtTheirPlace) {
  EXPECT_THAT(refusal([](InputJson& j) { j["axes"][1] = "n=[5:1]"; }),
              AllOf(HasSubstr("toy.json: /axes/1"), HasSubstr("range is empty")));
  EXPECT_THAT(refusal([](InputJson& j) { j["axes"][1] = 12; }), HasSubstr("expected a string"));
  EXPECT_THAT(refusal([](InputJson& j) { j["axes"][2] = "n=[1]"; }), HasSubstr("is given twice"));
  EXPECT_THAT(refusal([](InputJson& j) { j["axes"][2] = "block=[a]"; }),
              HasSubstr("expected a whole number"));
  EXPECT_THAT(refusal([](InputJson& j) { j["axes"].erase(0); }),
              HasSubstr("one axis must be \"program\""));
}

TEST(Spec, TooManyPointsAreRefused) {
  EXPECT_THAT(refusal([](InputJson& j) {
                j["axes"][1] = "n=[1:100000]";
                j["axes"][2] = "block=[1:100000]";
              }),
              HasSubstr("points, expected at most"));
}

TEST(Spec, SizeAndTuningAxisMustBeAxesOfTheProblem) {
  EXPECT_THAT(refusal([](InputJson& j) { j["size_axis"] = "m"; }), HasSubstr("/size_axis"));
  EXPECT_THAT(refusal([](InputJson& j) { j["size_axis"] = "program"; }), HasSubstr("/size_axis"));
  EXPECT_THAT(refusal([](InputJson& j) { j["tuning_axis"] = "blok"; }),
              HasSubstr("did you mean \"block\"?"));
  EXPECT_THAT(refusal([](InputJson& j) { j["tuning_axis"] = "n"; }),
              HasSubstr("is the size axis already"));
}

TEST(Spec, TheConfigurationIsTheTuningAxisUnlessItSaysMore) {
  Spec spec;
  EXPECT_TRUE(spec.configuration().empty());
  spec.tuning_axis = "block";
  EXPECT_EQ(spec.configuration(), (std::vector<std::string>{"block"}));
  spec.configuration_axes = {"block", "group"};
  EXPECT_EQ(spec.configuration(), (std::vector<std::string>{"block", "group"}));
  EXPECT_THAT(refusal([](InputJson& j) {
                j["configuration_axes"] = {"block", "blok"};
              }),
              AllOf(HasSubstr("/configuration_axes/1"), HasSubstr("did you mean \"block\"?")));
  EXPECT_THAT(refusal([](InputJson& j) { j["configuration_axes"] = {"n"}; }),
              HasSubstr("is the size axis already"));
}

TEST(Spec, UnknownModeAndRuleAreRefused) {
  EXPECT_THAT(refusal([](InputJson& j) { j["mode"] = "hot"; }), HasSubstr("/mode"));
  EXPECT_THAT(refusal([](InputJson& j) { j["training"] = "odd"; }), HasSubstr("/training"));
}

TEST(Spec, TheReferenceIsWholeNumbers) {
  EXPECT_THAT(refusal([](InputJson& j) { j["reference"]["parameters"]["l1"] = 2.5; }),
              HasSubstr("/reference/parameters/l1"));
  EXPECT_THAT(refusal([](InputJson& j) { j["reference"].erase("name"); }), HasSubstr("/reference"));
}

TEST(Spec, AGridHasOneOrTwoAxes) {
  EXPECT_THAT(refusal([](InputJson& j) { j["grid"] = InputJson::array(); }), HasSubstr("/grid"));
  EXPECT_THAT(refusal([](InputJson& j) { j["grid"].push_back("S=[1,2]"); }), HasSubstr("/grid"));
  InputJson json = parse_json(ToyRoot::spec(), "toy.json");
  json.erase("grid");
  EXPECT_TRUE(grid_cells(read_spec(JsonReader(json, "toy.json"))).empty());
}

TEST(Spec, AnUnknownNameIsReportedWithTheNearest) {
  const ToyRoot root;
  EXPECT_EQ(load_spec("toy").name, "toy");
  try {
    load_spec("tory");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"toy\"?"));
  }
}

TEST(Spec, ABrokenFileDoesNotHideThatAnotherNameIsWrong) {
  const ToyRoot root;
  root.write("experiments/specs/broken.json", "{");
  try {
    load_spec("tory");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"toy\"?"));
  }
}

TEST(Spec, AProgramIsAnsweredWithTheExperimentsThatRunIt) {
  const ToyRoot root;
  const std::string program = load_spec("toy").axis("program").values.front();
  try {
    load_spec(program);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_THAT(error.what(),
                HasSubstr("found a program, expected an experiment; those that run it: \"toy\""));
  }
}

TEST(Spec, OverridesReachAxesAndGrid) {
  Spec spec = toy();
  override_axes(spec, {parse_axis("n=[4096]"), parse_axis("l1=[5,6,7]")});
  EXPECT_THAT(spec.axis("n").values, ElementsAre("4096"));
  EXPECT_THAT(spec.grid[0].values, ElementsAre("5", "6", "7"));
  EXPECT_THAT(spec.grid[1].values, ElementsAre("1", "2"));
  EXPECT_THROW(override_axes(spec, {parse_axis("l3=[1]")}), Error);
}

TEST(Spec, OneValueOfTheGridIsTheReference) {
  Spec spec = toy();
  override_axes(spec, {parse_axis("l1=40"), parse_axis("l2=[4,8]")});
  EXPECT_EQ(spec.reference, (ParameterValues{{"l1", {40}}, {"l2", {2}}}));
  EXPECT_EQ(spec.reference_name, "as given");
  EXPECT_EQ(grid_cells(spec).size(), 2u);
}

TEST(SpecPoints, AreTheProductInAxisOrder) {
  const std::vector<SuitePoint> points = points_of(toy());
  ASSERT_EQ(points.size(), 16u);
  EXPECT_EQ(points[0], (SuitePoint{"toy_a", {{"n", 4096}, {"block", 64}}, true}));
  EXPECT_EQ(points[1], (SuitePoint{"toy_a", {{"n", 4096}, {"block", 128}}, true}));
  EXPECT_EQ(points[2], (SuitePoint{"toy_a", {{"n", 8192}, {"block", 64}}, false}));
  EXPECT_EQ(points[8].program, "toy_b");
}

TEST(SpecPoints, TrainOnEvenPowersOfTwoOnly) {
  EXPECT_TRUE(is_training_value(1));
  EXPECT_TRUE(is_training_value(1 << 12));
  EXPECT_FALSE(is_training_value(1 << 13));
  EXPECT_FALSE(is_training_value(3 << 12));
  EXPECT_TRUE(is_training_value(5120));  // log2 is 12.3
  EXPECT_FALSE(is_training_value(0));
  EXPECT_FALSE(is_training_value(-4));
}

TEST(SpecGrid, CellsLayTheirValuesOverTheReference) {
  Spec spec = toy();
  spec.reference["S"] = {2};
  const std::vector<ParameterValues> cells = grid_cells(spec);
  ASSERT_EQ(cells.size(), 4u);
  EXPECT_EQ(cells[0], (ParameterValues{{"S", {2}}, {"l1", {10}}, {"l2", {1}}}));
  EXPECT_EQ(cells[1], (ParameterValues{{"S", {2}}, {"l1", {10}}, {"l2", {2}}}));
  EXPECT_EQ(cells[3], (ParameterValues{{"S", {2}}, {"l1", {20}}, {"l2", {2}}}));
}

TEST(ShippedSpecs, CanAllBeRead) {
  const std::vector<std::string> names = shipped_names("experiments/specs");
  EXPECT_THAT(names, testing::Contains("radix"));
  for (const std::string& name : names) EXPECT_EQ(load_spec(name).name, name);
}

TEST(ShippedSpecs, RadixIsTheSuiteOfThePaper) {
  const Spec spec = load_spec("radix");
  EXPECT_EQ(points_of(spec).size(), 3u * 13u * 5u);
  EXPECT_EQ(grid_cells(spec).size(), 30u);
  EXPECT_EQ(spec.reference, (ParameterValues{{"l1", {20}}, {"l2", {2}}}));
}

}  // namespace
}  // namespace pnsim::experiments
