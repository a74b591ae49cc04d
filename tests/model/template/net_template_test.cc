// Inputs that the reader of net templates accepts, and every class of fault with its place in the
// file.
#include "simulator/model/template/net_template.h"

#include <gtest/gtest.h>

#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

using test::expect_faults;
using test::template_of;

// Every construct once: parameters, nested scopes, indexed arcs, a delay, an inhibitor over all
// instances, a goal and both observables.
const char* const kSmall = R"({
  "$schema": "../schema/net_template.schema.json",
  "kind": "net-template", "version": 1, "name": "small", "description": "of the tests",
  "parameters": [
    {"name": "W", "default": 2, "min": 1, "max": 8, "unit": "warps", "meaning": "m", "source": "s"},
    {"name": "L", "default": 3, "min": 0, "max": 100, "device": "latency"},
    {"name": "x", "default": 1, "scope": "warp"}],
  "scopes": [
    {"name": "warp", "count": "W"},
    {"name": "stage", "in": "warp", "count": "L + 1"}],
  "places": [
    {"name": "pool", "tokens": 2, "meaning": "free ports"},
    {"name": "todo", "scope": "warp", "tokens": "x"},
    {"name": "q", "scope": "stage"}],
  "delays": [{"name": "d", "scope": "warp", "steps": "L", "takes": ["pool"], "gives": ["pool"]}],
  "transitions": [
    {"name": "begin", "scope": "warp", "takes": ["pool", "todo"], "gives": {"q[0]": 1}},
    {"name": "move", "scope": "stage", "takes": ["q"],
     "gives": {"q[stage + 1]": "stage < L", "pool": "stage == L"}},
    {"name": "wait", "takes": ["pool"], "gives": ["pool"], "inhibited_by": ["todo"]}],
  "until": ["todo=0"],
  "observables": {"waiting_steps": {"firings": ["wait"]}, "idle_scheduler_steps": {"pool": "pool"}}
})";

TEST(NetTemplate, ReadsEveryConstruct) {
  const NetTemplate t = template_of(kSmall);
  EXPECT_EQ(t.name, "small");
  EXPECT_EQ(t.description, "of the tests");
  EXPECT_EQ(t.parameter_names(), (std::vector<std::string>{"W", "L", "x"}));
  EXPECT_EQ(t.find_parameter("W")->max, 8);
  EXPECT_EQ(t.find_parameter("W")->unit, "warps");
  EXPECT_EQ(t.find_parameter("L")->device, "latency");
  EXPECT_EQ(t.find_parameter("x")->scope, "warp");
  EXPECT_EQ(t.find_parameter("x")->max, std::int64_t{1} << 62);
  EXPECT_EQ(t.find_parameter("y"), nullptr);
  ASSERT_EQ(t.scopes.size(), 3u);
  EXPECT_EQ(t.scopes[0].name, "sm");
  EXPECT_EQ(t.scopes[2].parent, 1);
  EXPECT_EQ(t.places.size(), 5u);       // d_wait and d_passed come last
  EXPECT_EQ(t.transitions.size(), 6u);  // as do d_start, d_tick and d_end
  EXPECT_EQ(t.until, std::vector<std::string>{"todo=0"});
  EXPECT_EQ(t.waiting, std::vector<std::string>{"wait"});
  EXPECT_EQ(t.scheduler_pool, "pool");
}

TEST(NetTemplate, NeedsNoMoreThanPlacesAndTransitions) {
  const NetTemplate t = template_of(
      R"({"kind": "net-template", "version": 1, "name": "n",
          "places": [], "transitions": [{"name": "t"}]})");
  EXPECT_TRUE(t.parameters.empty());
  EXPECT_TRUE(t.until.empty());
  EXPECT_TRUE(t.waiting.empty());
  EXPECT_TRUE(t.scheduler_pool.empty());
}

TEST(NetTemplateFaults, BadFilesAreRefused) {
  expect_faults(
      kSmall,
      {
          {"/kind", "\"kernel-model\"", "/kind: found \"kernel-model\", expected \"net-template\""},
          {"/kind", "", "(top level): the key \"kind\" is missing"},
          {"/version", "2", "/version: found 2, expected an integer from 1 to 1"},
          {"/version", "\"1\"", "/version: found \"1\", expected an integer from 1 to 1"},
          {"/name", "3", "/name: found 3, expected a string"},
          {"/place", "[]", "(top level): unknown key \"place\"; did you mean \"places\"?"},
          {"/places", "", "(top level): the key \"places\" is missing"},
          {"/places", "{}", "/places: found an object, expected an array"},
          {"/transitions", "3", "/transitions: found 3, expected an array"},
      },
      read_net_template);
}

TEST(NetTemplateFaults, BadParametersAreRefused) {
  const char* const kName = ", expected a name of letters, digits and _, not starting with a digit";
  const auto named = [&](const std::string& found) {
    return "/parameters/0/name: found " + found + kName;
  };
  const std::string digit = named("\"1a\""), empty = named("\"\""), dash = named("\"a-b\"");
  expect_faults(
      kSmall,
      {
          {"/parameters/0/name", "\"1a\"", digit.c_str()},
          {"/parameters/0/name", "\"\"", empty.c_str()},
          {"/parameters/0/name", "\"a-b\"", dash.c_str()},
          {"/parameters/1/name", "\"W\"", "/parameters/1/name: the name \"W\" appears twice"},
          {"/parameters/0/defualt", "1",
           "/parameters/0: unknown key \"defualt\"; did you mean \"default\"?"},
          {"/parameters/0/default", "", "/parameters/0: the key \"default\" is missing"},
          {"/parameters/0/default", "9",
           "/parameters/0/default: found 9, expected an integer from 1 to 8"},
          {"/parameters/0/default", "0",
           "/parameters/0/default: found 0, expected an integer from 1 to 8"},
          {"/parameters/0/default", "1.5",
           "/parameters/0/default: found 1.5, expected an integer from 1 to 8"},
          {"/parameters/2/default", "-1",
           "/parameters/2/default: found -1, expected an integer from 0 to 4611686018427387904"},
          {"/parameters/2/default", "9223372036854775808",
           "/parameters/2/default: found 9223372036854775808, expected an integer from 0 to "
           "4611686018427387904"},
          {"/parameters/0/max", "0",
           "/parameters/0/max: found 0, expected an integer from 1 to 4611686018427387904"},
          {"/parameters/2/scope", "\"wrap\"",
           "/parameters/2/scope: unknown scope \"wrap\"; did you mean \"warp\"?"},
          {"/parameters/0", "3", "/parameters/0: found 3, expected an object"},
      },
      read_net_template);
}

TEST(NetTemplateFaults, BadScopesAndPlacesAreRefused) {
  expect_faults(
      kSmall,
      {
          {"/scopes/1/in", "\"wrap\"",
           "/scopes/1/in: unknown scope \"wrap\"; did you mean \"warp\"?"},
          {"/scopes/0/in", "\"stage\"", "/scopes/0/in: unknown scope \"stage\"; known: sm"},
          {"/scopes/0/count", "-1",
           "/scopes/0/count: found -1, expected an integer from 0 to 4611686018427387904"},
          {"/scopes/0/count", "\"V\"",
           "/scopes/0/count: in the expression \"V\": unknown name \"V\"; known: W, L, x"},
          {"/scopes/0/count", "", "/scopes/0: the key \"count\" is missing"},
          {"/scopes/0/name", "\"W\"", "/scopes/0/name: the name \"W\" appears twice"},
          {"/places/1/scope", "\"wrap\"",
           "/places/1/scope: unknown scope \"wrap\"; did you mean \"warp\"?"},
          {"/places/1/tokens", "\"xx\"",
           "/places/1/tokens: in the expression \"xx\": unknown name \"xx\"; did you mean \"x\"?"},
          {"/places/1/tokens", "\"x +\"",
           "/places/1/tokens: in the expression \"x +\": ends too early"},
          {"/places/0/tokens", "2.5",
           "/places/0/tokens: found 2.5, expected an integer from 0 to 4611686018427387904"},
          {"/places/0/tokens", "-2",
           "/places/0/tokens: found -2, expected an integer from 0 to 4611686018427387904"},
          {"/places/0/tokens", "4611686018427387905",
           "/places/0/tokens: found 4611686018427387905, expected an integer from 0 to "
           "4611686018427387904"},
          {"/places/1/name", "\"pool\"", "/places/1/name: the name \"pool\" appears twice"},
          {"/places/1/name", "\"p.1\"",
           "/places/1/name: found \"p.1\", expected a name of letters, digits and _, not starting "
           "with "
           "a digit"},
          {"/places/1/token", "1", "/places/1: unknown key \"token\"; did you mean \"tokens\"?"},
      },
      read_net_template);
}

TEST(NetTemplateFaults, BadArcsAreRefused) {
  expect_faults(
      kSmall,
      {
          {"/transitions/0/takes/1", "\"tdo\"",
           "/transitions/0/takes/1: undefined place \"tdo\"; did you mean \"todo\"?"},
          {"/transitions/0/takes/1", "7", "/transitions/0/takes/1: found 7, expected a string"},
          {"/transitions/0/takes", "7",
           "/transitions/0/takes: found 7, expected an array of place names or an object of "
           "weights"},
          {"/transitions/0/gives/q[0]", "0",
           "/transitions/0/gives/q[0]: found an arc weight of 0, expected 1 to 2^62"},
          {"/transitions/0/gives/q[0]", "\" 00\"",
           "/transitions/0/gives/q[0]: found an arc weight of 0, expected 1 to 2^62"},
          {"/transitions/0/gives/q[0]", "-1",
           "/transitions/0/gives/q[0]: found -1, expected an integer from 0 to "
           "4611686018427387904"},
          {"/transitions/0/gives/q[0]", "\"stige\"",
           "/transitions/0/gives/q[0]: in the expression \"stige\": unknown name \"stige\"; did "
           "you "
           "mean \"stage\"?"},
          {"/transitions/0/gives", R"({"q": 1})",
           "/transitions/0/gives/q: place \"q\" of scope \"stage\" cannot be reached from scope "
           "\"warp\" without an index"},
          {"/transitions/0/gives", R"({"pool[0]": 1})",
           "/transitions/0/gives/pool[0]: place \"pool\" of scope \"sm\" cannot be reached from "
           "scope "
           "\"warp\" with an index"},
          {"/transitions/0/gives", R"({"q[0": 1})",
           "/transitions/0/gives/q[0: \"q[0\": expected a closing \"]\""},
          {"/transitions/0/gives", R"({"q[]": 1})",
           "/transitions/0/gives/q[]: in the expression \"\": ends too early"},
          {"/transitions/0/gives", R"({"q[1/2 +]": 1})",
           "/transitions/0/gives/q[1~12 +]: in the expression \"1/2 +\": ends too early"},
          {"/transitions/2/takes", R"(["q[0]"])",
           "/transitions/2/takes/0: place \"q\" of scope \"stage\" cannot be reached from scope "
           "\"sm\" "
           "with an index"},
          {"/transitions/2/inhibited_by", R"({"todo": 1})",
           "/transitions/2/inhibited_by: found an object, expected an array of place names"},
      },
      read_net_template);
}

TEST(NetTemplateFaults, BadTransitionsAreRefused) {
  expect_faults(
      kSmall,
      {
          {"/transitions/0/name", "\"q\"", "/transitions/0/name: the name \"q\" appears twice"},
          {"/transitions/0/scope", "\"stag\"",
           "/transitions/0/scope: unknown scope \"stag\"; did you mean \"stage\"?"},
          {"/transitions/0/take", "[]",
           "/transitions/0: unknown key \"take\"; did you mean \"takes\"?"},
          {"/transitions/1/scope", "\"warp\"",
           "/transitions/1/takes/0: place \"q\" of scope \"stage\" cannot be reached from scope "
           "\"warp\" without an index"},
      },
      read_net_template);
}

TEST(NetTemplateFaults, BadDelaysAreRefused) {
  expect_faults(
      kSmall,
      {
          {"/delays/0/name", "\"d e\"",
           "/delays/0/name: found \"d e\", expected a name of letters, digits and _, not starting "
           "with "
           "a digit"},
          {"/delays/0/name", "", "/delays/0: the key \"name\" is missing"},
          {"/delays/0/scope", "", "/delays/0: the key \"scope\" is missing"},
          {"/delays/0/steps", "", "/delays/0: the key \"steps\" is missing"},
          {"/delays/0/steps", "-1",
           "/delays/0/steps: found -1, expected an integer from 0 to 4611686018427387904"},
          {"/delays/0/steps", "\"1) + (2\"",
           "/delays/0/steps: in the expression \"1) + (2\": unexpected \") + (2\""},
          {"/delays/0/step", "1", "/delays/0: unknown key \"step\"; did you mean \"steps\"?"},
          {"/delays/0/takes/0", "\"pol\"",
           "/delays/0/takes/0: undefined place \"pol\"; did you mean \"pool\"?"},
          {"/places/1/name", "\"d_wait\"", "/delays/0: the name \"d_wait\" appears twice"},
          {"/transitions/0/name", "\"d_end\"", "/delays/0: the name \"d_end\" appears twice"},
      },
      read_net_template);
}

TEST(NetTemplateFaults, BadGoalsAndObservablesAreRefused) {
  expect_faults(
      kSmall,
      {
          {"/until/0", "\"todo\"", "/until/0: found \"todo\", expected \"PLACE=0\""},
          {"/until/0", "\"todo=1\"", "/until/0: found \"todo=1\", expected \"PLACE=0\""},
          {"/until/0", "\"tdo=0\"", "/until/0: undefined place \"tdo\"; did you mean \"todo\"?"},
          {"/observables/waiting_steps/firings/0", "\"wiat\"",
           "/observables/waiting_steps/firings/0: undefined transition \"wiat\"; did you mean "
           "\"wait\"?"},
          {"/observables/idle_scheduler_steps/pool", "\"todo\"",
           "/observables/idle_scheduler_steps/pool: the pool must be a place of scope \"sm\""},
          {"/observables/idle_scheduler_steps/pool", "\"poool\"",
           "/observables/idle_scheduler_steps/pool: undefined place \"poool\"; did you mean "
           "\"pool\"?"},
          {"/observables/waiting", "{}",
           "/observables: unknown key \"waiting\"; did you mean \"waiting_steps\"?"},
      },
      read_net_template);
}

TEST(NetTemplateFaults, ANetWithoutTransitions) {
  const std::string said = test::input_error_of([] {
    template_of(
        R"({"kind": "net-template", "version": 1, "name": "n", "places": [], "transitions": []})");
  });
  EXPECT_EQ(said, "t.json: /transitions: the net has no transitions");
}

TEST(NetTemplateFaults, AMissingFileIsNamed) {
  EXPECT_EQ(test::input_error_of([] { load_net_template("no/such.json"); }),
            "no/such.json: No such file or directory");
}

}  // namespace
}  // namespace pnsim
