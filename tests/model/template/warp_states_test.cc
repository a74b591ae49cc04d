#include "simulator/model/template/warp_states.h"

#include <gtest/gtest.h>

#include "simulator/model/template/instantiate.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

// Two blocks of `W` warps each, one of them without tokens; `more` is added to the observables.
NetTemplate template_with(const std::string& states) {
  const std::string text = R"({"kind": "net-template", "version": 1, "name": "n",
    "parameters": [{"name": "W", "default": 3}],
    "scopes": [{"name": "block", "count": 2}, {"name": "warp", "in": "block", "count": "W"}],
    "places": [{"name": "pool", "tokens": 2}, {"name": "b", "scope": "block"},
               {"name": "x", "scope": "warp", "tokens": "warp == 1"},
               {"name": "y", "scope": "warp", "tokens": "block == 1"},
               {"name": "z", "scope": "warp", "tokens": "warp < 2"}],
    "transitions": [{"name": "t", "takes": ["pool"]}],
    "observables": {"idle_scheduler_steps": {"pool": "pool"}, "warp_states": )" +
                           states + "}}";
  const InputJson json = parse_json(text, "n.json");
  return read_net_template(JsonReader(json, "n.json"));
}

TEST(WarpStates, TheFirstStateThatHoldsCounts) {
  const NetTemplate t = template_with(R"({"states": [{"name": "one", "places": ["x"]},
      {"name": "two", "places": ["x", "y"]}], "alive": "z", "holds_scheduler": ["y"]})");
  const Net net = instantiate(t);
  const WarpStates states = warp_states(t, net);
  EXPECT_EQ(states.unit, "warp");
  EXPECT_EQ(states.units, 6u);
  EXPECT_EQ(states.schedulers, 2u);
  EXPECT_EQ(states.names, (std::vector<std::string>{"one", "two", "idle"}));
  std::vector<std::size_t> found;
  for (std::uint32_t unit = 0; unit < 6; ++unit) {
    found.push_back(states.state_of(net.initial_marking(), unit));
  }
  EXPECT_EQ(found, (std::vector<std::size_t>{2, 0, 2, 1, 0, 2})) << "warp 2 of each is not alive";
  EXPECT_FALSE(states.holds_scheduler(net.initial_marking(), 2));
  EXPECT_TRUE(states.holds_scheduler(net.initial_marking(), 3));
}

TEST(WarpStates, AreOptionalButNeededForAPicture) {
  const InputJson json = parse_json(R"({"kind": "net-template", "version": 1, "name": "n",
    "places": [{"name": "a"}], "transitions": [{"name": "t", "takes": ["a"]}]})",
                                    "n.json");
  const NetTemplate t = read_net_template(JsonReader(json, "n.json"));
  const std::string said = test::input_error_of([&] { warp_states(t, instantiate(t)); });
  EXPECT_NE(said.find("declares no warp states"), std::string::npos) << said;
}

TEST(WarpStates, FaultsAreNamedWithTheirPlace) {
  const auto said = [](const std::string& states) {
    return test::input_error_of([&] { template_with(states); });
  };
  const auto expect = [&](const std::string& states, const std::string& part) {
    const std::string text = said(states);
    EXPECT_NE(text.find("/observables/warp_states"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(R"({"states": []})", "at least one state");
  expect(R"({"states": [{"name": "a", "places": []}]})", "at least one place");
  expect(R"({"states": [{"name": "a", "places": ["w"]}]})", "undefined place");
  expect(R"({"states": [{"name": "a", "places": ["pool"]}]})", "one scope");
  expect(R"({"states": [{"name": "a", "places": ["x", "b"]}]})", "one scope");
  expect(R"({"states": [{"name": "a", "places": ["x"]}], "alive": "b"})", "one scope");
  expect(R"({"states": [{"name": "idle", "places": ["x"]}]})", "twice");
  expect(R"({"states": [{"name": "a", "places": ["x"]}, {"name": "a", "places": ["y"]}]})",
         "twice");
  expect(R"({"states": [{"name": "a", "places": ["x"]}], "hold": []})", "holds_scheduler");
}

}  // namespace
}  // namespace pnsim
