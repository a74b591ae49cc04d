// The "reasons" of a net template: faults that the reader refuses, and which places refer to which
// units.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/model/template/unit_states_of.h"
#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

using test::expect_faults;
using test::template_of;

const char* const kSmallNet = R"({
  "kind": "net-template", "version": 1, "name": "small",
  "parameters": [{"name": "W", "default": 4}, {"name": "waits", "default": 0, "scope": "stage"}],
  "scopes": [{"name": "kind", "count": 1}, {"name": "slot", "count": 2}, {"name": "warp", "count": "W"},
             {"name": "stage", "in": "warp", "count": 3}],
  "places": [{"name": "free", "scope": "slot", "tokens": 1}, {"name": "all"},
             {"name": "at", "scope": "stage"}, {"name": "left", "scope": "kind"}, {"name": "due", "scope": "warp"}],
  "transitions": [{"name": "t", "takes": ["all"]}],
  "reasons": {
    "schedulers": {"scope": "slot", "rest": "empty", "shared_out": "stalled", "states": [
      {"name": "issued", "takes": ["free"]},
      {"name": "stalled", "places": ["at"], "unit": "warp % 2"},
      {"name": "launch", "places": ["all", "left"]}]},
    "warps": {"scope": "warp", "states": [
      {"name": "loads", "places": ["at"], "when": "waits == 2", "while": ["due"], "detail": "latency"},
      {"name": "ready", "places": ["at"], "stalls": false},
      {"name": "loads", "places": ["due"]}]},
    "units": [{"name": "slots", "scope": "slot", "takes": ["free"]}, {"name": "all", "places": ["all"]}]
  }
})";

TEST(Reasons, FaultsAreToldWithTheirPlace) {
  expect_faults(
      kSmallNet,
      {
          {"/reasons/warps", "", "/reasons: the key \"warps\" is missing"},
          {"/reasons/warp", "3", "/reasons: unknown key \"warp\"; did you mean \"warps\"?"},
          {"/reasons/warps/scope", "\"wrap\"",
           "/reasons/warps/scope: undefined scope \"wrap\"; did you mean \"warp\"?"},
          {"/reasons/schedulers/shared_out", "\"stalls\"",
           "/reasons/schedulers/shared_out: undefined state \"stalls\"; did you mean \"stalled\"?"},
          {"/reasons/warps/states/0/places/0", "\"att\"",
           "/reasons/warps/states/0/places/0: undefined place \"att\"; did you mean \"at\"?"},
          {"/reasons/warps/states/0/detail", "\"latencies\"",
           "/reasons/warps/states/0/detail: unknown detail \"latencies\"; did you mean "
           "\"latency\"?"},
          {"/reasons/warps/states/2/places", "",
           "/reasons/warps/states/2: expected places or takes"},
      },
      read_net_template);
}

// [unit] the places that may mark one of its rows.
std::vector<std::vector<std::string>> marks_of(const Net& net, const UnitStates& units,
                                               std::uint32_t row) {
  std::vector<std::vector<std::string>> out(units.units);
  for (const UnitStates::Mark& mark : units.marks) {
    if (mark.row == row && !mark.is_while) out[mark.unit].push_back(net.name_of(mark.place));
  }
  return out;
}

using Names = std::vector<std::string>;

TEST(Reasons, PlacesSpeakOfTheirUnits) {
  const NetTemplate t = template_of(kSmallNet);
  const ParameterValues values{{"W", {2}}, {"waits", {0, 1, 2, 2, 0, 0}}};
  const Net net = instantiate(t, values);
  const std::vector<UnitStates> units = unit_states_of(t, values);
  ASSERT_EQ(units.size(), 4u);
  EXPECT_EQ(units[0].states, (Names{"issued", "stalled", "launch", "empty"}));
  EXPECT_EQ(units[1].states, (Names{"loads", "ready", ""})) << "rows of one name are one state";
  EXPECT_EQ(marks_of(net, units[0], 1),
            (std::vector<Names>{{"at.0.0", "at.0.1", "at.0.2"}, {"at.1.0", "at.1.1", "at.1.2"}}))
      << "warp % 2";
  EXPECT_EQ(marks_of(net, units[0], 2), (std::vector<Names>{{"all", "left.0"}, {"all", "left.0"}}))
      << "of all units";
  EXPECT_EQ(marks_of(net, units[1], 0), (std::vector<Names>{{"at.0.2"}, {"at.1.0"}}))
      << "waits == 2";
  EXPECT_TRUE(units[1].rows[0].has_while);
  EXPECT_EQ(units[2].takes.size(), 2u);
  EXPECT_EQ(units[3].units, 1u);
}

TEST(Reasons, AUnitThatIsNoneIsRefused) {
  std::string text = kSmallNet;
  text.replace(text.find("warp % 2"), 8, "warp + 7");
  EXPECT_THROW(unit_states_of(template_of(text), {}), Error);
}

}  // namespace
}  // namespace pnsim
