// Instantiation of templates: instances, indices, parameters, bounds.
#include "simulator/model/template/instantiate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/base/data_files.h"
#include "tests/model/launch/model_json.h"

namespace pnsim {
namespace {

using test::input_error_of;
using test::net_of;
using Names = std::vector<std::string>;

// A template file on one line with these sections.
std::string with(const std::string& sections) {
  return R"({"kind": "net-template", "version": 1, "name": "n", )" + sections + "}";
}

Names place_names(const Net& net) {
  Names names;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) names.push_back(net.name_of(PlaceId{p}));
  return names;
}

Names transition_names(const Net& net) {
  Names names;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    names.push_back(net.name_of(TransitionId{t}));
  }
  return names;
}

std::string text(const Net& net, std::span<const Arc> arcs) {
  std::string out;
  for (const Arc& arc : arcs) {
    out += (out.empty() ? "" : " ") + std::to_string(arc.weight) + "*" + net.name_of(arc.place);
  }
  return out;
}

std::string takes(const Net& net, const std::string& transition) {
  return text(net, net.inputs(net.find_transition(transition).value()));
}

std::string gives(const Net& net, const std::string& transition) {
  return text(net, net.outputs(net.find_transition(transition).value()));
}

Names inhibitors(const Net& net, const std::string& transition) {
  Names out;
  for (const PlaceId p : net.inhibitors(net.find_transition(transition).value())) {
    out.push_back(net.name_of(p));
  }
  return out;
}

Tokens tokens(const Net& net, const std::string& place) {
  return net.initial_marking()[net.find_place(place).value().value];
}

// Blocks of two warps; each warp is a pipeline of L stages.
const std::string kBlocks = with(R"(
  "parameters": [{"name": "B", "default": 2}, {"name": "W", "default": 2},
                 {"name": "L", "default": 3},
                 {"name": "x", "default": 1, "scope": "warp"}],
  "scopes": [{"name": "block", "count": "B"}, {"name": "warp", "in": "block", "count": "W"},
             {"name": "stage", "in": "warp", "count": "L"}],
  "places": [{"name": "port", "tokens": 1},
             {"name": "slot", "scope": "block", "tokens": "10 + block"},
             {"name": "ready", "scope": "warp", "tokens": "x"},
             {"name": "q", "scope": "stage", "tokens": "100 * block + 10 * warp + stage"}],
  "transitions": [
    {"name": "enter", "scope": "warp", "takes": ["port", "slot", "ready"], "gives": {"q[0]": "x"}},
    {"name": "move", "scope": "stage", "takes": ["q"],
     "gives": {"q[stage + 1]": "stage < L - 1", "slot": "stage == L - 1"}},
    {"name": "leave", "scope": "block", "takes": ["slot"], "inhibited_by": ["ready"]},
    {"name": "wait", "takes": ["port"], "gives": ["port"], "inhibited_by": ["q"]}],
  "until": ["ready=0", "port=0"])");

TEST(Instantiate, InstancesOfOneRowAreConsecutiveInTheOrderOfTheTemplate) {
  const Net net = net_of(kBlocks);
  EXPECT_EQ(place_names(net),
            (Names{"port", "slot.0", "slot.1", "ready.0.0", "ready.0.1", "ready.1.0", "ready.1.1",
                   "q.0.0.0", "q.0.0.1", "q.0.0.2", "q.0.1.0", "q.0.1.1", "q.0.1.2", "q.1.0.0",
                   "q.1.0.1", "q.1.0.2", "q.1.1.0", "q.1.1.1", "q.1.1.2"}));
  const Names transitions = transition_names(net);
  EXPECT_EQ(transitions.size(), 4u + 12u + 2u + 1u);
  EXPECT_EQ(transitions[0], "enter.0.0");
  EXPECT_EQ(transitions[4], "move.0.0.0");
  EXPECT_EQ(transitions[18], "wait");
}

TEST(Instantiate, OtherTokensAreThoseOfTheMarkingAlone) {
  const NetTemplate sm = load_net_template(data_root() + "/models/nets/sm.json");
  const Names blocks{"B", "blocks"}, sizes{"B", "Wb"};
  EXPECT_TRUE(only_tokens_use(sm, blocks));
  EXPECT_FALSE(only_tokens_use(sm, sizes));
  const ParameterValues few{{"R", {2}}, {"Wb", {3}}, {"B", {5}}, {"blocks", {0, 5}}};
  const ParameterValues more{{"R", {2}}, {"Wb", {3}}, {"B", {9}}, {"blocks", {0, 9}}};
  const Net expected = instantiate(sm, more);
  EXPECT_NE(instantiate(sm, few).initial_marking(), expected.initial_marking());
  EXPECT_EQ(initial_marking(sm, more), expected.initial_marking());
  EXPECT_EQ(place_names(instantiate(sm, few)), place_names(expected));
}

TEST(Instantiate, ExpressionsSeeTheIndicesAroundThem) {
  const Net net = net_of(kBlocks);
  EXPECT_EQ(tokens(net, "slot.1"), 11);
  EXPECT_EQ(tokens(net, "q.1.0.2"), 102);
  EXPECT_EQ(tokens(net, "q.0.1.1"), 11);
}

TEST(Instantiate, OuterPlacesAreThoseAroundTheInstance) {
  const Net net = net_of(kBlocks);
  EXPECT_EQ(takes(net, "enter.1.0"), "1*port 1*slot.1 1*ready.1.0");
  EXPECT_EQ(gives(net, "enter.1.0"), "1*q.1.0.0");
  EXPECT_EQ(gives(net, "move.1.0.2"), "1*slot.1");
}

TEST(Instantiate, AnIndexReachesSiblingsAndArcsOfWeightZeroAreDropped) {
  const Net net = net_of(kBlocks);
  EXPECT_EQ(gives(net, "move.0.1.0"), "1*q.0.1.1");
  EXPECT_EQ(gives(net, "move.0.1.1"), "1*q.0.1.2");
  EXPECT_EQ(gives(net, "move.0.1.2"), "1*slot.0");  // no arc to q.0.1.3, which does not exist
}

TEST(Instantiate, InhibitorsRangeOverAllInstancesInsideTheScope) {
  const Net net = net_of(kBlocks);
  EXPECT_EQ(inhibitors(net, "leave.0"), (Names{"ready.0.0", "ready.0.1"}));
  EXPECT_EQ(inhibitors(net, "leave.1"), (Names{"ready.1.0", "ready.1.1"}));
  EXPECT_EQ(inhibitors(net, "wait").size(), 12u);
}

TEST(Instantiate, InhibitorsReachOuterAndIndexedPlacesToo) {
  const Net net = net_of(with(R"(
    "scopes": [{"name": "warp", "count": 2}],
    "places": [{"name": "gate"}, {"name": "w", "scope": "warp"}],
    "transitions": [{"name": "outer", "scope": "warp", "inhibited_by": ["gate"]},
                    {"name": "other", "scope": "warp", "inhibited_by": ["w[1 - warp]"]},
                    {"name": "own", "scope": "warp", "inhibited_by": ["w"]}])"));
  EXPECT_EQ(inhibitors(net, "outer.1"), Names{"gate"});
  EXPECT_EQ(inhibitors(net, "other.0"), Names{"w.1"});
  EXPECT_EQ(inhibitors(net, "other.1"), Names{"w.0"});
  EXPECT_EQ(inhibitors(net, "own.1"), Names{"w.1"});
}

TEST(Instantiate, TheGoalIsEveryInstanceInTheOrderOfThePlaces) {
  const Net net = net_of(kBlocks);
  Names goal;
  for (const PlaceId p : net.goal()) goal.push_back(net.name_of(p));
  EXPECT_EQ(goal, (Names{"port", "ready.0.0", "ready.0.1", "ready.1.0", "ready.1.1"}));
}

TEST(Instantiate, ObservablesAreInstancesToo) {
  const Net net = net_of(with(R"(
    "scopes": [{"name": "warp", "count": 3}],
    "places": [{"name": "first"}, {"name": "pool"}],
    "transitions": [{"name": "t"}, {"name": "w", "scope": "warp"}],
    "observables": {"waiting_steps": {"firings": ["w"]},
                    "idle_scheduler_steps": {"pool": "pool"}})"));
  EXPECT_EQ(net.observables().waiting, (std::vector<TransitionId>{{1}, {2}, {3}}));
  EXPECT_EQ(net.observables().scheduler_pool, PlaceId{1});
}

TEST(Instantiate, ListsGiveEachInstanceItsValue) {
  const Net net = net_of(kBlocks, {{"x", {5, 6, 7, 8}}});
  EXPECT_EQ(tokens(net, "ready.0.1"), 6);
  EXPECT_EQ(tokens(net, "ready.1.0"), 7);
  EXPECT_EQ(gives(net, "enter.1.1"), "8*q.1.1.0");
}

TEST(Instantiate, ParametersChangeCountsMarkingsAndWeights) {
  const Net net = net_of(kBlocks, {{"B", {1}}, {"W", {3}}, {"L", {1}}, {"x", {4}}});
  EXPECT_EQ(net.place_count(), 1u + 1u + 3u + 3u);
  EXPECT_EQ(tokens(net, "ready.0.2"), 4);
  EXPECT_EQ(gives(net, "move.0.2.0"), "1*slot.0");
}

TEST(Instantiate, ParallelArcsAddUp) {
  const Net net = net_of(with(R"(
    "places": [{"name": "p"}],
    "transitions": [{"name": "t", "takes": ["p", "p"], "gives": {"p": 3}}])"));
  EXPECT_EQ(takes(net, "t"), "2*p");
  EXPECT_EQ(gives(net, "t"), "3*p");
}

TEST(Instantiate, AScopeMayHaveNoInstances) {
  const Net net = net_of(kBlocks, {{"B", {0}}});
  EXPECT_EQ(place_names(net), Names{"port"});
  EXPECT_EQ(transition_names(net), Names{"wait"});
}

TEST(Parameters, UnknownOnesAreAUsageErrorWithTheNearestName) {
  const NetTemplate t = test::template_of(kBlocks);
  EXPECT_EQ(test::error_of(ExitCode::kUsage,
                           [&] {
                             resolve_parameters(t, {{"LL", {1}}});
                           }),
            "net n has no parameter \"LL\"; did you mean \"L\"?");
}

TEST(Parameters, AreTheDefaultsUnderTheOverrides) {
  const NetTemplate t = test::template_of(kBlocks);
  const ParameterValues expected = {{"B", {2}}, {"L", {9}}, {"W", {2}}, {"x", {1, 2}}};
  EXPECT_EQ(resolve_parameters(t, {{"L", {9}}, {"x", {1, 2}}}), expected);
}

TEST(InstantiateFaults, BadParameterValuesAreRefused) {
  const auto fault = [](const ParameterValues& overrides) {
    return input_error_of([&] { net_of(kBlocks, overrides); });
  };
  EXPECT_EQ(fault({{"L", {-1}}}), "n: parameter L: found -1, expected 0 to 4611686018427387904");
  EXPECT_EQ(fault({{"x", {1, 2, 3, -4}}}),
            "n: parameter x: found -4, expected 0 to 4611686018427387904");
  EXPECT_EQ(fault({{"L", {1, 2}}}), "n: parameter L: found a list of 2 values, expected one");
  EXPECT_EQ(fault({{"x", {}}}), "n: parameter x: found a list of 0 values, expected one");
  EXPECT_EQ(fault({{"x", {1, 2, 3}}}),
            "n: parameter x: found a list of 3 values, expected one value or 4");
}

TEST(InstantiateFaults, BadValuesOfExpressionsAreRefused) {
  const auto fault = [](const std::string& tokens, const std::string& arcs) {
    return input_error_of([&] {
      net_of(with(R"("parameters": [{"name": "a", "default": 3}],
        "scopes": [{"name": "i", "count": 2}],
        "places": [{"name": "p", "tokens": ")" +
                  tokens + R"("}, {"name": "q", "scope": "i"}],
        "transitions": [{"name": "t", )" +
                  arcs + "}]"));
    });
  };
  EXPECT_EQ(fault("a - 4", R"("takes": [])"),
            "t.json: /places/0: the tokens evaluate to -1, expected 0 to 2^62");
  EXPECT_EQ(fault("a * 4611686018427387904", R"("takes": [])"),
            "t.json: /places/0: \"a * 4611686018427387904\" overflows 64 bits or divides by zero");
  EXPECT_EQ(fault("1 + 4611686018427387904", R"("takes": [])"),
            "t.json: /places/0: the tokens evaluate to 4611686018427387905, expected 0 to 2^62");
  EXPECT_EQ(fault("a / (a - 3)", R"("takes": [])"),
            "t.json: /places/0: \"a / (a - 3)\" overflows 64 bits or divides by zero");
  EXPECT_EQ(fault("a", R"("takes": {"p": "2 - a"})"),
            "t.json: /transitions/0/takes/p: the weight 2 - a evaluates to -1, expected 0 to 2^62");
  EXPECT_EQ(fault("a", R"("gives": {"q[a]": 1})"),
            "t.json: /transitions/0/gives/q[a]: the index [a] evaluates to 3, expected 0 to 1");
  EXPECT_EQ(
      fault("a", R"("gives": {"q[2 - a]": 1})"),
      "t.json: /transitions/0/gives/q[2 - a]: the index [2 - a] evaluates to -1, expected 0 to 1");
  EXPECT_EQ(fault("a", R"("inhibited_by": ["q[2]"])"),
            "t.json: /transitions/0/inhibited_by/0: the index [2] evaluates to 2, expected 0 to 1");
}

TEST(InstantiateFaults, AnIndexIntoNothing) {
  for (const char* arcs :
       {R"("takes": {"q[0]": 1})", R"("gives": {"q[0]": 1})", R"("inhibited_by": ["q[0]"])"}) {
    const std::string said = input_error_of([&] {
      net_of(with(
          R"("parameters": [{"name": "a", "default": 0}], "scopes": [{"name": "i", "count": "a"}],
        "places": [{"name": "p"}, {"name": "q", "scope": "i"}], "transitions": [{"name": "t", )" +
          std::string(arcs) + "}]"));
    });
    EXPECT_NE(said.find("the index [0] evaluates to 0, and the scope \"i\" has no instances"),
              std::string::npos)
        << said;
  }
}

TEST(InstantiateFaults, ParallelArcsOver2To62) {
  const std::string said = input_error_of([] {
    net_of(with(R"("scopes": [{"name": "i", "count": 1}],
      "places": [{"name": "q", "scope": "i"}],
      "transitions": [{"name": "t", "takes": {"q[0]": 4611686018427387904, "q[0 ]": 1}}])"));
  });
  EXPECT_EQ(said, "t.json: transition \"t\": parallel arcs add up to over 2^62");
}

// Counts that would not fit in memory must be refused before any memory is allocated.
TEST(InstantiateFaults, OverTheBounds) {
  const auto fault = [](const std::string& scope, std::int64_t count) {
    return input_error_of([&] {
      net_of(with(R"("parameters": [{"name": "W", "default": )" + std::to_string(count) + R"(}],
        "scopes": [{"name": ")" +
                  scope + R"(", "count": "W"}, {"name": "in", "in": ")" + scope +
                  R"(", "count": "W * 2"}],
        "places": [{"name": "p", "scope": ")" +
                  scope + R"("}],
        "transitions": [{"name": "t", "scope": ")" +
                  scope + R"("}])"));
    });
  };
  EXPECT_EQ(
      fault("warp", 1'000'000'000),
      "n: scope warp: found 1000000000 instances in each of 1, expected at most 65536 in all");
  EXPECT_EQ(fault("warp", 65'537),
            "n: scope warp: found 65537 instances in each of 1, expected at most 65536 in all");
  EXPECT_EQ(fault("stage", 1'000'000'000),
            "n: scope stage: found 1000000000 instances in each of 1, expected at most 16000000 in "
            "all");
  EXPECT_EQ(
      fault("stage", 60'000),
      "n: scope in: found 120000 instances in each of 60000, expected at most 16000000 in all");
  EXPECT_EQ(fault("stage", std::int64_t{1} << 62),
            "n: scope stage: found 4611686018427387904 instances in each of 1, expected at most "
            "16000000 in all");
}

TEST(InstantiateFaults, MoreThanSixteenMillionNodes) {
  const auto expand = [](int scope_count) {
    net_of(with(R"("scopes": [{"name": "i", "count": )" + std::to_string(scope_count) + R"(}],
      "places": [{"name": "p", "scope": "i"}, {"name": "q", "scope": "i"}],
      "transitions": [{"name": "t", "scope": "i"}, {"name": "u", "scope": "i"}])"));
  };
  EXPECT_EQ(input_error_of([&] { expand(4'000'001); }),
            "n: expands to 16000004 places and transitions, expected at most 16000000");
  EXPECT_EQ(input_error_of([&] { expand(16'000'000); }),
            "n: expands to 64000000 places and transitions, expected at most 16000000");
}

// Files and templates have different bounds. A row of one instance behind large rows is counted
// like any other.
TEST(Instantiate, MoreNodesThanAFileHasMayBeExpanded) {
  const Net big = net_of(with(R"("scopes": [{"name": "i", "count": 700000}],
      "places": [{"name": "p", "scope": "i"}, {"name": "q", "scope": "i"}, {"name": "r", "scope": "i"},
                 {"name": "last", "tokens": 1}],
      "transitions": [{"name": "t", "takes": ["last"]}])"));
  EXPECT_EQ(big.place_count(), 2'100'001u);
}

TEST(InstantiateFaults, ANegativeCount) {
  EXPECT_EQ(input_error_of([] {
              net_of(with(R"("parameters": [{"name": "W", "default": 3}],
                "scopes": [{"name": "i", "count": "W - 4"}], "places": [],
                "transitions": [{"name": "t"}])"));
            }),
            "n: scope i: found -1 instances in each of 1, expected at most 16000000 in all");
}

// Expressions are evaluated for some hundred instances at once: each instance must get its own
// numbers.
TEST(Instantiate, ManyInstancesComeOutAsOneByOne) {
  const NetTemplate net = read_net_template(JsonReader(parse_json(with(R"("parameters": [
        {"name": "A", "default": 1, "min": 1, "max": 9000, "unit": "", "meaning": "", "source": ""},
        {"name": "B", "default": 1, "min": 1, "max": 9000, "unit": "", "meaning": "", "source": ""},
        {"name": "outer", "default": 1, "min": 0, "max": 9000, "unit": "", "meaning": "", "source": "", "scope": "a"},
        {"name": "inner", "default": 1, "min": 0, "max": 9000, "unit": "", "meaning": "", "source": "", "scope": "b"}],
      "scopes": [{"name": "a", "count": "A"}, {"name": "b", "in": "a", "count": "B"}],
      "places": [{"name": "p", "scope": "b", "tokens": "inner + 10000 * outer"}, {"name": "q", "scope": "a"}],
      "transitions": [{"name": "t", "scope": "b", "takes": {"p": "inner"},
                       "gives": {"q": "outer", "p[(b + 1) % B]": "a + 1"}}])"),
                                                                  "t"),
                                                       "t"));
  for (const auto& [a, b] : {std::pair{1, 2000}, {3, 700}, {700, 3}, {513, 1}, {2, 512}, {1, 1}}) {
    ParameterValues values{{"A", {a}}, {"B", {b}}};
    for (int i = 0; i < a; ++i) values["outer"].push_back((i * 7) % 5);
    for (int i = 0; i < a * b; ++i) values["inner"].push_back((i * 13) % 11);
    const Net made = instantiate(net, values);
    ASSERT_EQ(made.transition_count(), static_cast<std::size_t>(a * b));
    for (int i = 0; i < a * b; ++i) {
      const TransitionId t{static_cast<std::uint32_t>(i)};
      const Tokens inner = (i * 13) % 11, outer = (i / b * 7) % 5;
      EXPECT_EQ(made.initial_marking()[t.value], inner + 10000 * outer);
      ASSERT_EQ(made.inputs(t).size(), inner == 0 ? 0u : 1u);
      if (inner > 0) {
        EXPECT_EQ(made.inputs(t)[0], (Arc{PlaceId{t.value}, inner}));
      }
      const auto next = static_cast<std::uint32_t>(i / b * b + (i % b + 1) % b);
      EXPECT_EQ(made.outputs(t)[0], (Arc{PlaceId{next}, i / b + 1}));
      ASSERT_EQ(made.outputs(t).size(), outer == 0 ? 1u : 2u);
      if (outer > 0) {
        const PlaceId around{static_cast<std::uint32_t>(a * b + i / b)};
        EXPECT_EQ(made.outputs(t)[1], (Arc{around, outer}));
      }
    }
  }
}

// An arc with weight 0 is omitted, whatever its index would be.
TEST(Instantiate, TheIndexOfADroppedArcIsNotAskedFor) {
  const NetTemplate net = read_net_template(JsonReader(parse_json(with(R"("parameters": [
        {"name": "d", "default": 1, "min": 0, "max": 9, "unit": "", "meaning": "", "source": "", "scope": "a"}],
      "scopes": [{"name": "a", "count": "3"}],
      "places": [{"name": "p", "scope": "a"}, {"name": "q"}],
      "transitions": [{"name": "t", "scope": "a", "takes": {"q": 1, "p[4 / d - 2]": "d > 0"}}])"),
                                                                  "t"),
                                                       "t"));
  const Net made = instantiate(net, {{"d", {0, 1, 2}}});
  EXPECT_EQ(takes(made, "t.0"), "1*q");
  EXPECT_EQ(takes(made, "t.1"), "1*p.2 1*q");
  EXPECT_EQ(takes(made, "t.2"), "1*p.0 1*q");
  EXPECT_NE(input_error_of([&] {
              instantiate(net, {{"d", {0, 1, 9}}});
            }).find("evaluates to -2"),
            std::string::npos);
}

}  // namespace
}  // namespace pnsim
