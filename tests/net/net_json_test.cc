#include "simulator/net/net_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/net/net_builder.h"
#include "tests/net/net_testing.h"

namespace pnsim {
namespace {

using namespace nlohmann::literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Net read(const std::string& text) {
  const InputJson json = parse_json(text, "net.json");
  return read_net_json(JsonReader(json, "net.json"));
}

std::string error_in(const std::string& text) {
  return error_of([&] { read(text); });
}

// Every feature of the format.
const char* const kFull = R"({
  "$schema": "https://example.org/net.schema.json",
  "kind": "net",
  "name": "full",
  "places": [
    {"name": "p0", "tokens": 4},
    {"name": "p1.0", "tokens": 1},
    {"name": "p1.1"}
  ],
  "transitions": [
    {"name": "t0", "takes": {"p0": 1}, "gives": {"p0": 1}, "inhibited_by": ["p1.1", "p1.0"]},
    {"name": "t1", "takes": {"p1.0": 2, "p0": 3}, "gives": {"p1.1": 5}},
    {"name": "t2"}
  ],
  "until": ["p1=0"],
  "observables": {
    "waiting_steps": {"firings": ["t0"]},
    "idle_scheduler_steps": {"pool": "p0"}
  }
})";

TEST(NetJson, ReadsEveryPart) {
  const Net net = read(kFull);
  const PlaceId p0{0}, p1_0{1}, p1_1{2};
  EXPECT_EQ(net.name(), "full");
  EXPECT_THAT(place_names(net), ElementsAre("p0", "p1.0", "p1.1"));
  EXPECT_THAT(transition_names(net), ElementsAre("t0", "t1", "t2"));
  EXPECT_EQ(net.initial_marking(), (Marking{4, 1, 0}));
  EXPECT_THAT(net.inputs(TransitionId{1}), ElementsAre(Arc{p0, 3}, Arc{p1_0, 2}));
  EXPECT_THAT(net.outputs(TransitionId{1}), ElementsAre(Arc{p1_1, 5}));
  EXPECT_THAT(net.inhibitors(TransitionId{0}), ElementsAre(p1_0, p1_1));
  EXPECT_THAT(net.inputs(TransitionId{2}), IsEmpty());
  EXPECT_THAT(net.goal(), ElementsAre(p1_0, p1_1));
  EXPECT_THAT(net.observables().waiting, ElementsAre(TransitionId{0}));
  EXPECT_EQ(net.observables().scheduler_pool, p0);
}

TEST(NetJson, AnInhibitorAndAnInputMayShareAPlace) {
  const Net net = read(R"({"kind": "net", "name": "n", "places": [{"name": "p"}],
      "transitions": [{"name": "t", "takes": {"p": 1}, "inhibited_by": ["p"]}]})");
  EXPECT_THAT(net.inputs(TransitionId{0}), ElementsAre(Arc{PlaceId{0}, 1}));
  EXPECT_THAT(net.inhibitors(TransitionId{0}), ElementsAre(PlaceId{0}));
}

TEST(NetJson, WritesANetThatIsReadBackTheSame) {
  const Net net = read(kFull);
  expect_same_net(read(write_net_json(net)), net);
}

TEST(NetJson, WritesTheSameBytesAgain) {
  const std::string once = write_net_json(read(kFull));
  EXPECT_EQ(write_net_json(read(once)), once);
}

TEST(NetJson, WritesOneNodeALineAndNothingEmpty) {
  EXPECT_EQ(write_net_json(read(R"({"kind": "net", "name": "n", "until": [], "observables": {},
      "places": [{"name": "p", "tokens": 0}, {"name": "q", "tokens": 2}],
      "transitions": [{"name": "t", "takes": {"q": 1}, "gives": {}, "inhibited_by": []}]})")),
            "{\n"
            "  \"kind\": \"net\",\n"
            "  \"name\": \"n\",\n"
            "  \"places\": [\n"
            "    {\"name\":\"p\"},\n"
            "    {\"name\":\"q\",\"tokens\":2}\n"
            "  ],\n"
            "  \"transitions\": [\n"
            "    {\"name\":\"t\",\"takes\":{\"q\":1}}\n"
            "  ]\n"
            "}\n");
}

TEST(NetJson, KeepsNamesThatNeedEscapes) {
  NetBuilder builder("a \"net\" \\ <&>");
  const TransitionId t = builder.add_transition("t/\xC3\xA9~");
  builder.add_input(t, builder.add_place("p \"1\"=0"), 7);
  builder.set_goal({PlaceId{0}});
  const Net net = builder.build();
  expect_same_net(read(write_net_json(net)), net);
}

TEST(NetJson, KeepsGoalsOfPlacesWhoseNamesLookLikeConditions) {
  NetBuilder builder("n");
  const TransitionId t = builder.add_transition("t");
  for (const char* name : {"x<", "x=", " y ", "z>=1", "x"}) {
    builder.add_input(t, builder.add_place(name), 1);
  }
  builder.set_goal({PlaceId{0}, PlaceId{1}, PlaceId{2}}, {{PlaceId{3}, 2, 5}, {PlaceId{4}, 7, 7}});
  const Net net = builder.build();
  expect_same_net(read(write_net_json(net)), net);
}

TEST(NetJson, WritesANetWithoutPlaces) {
  NetBuilder builder("n");
  builder.add_transition("t");
  const Net net = builder.build();
  EXPECT_THAT(write_net_json(net), HasSubstr("\"places\": [],"));
  expect_same_net(read(write_net_json(net)), net);
}

TEST(NetJson, ReadsTheExampleOfItsPage) {
  const std::string page = read_file(PNSIM_TEST_DATA "/../../docs/net_format.md");
  const std::size_t start = page.find("```json\n") + 8;
  const Net net = read(page.substr(start, page.find("```", start) - start));
  EXPECT_EQ(net.name(), "two workers");
  EXPECT_THAT(net.goal(), ElementsAre(PlaceId{1}, PlaceId{2}));
}

std::vector<std::string> keys_of(const InputJson& object) {
  std::vector<std::string> keys;
  for (const auto& [key, unused] : object.items()) {
    if (!key.starts_with('$')) keys.push_back(key);
  }
  return keys;
}

TEST(NetJson, TheSchemaKnowsTheSameKeysAsTheReader) {
  const InputJson full = parse_json(kFull, "net.json");
  const InputJson schema = load_json(PNSIM_TEST_DATA "/../../models/schema/net.schema.json");
  const InputJson& keys = schema.at("properties");
  EXPECT_EQ(keys_of(keys), keys_of(full));
  EXPECT_EQ(keys_of(keys["/observables/properties"_json_pointer]), keys_of(full["observables"]));
  EXPECT_EQ(keys_of(keys["/places/items/properties"_json_pointer]), keys_of(full["places"][0]));
  EXPECT_EQ(keys_of(keys["/transitions/items/properties"_json_pointer]),
            keys_of(full["transitions"][0]));
}

struct JsonCase {
  const char* name;
  std::string from, to;  // replacement in kFull
  std::string message;
};

class NetJsonRefusal : public testing::TestWithParam<JsonCase> {};

TEST_P(NetJsonRefusal, IsError3WithItsPointer) {
  std::string text = kFull;
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().from.size(), GetParam().to);
  EXPECT_THAT(error_in(text), StartsWith("3: net.json: " + GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, NetJsonRefusal,
    testing::Values(
        JsonCase{"OtherKind", R"("kind": "net")", R"("kind": "template")",
                 "/kind: found \"template\", expected \"net\""},
        JsonCase{"NoKind", R"("kind": "net",)", "", "(top level): the key \"kind\" is missing"},
        JsonCase{"NoName", R"("name": "full",)", "", "(top level): the key \"name\" is missing"},
        JsonCase{"EmptyName", R"("name": "full")", R"("name": "")", "/name: found an empty name"},
        JsonCase{"UnknownKey", R"("places")", R"("place")",
                 "(top level): unknown key \"place\"; did you mean \"places\"?"},
        JsonCase{"UnknownKeyOfAPlace", R"("tokens": 4)", R"("token": 4)",
                 "/places/0: unknown key \"token\"; did you mean \"tokens\"?"},
        JsonCase{"UnknownKeyOfATransition", R"("takes": {"p0": 1})", R"("take": {"p0": 1})",
                 "/transitions/0: unknown key \"take\"; did you mean \"takes\"?"},
        JsonCase{"PlacesThatAreNoList", R"({"name": "t2"})", "7",
                 "/transitions/2: found 7, expected an object"},
        JsonCase{"NegativeTokens", R"("tokens": 4)", R"("tokens": -4)",
                 "/places/0/tokens: found -4, expected an integer from 0 to 4611686018427387904"},
        JsonCase{"FractionalTokens", R"("tokens": 4)", R"("tokens": 4.5)",
                 "/places/0/tokens: found 4.5, expected an integer"},
        JsonCase{"TokensOf2To63", R"("tokens": 4)", R"("tokens": 9223372036854775808)",
                 "/places/0/tokens: found 9223372036854775808, expected an integer"},
        JsonCase{"TokensOverTheBound", R"("tokens": 4)", R"("tokens": 4611686018427387905)",
                 "/places/0/tokens: found 4611686018427387905, expected an integer"},
        JsonCase{"TokensAsText", R"("tokens": 4)", R"("tokens": "4")",
                 "/places/0/tokens: found \"4\", expected an integer"},
        JsonCase{"DoubledPlace", R"("name": "p1.1")", R"("name": "p1.0")",
                 "/places/2: the name \"p1.0\" appears twice"},
        JsonCase{"DoubledTransition", R"("name": "t2")", R"("name": "t1")",
                 "/transitions/2: the name \"t1\" appears twice"},
        JsonCase{"TransitionNamedAsAPlace", R"("name": "t2")", R"("name": "p0")",
                 "/transitions/2: the name \"p0\" appears twice"},
        JsonCase{"ControlCharacterInName", R"("name": "t2")", R"("name": "t\n2")",
                 "/transitions/2/name: found a control character in a name"},
        JsonCase{"NulInName", R"("name": "t2")", R"("name": "t\u00002")",
                 "/transitions/2/name: found a control character in a name"},
        JsonCase{"UndefinedInput", R"("p1.0": 2)", R"("p2.0": 2)",
                 "/transitions/1/takes/p2.0: no place \"p2.0\"; did you mean \"p1.0\"?"},
        JsonCase{"UndefinedOutput", R"({"p1.1": 5})", R"({"somewhere": 5})",
                 "/transitions/1/gives/somewhere: no place \"somewhere\"; known: p0, p1.0, p1.1"},
        JsonCase{"UndefinedInhibitor", R"(["p1.1", "p1.0"])", R"(["p1.1", "q"])",
                 "/transitions/0/inhibited_by/1: no place \"q\""},
        JsonCase{"TransitionForAPlace", R"({"p1.1": 5})", R"({"t1": 5})",
                 "/transitions/1/gives/t1: no place \"t1\""},
        JsonCase{"DoubledInhibitor", R"(["p1.1", "p1.0"])", R"(["p1.1", "p1.1"])",
                 "/transitions/0/inhibited_by/1: the place appears twice"},
        JsonCase{"WeightedInhibitor", R"(["p1.1", "p1.0"])", R"({"p1.1": 2})",
                 "/transitions/0/inhibited_by: found an object, expected an array"},
        JsonCase{"Weight0", R"("p1.0": 2)", R"("p1.0": 0)",
                 "/transitions/1/takes/p1.0: found 0, expected an integer from 1"},
        JsonCase{"FractionalWeight", R"({"p1.1": 5})", R"({"p1.1": 0.5})",
                 "/transitions/1/gives/p1.1: found 0.5, expected an integer from 1"},
        JsonCase{"ListForWeights", R"({"p1.1": 5})", R"(["p1.1"])",
                 "/transitions/1/gives: found an array, expected an object"},
        JsonCase{"UntilOfAnUnknownPlace", R"("p1=0")", R"("p7=0")",
                 "/until/0: no place \"p7\" in net full; did you mean \"p0\"?"},
        JsonCase{"UntilOfAnotherForm", R"("p1=0")", R"("p1!2")",
                 "/until/0: goal \"p1!2\": expected PLACE=0"},
        JsonCase{
            "UnknownWaiting", R"(["t0"])", R"(["t9"])",
            "/observables/waiting_steps/firings/0: no transition \"t9\"; did you mean \"t0\"?"},
        JsonCase{"NoWaiting", R"(["t0"])", R"([])",
                 "/observables/waiting_steps/firings: found no transition"},
        JsonCase{"UnknownPool", R"("pool": "p0")", R"("pool": "p9")",
                 "/observables/idle_scheduler_steps/pool: no place \"p9\""},
        JsonCase{"UnknownObservable", R"("idle_scheduler_steps")", R"("idle_steps")",
                 "/observables: unknown key \"idle_steps\""}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(NetJsonRefusals, ANetWithoutTransitions) {
  EXPECT_EQ(error_in(R"({"kind": "net", "name": "n", "places": [], "transitions": []})"),
            "3: net.json: the net has no transitions");
}

}  // namespace
}  // namespace pnsim
