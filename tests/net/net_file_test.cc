// File formats by extension, and conversion between the formats.
#include "simulator/net/net_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "simulator/base/json.h"
#include "simulator/base/output_file.h"
#include "simulator/net/dot_writer.h"
#include "simulator/net/net_builder.h"
#include "simulator/net/net_json.h"
#include "simulator/net/pnml_reader.h"
#include "simulator/net/pnml_writer.h"
#include "tests/net/net_testing.h"
#include "tests/support/golden.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kPnmlFolder = PNSIM_TEST_DATA "/pnml/";

// Weights, an inhibitor, a self-loop, a goal, observables, names that need escapes, and names that
// look like the writer's own ids.
Net everything() {
  NetBuilder builder("a \"net\" <&>");
  const PlaceId pool = builder.add_place("pool", 2);
  const PlaceId todo = builder.add_place("todo.0", 5);
  const PlaceId odd = builder.add_place("arc1 \\ \"odd\" <&>");
  const TransitionId wait = builder.add_transition("wait");
  const TransitionId work = builder.add_transition("net");
  builder.add_input(wait, pool);
  builder.add_output(wait, pool);
  builder.add_inhibitor(wait, todo);
  builder.add_input(work, pool, 2);
  builder.add_input(work, todo);
  builder.add_output(work, odd, 3);
  builder.set_goal({todo});
  builder.set_observables({{wait}, pool});
  return builder.build();
}

class NetFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "pnsim_net_file_" + std::to_string(::getpid()) + "_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

 private:
  std::string folder_;
};

TEST(PnmlWriter, WritesTheKeptFile) { expect_golden("everything.pnml", write_pnml(everything())); }

TEST(DotWriter, WritesTheKeptFile) { expect_golden("everything.dot", write_dot(everything())); }

TEST(PnmlWriter, WritesANetThatIsReadBackTheSame) {
  const PnmlNet again = read_pnml(write_pnml(everything()), "again.pnml");
  expect_same_net(again.net, everything());
  EXPECT_TRUE(again.display_names.empty());
}

TEST(PnmlWriter, WritesInhibitorsInTwoDialectsAtOnce) {
  EXPECT_THAT(write_pnml(everything()),
              HasSubstr("source=\"todo.0\" target=\"wait\" type=\"inhibitor\">"
                        "<type value=\"inhibitor\"/></arc>"));
}

TEST(PnmlWriter, WritesNoOwnDataForANetWithoutGoalAndObservables) {
  NetBuilder builder("n");
  builder.add_transition("t");
  EXPECT_THAT(write_pnml(builder.build()), testing::Not(HasSubstr("toolspecific")));
}

// ISO 15909-2: an id is unique in its document.
TEST(PnmlWriter, MakesUpNoIdThatANodeHas) {
  const std::string text = write_pnml(everything());
  std::vector<std::string> ids;
  for (std::size_t at = text.find(" id=\""); at != std::string::npos;
       at = text.find(" id=\"", at + 1)) {
    ids.push_back(text.substr(at + 5, text.find('"', at + 5) - at - 5));
  }
  EXPECT_EQ(ids.size(), 13u);  // net, page, 3 places, 2 transitions, 6 arcs
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(DotWriter, EscapesNamesAndMarksGoalPlaces) {
  const std::string dot = write_dot(everything());
  EXPECT_THAT(dot, StartsWith("digraph \"a \\\"net\\\" <&>\" {"));
  EXPECT_THAT(dot, HasSubstr("\"todo.0\" [label=\"todo.0\\n5\", peripheries=2];"));
  EXPECT_THAT(dot, HasSubstr("\"arc1 \\\\ \\\"odd\\\" <&>\" [label="));
  EXPECT_THAT(dot, HasSubstr("\"todo.0\" -> \"wait\" [arrowhead=odot];"));
}

TEST_F(NetFile, ConvertingThereAndBackGivesTheSameBytesAndTheSameNet) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kPnmlFolder)) {
    if (entry.path().extension() == ".md") continue;
    SCOPED_TRACE(entry.path());
    ++files;
    forget_inputs();  // the files of the last round are written anew
    const Net original = load_net_file(entry.path()).net;
    save_net_file(original, path("a.pnml"));
    save_net_file(load_net_file(path("a.pnml")).net, path("b.json"));
    save_net_file(load_net_file(path("b.json")).net, path("c.pnml"));
    EXPECT_EQ(read_file(path("a.pnml")), read_file(path("c.pnml")));
    expect_same_net(load_net_file(path("b.json")).net, original);
    expect_same_net(load_net_file(path("c.pnml")).net, original);
  }
  EXPECT_EQ(files, 10u);
}

TEST_F(NetFile, IsReadByItsExtension) {
  expect_same_net(load_net_file(written("a.json", write_net_json(everything()))).net, everything());
  expect_same_net(load_net_file(written("a.PNML", write_pnml(everything()))).net, everything());
  expect_same_net(load_net_file(written("a.xml", write_pnml(everything()))).net, everything());
}

TEST_F(NetFile, AnotherExtensionIsToldByItsFirstCharacter) {
  const std::string mark = "\xEF\xBB\xBF";
  expect_same_net(load_net_file(written("a.tapn", mark + write_pnml(everything()))).net,
                  everything());
  expect_same_net(load_net_file(written("net", write_net_json(everything()))).net, everything());
}

TEST_F(NetFile, TheWrongContentIsError3) {
  const std::string net = write_net_json(everything());
  EXPECT_THAT(error_of([&] { load_net_file(written("a.pnml", net)); }),
              StartsWith("3: " + path("a.pnml") + ": line 3: found malformed XML"));
  EXPECT_THAT(error_of([&] { load_net_file(written("a.json", write_pnml(everything()))); }),
              StartsWith("3: " + path("a.json") + ": parse error at line 1"));
  EXPECT_THAT(error_of([&] { load_net_file(written("b.json", R"({"kind": "device"})")); }),
              HasSubstr("b.json: /kind: found \"device\", expected \"net\""));
  EXPECT_THAT(error_of([&] { load_net_file(written("c.json", "")); }), HasSubstr("empty file"));
  EXPECT_THAT(error_of([&] { load_net_file(path("none.pnml")); }),
              StartsWith("3: " + path("none.pnml")));
}

TEST_F(NetFile, IsNotWrittenInAnUnknownFormat) {
  for (const char* name : {"a.svg", "a", "a.xml"}) {
    EXPECT_THAT(error_of([&] { save_net_file(everything(), path(name)); }),
                testing::AllOf(StartsWith("2: "), HasSubstr("expected .json, .pnml or .dot")))
        << name;
    EXPECT_FALSE(std::filesystem::exists(path(name)));
  }
}

TEST_F(NetFile, ThatCannotBeWrittenIsError74) {
  EXPECT_THAT(error_of([&] { save_net_file(everything(), path("no/folder/a.json")); }),
              StartsWith("74: "));
}

TEST_F(NetFile, GoalsNamePlacesByIdOrByUniqueName) {
  const LoadedNet pipe = load_net_file(kPnmlFolder + "gate_pipe.xml");
  const std::vector<std::string> conditions{"stop=0", "P0=0"};
  EXPECT_THAT(parse_goal(pipe, conditions).empty, ElementsAre(PlaceId{0}, PlaceId{2}));
}

TEST_F(NetFile, AnIdOrGroupWinsOverADisplayName) {
  const LoadedNet net = load_net_file(
      written("a.pnml",
              "<pnml><net><transition id='t'/><place id='p'/><place id='q.0'/><place id='q.1'/>"
              "<place id='r'><name><text>p</text></name></place>"
              "<place id='s'><name><text>q</text></name></place></net></pnml>"));
  EXPECT_THAT(parse_goal(net, std::vector<std::string>{"p=0"}).empty, ElementsAre(PlaceId{0}));
  EXPECT_THAT(parse_goal(net, std::vector<std::string>{"q=0"}).empty,
              ElementsAre(PlaceId{1}, PlaceId{2}));
}

TEST_F(NetFile, ADisplayNameOfTwoPlacesIsAmbiguous) {
  const LoadedNet net = load_net_file(
      written("a.pnml",
              "<pnml><net><transition id='t'/><place id='a'><name><text>x</text></name></place>"
              "<place id='b'><name><text>x</text></name></place></net></pnml>"));
  EXPECT_THAT(
      error_of([&] { parse_goal(net, std::vector<std::string>{"x=0"}); }),
      StartsWith("2: the name \"x\" is the display name of more than one place; use an id: \"a\", "
                 "\"b\" ..."));
}

TEST_F(NetFile, AnUnknownNameInAGoalIsAUsageError) {
  const LoadedNet net = load_net_file(kPnmlFolder + "gate_pipe.xml");
  EXPECT_THAT(error_of([&] { parse_goal(net, std::vector<std::string>{"P9=0"}); }),
              HasSubstr("2: no place \"P9\""));
  EXPECT_THAT(error_of([&] { parse_goal(net, std::vector<std::string>{"stop"}); }),
              HasSubstr("expected PLACE=0"));
}

}  // namespace
}  // namespace pnsim
