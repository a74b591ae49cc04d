// The delay macro, tested by running it.
#include "simulator/model/template/delay_macro.h"

#include <gtest/gtest.h>

#include "simulator/engine/reference_engine.h"
#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

// One token of `in` passes through a delay of `steps` steps to `out`.
std::string delay_of(const std::string& steps) {
  return R"({"kind": "net-template", "version": 1, "name": "n",
    "parameters": [{"name": "L", "default": 4}],
    "places": [{"name": "in", "tokens": 1}, {"name": "out"}],
    "delays": [{"name": "d", "scope": "sm", "steps": )" +
         steps + R"(, "takes": ["in"], "gives": ["out"]}],
    "transitions": [{"name": "other", "takes": {"out": 9}}]})";
}

// The step (from 0) in which the named transition fires for the first time.
std::uint64_t step_of(const Net& net, const std::string& name) {
  ReferenceEngine engine(net, {});
  while (!engine.outcome(10'000)) {
    for (const TransitionId t : engine.choose()) {
      if (net.name_of(t) == name) return engine.steps();
    }
    engine.fire();
  }
  ADD_FAILURE() << name << " never fires";
  return 0;
}

std::uint64_t firings_of(const Net& net, const std::string& name) {
  ReferenceEngine engine(net, {});
  std::uint64_t count = 0;
  while (!engine.outcome(10'000)) {
    for (const TransitionId t : engine.choose()) count += net.name_of(t) == name ? 1 : 0;
    engine.fire();
  }
  return count;
}

TEST(DelayMacro, AsManyStepsLieBetweenStartAndEndAsItSays) {
  for (const std::uint64_t steps : {0u, 1u, 2u, 3u, 20u, 500u}) {
    const Net net = test::net_of(delay_of(std::to_string(steps)));
    EXPECT_EQ(step_of(net, "d_start"), 0u);
    EXPECT_EQ(step_of(net, "d_end"), steps + 1);
    EXPECT_EQ(firings_of(net, "d_tick"), steps);
  }
}

TEST(DelayMacro, TakesAnExpressionForItsSteps) {
  for (const std::int64_t l : {0, 1, 7}) {
    const Net net = test::net_of(delay_of("\"L * 2 - L + 1\""), {{"L", {l}}});
    EXPECT_EQ(step_of(net, "d_end"), static_cast<std::uint64_t>(l) + 2);
  }
}

TEST(DelayMacro, LeavesNothingBehind) {
  for (const char* steps : {"0", "1", "6"}) {
    const Net net = test::net_of(delay_of(steps));
    ReferenceEngine engine(net, {});
    while (!engine.outcome(100)) {
      engine.choose();
      engine.fire();
    }
    for (std::uint32_t p = 0; p < net.place_count(); ++p) {
      EXPECT_EQ(engine.marking()[p], net.name_of(PlaceId{p}) == "out" ? 1 : 0);
    }
  }
}

TEST(DelayMacro, ExpandsToTwoPlacesAndThreeTransitions) {
  test::read_text(R"({"name": "d", "scope": "warp", "steps": "L", "takes": [], "gives": []})",
                  [](const JsonReader& row) {
                    const auto places = delay_places(row);
                    EXPECT_EQ(places.size(), 2u);
                    EXPECT_EQ(places.at(0).name, "d_wait");
                    EXPECT_EQ(places.at(1).name, "d_passed");
                    const auto transitions = delay_transitions(row);
                    EXPECT_EQ(transitions.size(), 3u);
                    EXPECT_TRUE(transitions.at(0).is_start);
                    EXPECT_TRUE(transitions.at(2).is_end);
                    EXPECT_EQ(transitions.at(0).gives.at(0).weight, "(L) + 1");
                    return 0;
                  });
}

TEST(DelayMacro, TooLongADelayIsRefused) {
  const std::string said = test::input_error_of([] { test::net_of(delay_of("1099511627777")); });
  EXPECT_EQ(said,
            "t.json: /delays/0/steps: found 1099511627777, expected an integer from 0 to "
            "1099511627776");
  EXPECT_EQ(test::input_error_of([] { test::net_of(delay_of("\"L - 9\"")); }),
            "t.json: /delays/0: the weight (L - 9) + 1 evaluates to -4, expected 0 to 2^62");
}

}  // namespace
}  // namespace pnsim
