// Goals other than empty places, and the end of a run without a goal.
#include <gmock/gmock.h>

#include "simulator/base/json.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

// A token is added to `b` in every step; it costs one of the five of `a`.
constexpr const char* kCounts = R"({"kind": "net", "name": "counts",
  "places": [{"name": "a", "tokens": 5}, {"name": "b"}],
  "transitions": [{"name": "t", "takes": {"a": 1}, "gives": {"b": 1}}]})";

// Ends with `idle` alone, which gives back what it takes.
constexpr const char* kIdles = R"({"kind": "net", "name": "idles",
  "places": [{"name": "a", "tokens": 5}, {"name": "b"}, {"name": "on", "tokens": 1}],
  "transitions": [{"name": "t", "takes": {"a": 1}, "gives": {"b": 1}},
                  {"name": "idle", "takes": {"on": 1}, "gives": {"on": 1}}]})";

// The same as PNML, without a goal.
constexpr const char* kIdlesPnml =
    "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" "
    "type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">"
    "<place id=\"a\"><initialMarking><text>5</text></initialMarking></place><place id=\"b\"/>"
    "<place id=\"on\"><initialMarking><text>1</text></initialMarking></place>"
    "<transition id=\"t\"/><transition id=\"idle\"/>"
    "<arc id=\"1\" source=\"a\" target=\"t\"/><arc id=\"2\" source=\"t\" target=\"b\"/>"
    "<arc id=\"3\" source=\"on\" target=\"idle\"/><arc id=\"4\" source=\"idle\" target=\"on\"/>"
    "</page></net></pnml>";

std::string written(const std::string& name, const char* content) {
  const std::string path = scratch_folder() + "/" + name;
  write_text(path, content);
  return path;
}

InputJson goal_json_of(const std::string& arguments, int code = 0) {
  const ProgramResult result = run_program(arguments + " --json");
  EXPECT_EQ(result.code, code) << arguments << "\n" << result.err;
  return parse_json(result.out, "stdout");
}

TEST(Goal, IsAnyNumberOfTokens) {
  const std::string net = written("counts.json", kCounts);
  const std::vector<std::pair<std::string, int>> steps = {
      {"b>=3", 3}, {"b>3", 4}, {"b=2", 2},    {"b==2", 2}, {"a<=2", 3},
      {"a<2", 4},  {"a<1", 5}, {"a <= 0", 5}, {"a=0", 5},  {"b>0", 1},
  };
  for (const auto& [goal, expected] : steps) {
    for (const char* engine : {"reference", "fast"}) {
      const InputJson run =
          goal_json_of("run " + net + " --until '" + goal + "' --engine " + engine);
      EXPECT_EQ(run["outcome"], "goal") << goal;
      EXPECT_EQ(run["steps"]["mean"], expected) << goal;
    }
    const InputJson exact = goal_json_of("exact " + net + " --until '" + goal + "'");
    EXPECT_EQ(exact["expected_steps"]["fraction"], std::to_string(expected)) << goal;
  }
  EXPECT_EQ(
      goal_json_of("run " + net + " --until 'b>=2' --until 'b<=3' --until 'a<=2'")["steps"]["mean"],
      3);
  EXPECT_EQ(goal_json_of("run " + net + " --until 'b>=6'", 1)["outcome"], "dead");
}

TEST(Goal, InRangesIsTheSameInASweepAndEveryEngine) {
  const std::string until = " --until 'p0>=3' --until 'p1.0=1' --until 'p6.1>0'";
  const std::string plain = run_program("run wpnm --set W=3 --json --seed 4" + until).out;
  EXPECT_THAT(plain, HasSubstr("\"outcome\": \"goal\""));
  const ProgramResult reference =
      run_program("run wpnm --set W=3 --json --seed 4 --engine reference" + until);
  EXPECT_EQ(parse_json(reference.out, "r")["steps"], parse_json(plain, "p")["steps"]);
  const ProgramResult sweep = run_program("sweep wpnm -a W=[3] --seed 4" + until);
  EXPECT_EQ(sweep.code, 0) << sweep.err;
  EXPECT_EQ(parse_json(sweep.out, "s")["steps"], parse_json(plain, "p")["steps"]);
}

TEST(Goal, InRangesSurvivesConversion) {
  const std::string net = written("counts.json", kCounts), folder = scratch_folder() + "/../";
  for (const char* extension : {".json", ".pnml"}) {
    const std::string out = folder + "converted" + extension;
    ASSERT_EQ(run_program("convert " + written("counts.json", kCounts) +
                          " --until 'b>=2' --until 'a<=2' -o " + out)
                  .code,
              0);
    EXPECT_EQ(goal_json_of("run " + out)["steps"]["mean"], 3) << extension;
    EXPECT_THAT(run_program("show " + out).out, HasSubstr("goal: a<=2, b>=2\n"));
    EXPECT_THAT(run_program("check " + out).out, HasSubstr("goal: a<=2, b>=2\n"));
    std::filesystem::remove(out);
  }
}

TEST(Goal, ThatIsNoConditionIsRefused) {
  const std::string net = written("counts.json", kCounts);
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"b", "goal \"b\": expected PLACE=0"},
      {"b>=", "expected PLACE=0"},
      {"b!=2", "expected PLACE=0"},
      {"b>=x", "expected PLACE=0"},
      {"b>=-1", "expected PLACE=0"},
      {"b=>3", "expected PLACE=0"},
      {">=3", "expected PLACE=0"},
      {"b<0", "goal \"b<0\": never holds"},
      {"b>=0", "goal \"b>=0\": always holds"},
      {"b>=9223372036854775807", "expected PLACE=0"},
      {"c>=3", "no place \"c\""},
      {"b>3' --until 'b<3", "the conditions of the goal on place \"b\" exclude each other"},
  };
  for (const auto& [goal, said] : refusals) {
    const ProgramResult result = run_program("run " + net + " --until '" + goal + "'");
    EXPECT_EQ(result.code, 2) << goal;
    EXPECT_THAT(result.err, HasSubstr(said)) << goal;
  }
}

TEST(FixedMarking, EndsARunWithoutAGoal) {
  for (const char* engine : {"reference", "fast"}) {
    const InputJson run =
        goal_json_of("run " + written("idles.json", kIdles) + " --engine " + engine);
    EXPECT_EQ(run["outcome"], "fixed");
    EXPECT_EQ(run["steps"]["mean"], 5);
    EXPECT_EQ(run["firings"]["mean"], 10);
    EXPECT_EQ(run["runs"][0]["final"], (InputJson{{"b", 5}, {"on", 1}}));
  }
  const ProgramResult text = run_program("run " + written("idles.json", kIdles));
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("fixed (the marking can no longer change"));
}

TEST(FixedMarking, DoesNotEndARunWithAGoal) {
  const std::string net = written("idles.json", kIdles);
  EXPECT_EQ(goal_json_of("run " + net + " --until 'b>=7' --max-steps 50", 5)["outcome"], "limit");
  EXPECT_EQ(goal_json_of("run " + net + " --until 'b>=5'")["outcome"], "goal");
}

TEST(FixedMarking, EndsTraceAndSweepToo) {
  const std::string net = written("idles.json", kIdles);
  const ProgramResult trace = run_program("run " + net + " --trace -");
  EXPECT_EQ(trace.code, 0);
  EXPECT_EQ(std::count(trace.out.begin(), trace.out.end(), '\n'), 6);
  const ProgramResult sweep = run_program("sweep " + net + " -a seed=[1,2]");
  if (sweep.code == 0) {
    EXPECT_THAT(sweep.out, HasSubstr("\"outcome\":\"fixed\""));
  }
}

TEST(FixedMarking, AnotherMarkingThatRepeatsIsNone) {
  const std::string net = written("clock.json", R"({"kind": "net", "name": "clock",
    "places": [{"name": "a", "tokens": 1}, {"name": "b"}],
    "transitions": [{"name": "t", "takes": {"a": 1}, "gives": {"b": 1}},
                    {"name": "u", "takes": {"b": 1}, "gives": {"a": 1}}]})");
  const ProgramResult run = run_program("run " + net + " --max-steps 1000");
  EXPECT_EQ(run.code, 5);
  EXPECT_THAT(run.err, HasSubstr("--until \"a=0\""));
}

TEST(Pnml, WithoutAGoalSaysHowToGiveOne) {
  const std::string net = written("idles.pnml", kIdlesPnml);
  const ProgramResult run = run_program("run " + net);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("outcome"));
  EXPECT_THAT(run.out, HasSubstr("fixed"));
  EXPECT_THAT(run.err, HasSubstr("has no goal"));
  EXPECT_THAT(run.err, HasSubstr("--until \"a=0\""));
  EXPECT_THAT(run_program("run " + net + " --until a=0").err, Not(HasSubstr("has no goal")));
  EXPECT_THAT(run_program("run " + net + " -q").err, HasSubstr("warning: net n has no goal"))
      << "-q hides no warning of a run that may go on for hours";
}

}  // namespace
}  // namespace pnsim
