#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/json.h"
#include "simulator/net/net_builder.h"
#include "simulator/net/pnml_reader.h"
#include "simulator/net/pnml_writer.h"
#include "tests/net/net_testing.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::string kFolder = PNSIM_TEST_DATA "/pnml/";

PnmlNet read_data(const std::string& name) {
  return read_pnml(read_file(kFolder + name), kFolder + name);
}

// A net of places p (4 tokens) and q and a transition t, plus `more`.
PnmlNet read_with(const std::string& more) {
  return read_pnml(
      "<pnml><net id='n'><page id='g'>"
      "<place id='p'><initialMarking><text>4</text></initialMarking></place><place id='q'/>"
      "<transition id='t'/>" +
          more + "</page></net></pnml>",
      "test.pnml");
}

// The net of tests/data/pnml/README.md.
Net gate() {
  NetBuilder builder("gate");
  const PlaceId free = builder.add_place("free", 3);
  const PlaceId work = builder.add_place("work");
  const PlaceId stop = builder.add_place("stop");
  const TransitionId begin = builder.add_transition("begin");
  const TransitionId end = builder.add_transition("end");
  const TransitionId halt = builder.add_transition("halt");
  builder.add_input(begin, free, 2);
  builder.add_output(begin, work);
  builder.add_inhibitor(begin, stop);
  builder.add_input(end, work);
  builder.add_output(end, free, 2);
  builder.add_input(halt, work);
  builder.add_output(halt, stop);
  return builder.build();
}

class ToolDialect : public testing::TestWithParam<const char*> {};

TEST_P(ToolDialect, IsReadAsTheSameNet) {
  EXPECT_TRUE(behaviour_of(read_data(GetParam()).net) == behaviour_of(gate()));
}

INSTANTIATE_TEST_SUITE_P(Files, ToolDialect,
                         testing::Values("gate_greatspn.pnml", "gate_pipe.xml", "gate_tapaal.pnml",
                                         "gate_tapaal_timed.xml", "gate_verifypn.xml",
                                         "gate_tina.pnml", "gate_pm4py.pnml", "gate_snakes.pnml",
                                         "gate_special_arcs.pnml"),
                         [](const auto& test) {
                           const std::string file = test.param;
                           return file.substr(0, file.find('.'));
                         });

class InhibitorDialect : public testing::TestWithParam<const char*> {};

TEST_P(InhibitorDialect, IsReadAsAnInhibitorAndNothingElse) {
  const Net net = read_with(GetParam()).net;
  const TransitionId t{0};
  EXPECT_THAT(net.inhibitors(t), ElementsAre(PlaceId{1}));
  EXPECT_THAT(net.inputs(t), IsEmpty());
  EXPECT_THAT(net.outputs(t), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, InhibitorDialect,
    testing::Values(
        "<arc source='q' target='t'><arctype><text>inhibitor</text></arctype></arc>",
        "<arc source='q' target='t'><arctype>inhibitor</arctype></arc>",
        "<arc source='q' target='t'><type value='inhibitor'/></arc>",
        "<arc source='q' target='t'><type><text>inhibitor</text></type></arc>",
        "<arc source='q' target='t' type='inhibitor'/>",
        "<arc source='q' target='t' type='tapnInhibitor'/>",
        "<arc source='q' target='t' type='Inhibitor'/>",
        "<arc source='q' target='t' type='tapnInhibitor' inscription='[0, inf)' weight='1'/>",
        "<inhibitorArc source='q' target='t'/>",
        "<inhibitorArc source='q' target='t'><inscription><text>1</text></inscription>"
        "</inhibitorArc>",
        "<arc source='q' target='t' type='inhibitor'><type value='inhibitor'/></arc>",
        "<inhibitor><arc source='q' target='t'/></inhibitor>",
        "<arc source='q' target='t'><inhibitor/></arc>",
        "<arc source='q' target='t'><inscription><inhibitor><annotation><value><token/></value>"
        "</annotation></inhibitor></inscription></arc>"));

TEST(PnmlReader, ReadsNamesMarkingAndWeights) {
  const PnmlNet pnml = read_with(
      "<arc source='p' target='t'><inscription><text> 3 </text></inscription></arc>"
      "<arc source='t' target='q'/>");
  EXPECT_EQ(pnml.net.name(), "n");
  EXPECT_THAT(place_names(pnml.net), ElementsAre("p", "q"));
  EXPECT_EQ(pnml.net.initial_marking(), (Marking{4, 0}));
  EXPECT_THAT(pnml.net.inputs(TransitionId{0}), ElementsAre(Arc{PlaceId{0}, 3}));
  EXPECT_THAT(pnml.net.outputs(TransitionId{0}), ElementsAre(Arc{PlaceId{1}, 1}));
}

TEST(PnmlReader, ResolvesReferencesAcrossPagesInDocumentOrder) {
  const PnmlNet pnml = read_data("pages.pnml");
  const PlaceId p0{0}, p1{1}, p2{2};
  EXPECT_EQ(pnml.net.name(), "nested pages");
  EXPECT_THAT(place_names(pnml.net), ElementsAre("p0", "p1", "p2"));
  EXPECT_THAT(transition_names(pnml.net), ElementsAre("t0", "t1"));
  EXPECT_THAT(pnml.net.inputs(TransitionId{0}), ElementsAre(Arc{p0, 1}, Arc{p1, 2}));
  EXPECT_THAT(pnml.net.outputs(TransitionId{0}), ElementsAre(Arc{p1, 1}));
  EXPECT_THAT(pnml.net.inputs(TransitionId{1}), ElementsAre(Arc{p0, 1}));
  EXPECT_THAT(pnml.net.outputs(TransitionId{1}), ElementsAre(Arc{p2, 1}));
}

TEST(PnmlReader, ResolvesALongChainOfReferences) {
  constexpr int kLinks = 20'000;
  std::string chain = "<arc source='r0' target='t'/>";
  for (int i = 0; i < kLinks; ++i) {
    chain += "<referencePlace id='r" + std::to_string(i) + "' ref='" +
             (i + 1 == kLinks ? "q" : "r" + std::to_string(i + 1)) + "'/>";
  }
  EXPECT_THAT(read_with(chain).net.inputs(TransitionId{0}), ElementsAre(Arc{PlaceId{1}, 1}));
}

TEST(PnmlReader, ANetIsNamedByItsIdWithoutTheBlanksAroundIt) {
  const auto name_of = [](const std::string& id) {
    return read_pnml("<pnml><net id='" + id + "' type='P/T net'><place id='p'/>" +
                         "<transition id='t'/><arc source='p' target='t'/></net></pnml>",
                     "x")
        .net.name();
  };
  EXPECT_EQ(name_of(" my net "), "my net");
  EXPECT_EQ(name_of("  "), "net");
}

TEST(PnmlReader, GivesDisplayNamesThatDifferFromIds) {
  EXPECT_THAT(
      read_data("gate_pipe.xml").display_names,
      ElementsAre(Pair("free", PlaceId{0}), Pair("work", PlaceId{1}), Pair("stop", PlaceId{2})));
  EXPECT_THAT(read_data("gate_greatspn.pnml").display_names, IsEmpty());
}

TEST(PnmlReader, PutsDisplayNamesOnOneLine) {
  const PnmlNet pnml = read_with("<place id='r'><name><text> two\n lines </text></name></place>");
  EXPECT_THAT(pnml.display_names, ElementsAre(Pair("two  lines", PlaceId{2})));
}

TEST(PnmlReader, AddsUpParallelArcs) {
  const std::string arc = "<arc source='p' target='t'/>";
  EXPECT_THAT(read_with(arc + arc + arc).net.inputs(TransitionId{0}),
              ElementsAre(Arc{PlaceId{0}, 3}));
}

TEST(PnmlReader, TakesAnEmptyLabelForNoLabel) {
  const Net net = read_with(
                      "<place id='r'><initialMarking/></place>"
                      "<arc source='p' target='t'><inscription><text/></inscription></arc>")
                      .net;
  EXPECT_EQ(net.initial_marking(), (Marking{4, 0, 0}));
  EXPECT_THAT(net.inputs(TransitionId{0}), ElementsAre(Arc{PlaceId{0}, 1}));
}

TEST(PnmlReader, JoinsTextThatACommentDivides) {
  const Net net = read_with(
                      "<place id='r'><initialMarking><text>1<!-- -->2</text>"
                      "</initialMarking></place>")
                      .net;
  EXPECT_EQ(net.initial_marking()[2], 12);
}

TEST(PnmlReader, CountsBlackTokensOfSnakes) {
  const Net net = read_with(
                      "<place id='r'><initialMarking><multiset><item><value><token/></value>"
                      "<multiplicity>5</multiplicity></item></multiset></initialMarking>"
                      "</place>")
                      .net;
  EXPECT_EQ(net.initial_marking()[2], 5);
}

TEST(PnmlReader, ReadsMarkingsOfPipeWithUnusedTokenClasses) {
  const Net net = read_with(
                      "<place id='r'><initialMarking><value>Default,7,Red,0</value>"
                      "</initialMarking></place>")
                      .net;
  EXPECT_EQ(net.initial_marking()[2], 7);
}

TEST(PnmlReader, ReadsTheLargestNumbers) {
  const Net net = read_with(
                      "<place id='r'><initialMarking><text>4611686018427387904</text>"
                      "</initialMarking></place>")
                      .net;
  EXPECT_EQ(net.initial_marking()[2], kMaxTokens);
}

TEST(PnmlReader, ReadsPagesAsDeepAsTheBound) {
  std::string open, close;
  for (int depth = 0; depth < 62; ++depth) {
    open += "<page id='g" + std::to_string(depth) + "'>";
    close += "</page>";
  }
  EXPECT_EQ(read_with(open + "<place id='deep'/>" + close).net.place_count(), 3u);
}

TEST(PnmlReader, ReadsGoalAndObservables) {
  const Net net = read_with(
                      "<toolspecific tool='pnsim' version='1'><until place='q'/><until place='p'/>"
                      "<until place='q'/><waiting transition='t'/><schedulers place='p'/>"
                      "</toolspecific>")
                      .net;
  EXPECT_THAT(net.goal(), ElementsAre(PlaceId{0}, PlaceId{1}));
  EXPECT_THAT(net.observables().waiting, ElementsAre(TransitionId{0}));
  EXPECT_EQ(net.observables().scheduler_pool, PlaceId{0});
}

TEST(PnmlReader, ReadsGoalsOfOtherNumbers) {
  const Net net = read_with(
                      "<toolspecific tool='pnsim' version='1'><until place='q' min='2'/>"
                      "<until place='p' min='1' max='3'/></toolspecific>")
                      .net;
  EXPECT_THAT(net.goal(), testing::IsEmpty());
  EXPECT_THAT(net.goal_ranges(),
              ElementsAre(TokenRange{PlaceId{0}, 1, 3}, TokenRange{PlaceId{1}, 2, kMaxTokens}));
}

TEST(PnmlReader, RefusesGoalsWithoutSense) {
  for (const char* bounds : {"min='3' max='2'", "min='x'", "max='-1'"}) {
    EXPECT_THROW(read_with(std::string("<toolspecific tool='pnsim' version='1'><until place='q' ") +
                           bounds + "/></toolspecific>"),
                 Error)
        << bounds;
  }
}

TEST(PnmlReader, PassesOverDataOfOtherTools) {
  const Net net = read_with(
                      "<toolspecific tool='other' version='7'><until place='nowhere'/>"
                      "<place id='p'/></toolspecific>")
                      .net;
  EXPECT_FALSE(net.has_goal());
  EXPECT_EQ(net.place_count(), 2u);
}

TEST(PnmlReader, ReadsAHundredThousandPlaces) {
  constexpr int kPlaces = 100'000;
  std::string places;
  for (int i = 0; i < kPlaces; ++i) places += "<place id='x" + std::to_string(i) + "'/>";
  EXPECT_EQ(read_with(places).net.place_count(), kPlaces + 2u);
}

}  // namespace
}  // namespace pnsim
