// Every refusal of the PNML reader. Each message says where, what was found and what was expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "simulator/base/json.h"
#include "simulator/net/pnml_reader.h"
#include "tests/net/net_testing.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct PnmlCase {
  const char* name;
  std::string more;     // added to a valid net of places p, q and transition t
  std::string message;  // expected part of the error
};

std::string net_with(const std::string& more) {
  return "<?xml version='1.0'?>\n<pnml><net id='n'>\n<place id='p'/><place id='q'/>"
         "<transition id='t'/>\n" +
         more + "\n</net></pnml>\n";
}

std::string error_of_text(const std::string& text) {
  return error_of([&] { read_pnml(text, "bad.pnml"); });
}

std::string arc(const std::string& attributes, const std::string& inside = "") {
  return "<arc id='a1' source='p' target='t' " + attributes + ">" + inside + "</arc>";
}

std::string inscription(const std::string& text) {
  return "<inscription><text>" + text + "</text></inscription>";
}

std::string place(const std::string& inside) { return "<place id='x'>" + inside + "</place>"; }

std::string marking(const std::string& inside) {
  return place("<initialMarking>" + inside + "</initialMarking>");
}

std::string own_data(const std::string& inside) {
  return "<toolspecific tool='pnsim' version='1'>" + inside + "</toolspecific>";
}

class PnmlRefusal : public testing::TestWithParam<PnmlCase> {};

TEST_P(PnmlRefusal, IsError3AtItsLine) {
  const std::string error = error_of_text(net_with(GetParam().more));
  EXPECT_THAT(error, StartsWith("3: bad.pnml: line 4: "));
  EXPECT_THAT(error, HasSubstr(GetParam().message));
}

std::string refusal_name(const testing::TestParamInfo<PnmlCase>& test) { return test.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Arcs, PnmlRefusal,
    testing::Values(
        PnmlCase{"UnknownType", arc("type='inhibtor'"),
                 "arc \"a1\" (p -> t): found the unknown arc type \"inhibtor\"; did you mean "
                 "\"inhibitor\"?"},
        PnmlCase{"UnknownTypeInChild", arc("", "<type value='stopwatch'/>"),
                 "arc \"a1\" (p -> t): found the unknown arc type \"stopwatch\""},
        PnmlCase{"UnknownTypeInText", arc("", "<arctype><text>fancy</text></arctype>"),
                 "found the unknown arc type \"fancy\""},
        PnmlCase{"NoTypeInType", arc("type=''"), "found the unknown arc type \"\""},
        PnmlCase{"UnknownElement", "<transportArc id='a1' source='p' target='t'/>",
                 "transportArc \"a1\" (p -> t): found an unknown kind of arc"},
        PnmlCase{"Read", arc("type='read'"), "arc \"a1\" (p -> t): found a read arc"},
        PnmlCase{"Test", arc("", "<type value='test'/>"), "found a test arc"},
        PnmlCase{"Reset", arc("", "<arctype><text>reset</text></arctype>"), "found a reset arc"},
        PnmlCase{"Contradiction", arc("type='normal'", "<type value='inhibitor'/>"),
                 "found both the types normal and inhibitor"},
        PnmlCase{"InhibitorOfWeight2", arc("type='inhibitor'", inscription("2")),
                 "arc \"a1\" (p -> t): found an inhibitor of weight 2, expected weight 1"},
        PnmlCase{"TimedInhibitorOfWeight3", arc("type='tapnInhibitor' weight='3'"),
                 "found an inhibitor of weight 3"},
        PnmlCase{"InhibitorFromTransition", "<arc id='a1' source='t' target='p' type='inhibitor'/>",
                 "found an inhibitor from a transition"},
        PnmlCase{"SnakesInhibitorOfValue",
                 arc("",
                     "<inscription><inhibitor><annotation><value><object type='int'>3</object>"
                     "</value></annotation></inhibitor></inscription>"),
                 "found an inhibitor for one value"},
        PnmlCase{"SnakesInhibitorOfExpression",
                 arc("",
                     "<inhibitor><annotation><expression>x+1</expression></annotation>"
                     "</inhibitor>"),
                 "found an inhibitor for an expression"},
        PnmlCase{"SnakesInhibitorOfTwo",
                 arc("", "<inhibitor><annotation><multiarc/></annotation></inhibitor>"),
                 "found an inhibitor of a weight other than 1"},
        PnmlCase{"SnakesInhibitorWithCondition",
                 arc("",
                     "<inhibitor><condition><expression>x>3</expression></condition>"
                     "</inhibitor>"),
                 "found an inhibitor with a condition"},
        PnmlCase{"PlaceToPlace", "<arc id='a1' source='p' target='q'/>",
                 "arc \"a1\" (p -> q): found an arc from place to place"},
        PnmlCase{"TransitionToTransition", "<arc source='t' target='t'/>",
                 "found an arc from transition to transition"},
        PnmlCase{"NoSuchSource", "<arc id='a1' source='pp' target='t'/>",
                 "no place or transition \"pp\"; did you mean \"p\"?"},
        PnmlCase{"NoSuchTarget", "<arc id='a1' source='p' target='elsewhere'/>",
                 "no place or transition \"elsewhere\""},
        PnmlCase{"NoTarget", "<arc id='a1' source='p'/>", "no place or transition \"\""},
        PnmlCase{"Weight0", arc("", inscription("0")),
                 "found \"0\", expected an integer from 1 to 4611686018427387904"},
        PnmlCase{"WeightOver", arc("", inscription("4611686018427387905")), "expected an integer"},
        PnmlCase{"WeightFraction", arc("", inscription("1.5")), "found \"1.5\""},
        PnmlCase{"WeightWord", arc("", inscription("two")), "found \"two\""},
        PnmlCase{"WeightVariable", arc("", "<inscription><variable>x</variable></inscription>"),
                 "found <variable> in its inscription, expected a number"},
        PnmlCase{"WeightAttribute", arc("weight='-2'"), "found \"-2\""},
        PnmlCase{"TimeInterval", arc("type='timed' inscription='[2,5]'"),
                 "found the time interval [2,5], expected an untimed net"},
        PnmlCase{"HighLevelInscription", arc("", "<hlinscription/>"),
                 "found the inscription of a high-level net"}),
    refusal_name);

INSTANTIATE_TEST_SUITE_P(
    Nodes, PnmlRefusal,
    testing::Values(
        PnmlCase{"TwoMarkings",
                 place("<initialMarking><text>1</text></initialMarking>"
                       "<initialMarking><text>2</text></initialMarking>"),
                 "<initialMarking>: found a second <initialMarking> in <place>, expected one"},
        PnmlCase{"TwoTextsOfAMarking", marking("<text>1</text><text>2</text>"),
                 "<text>: found a second <text> in <initialMarking>, expected one"},
        PnmlCase{"TwoWeights", arc("", inscription("1") + inscription("2")),
                 "found a second <inscription> in <arc>, expected one"},
        PnmlCase{"Capacity", place("<capacity><value>5</value></capacity>"),
                 "place \"x\": found a capacity, expected a place without one"},
        PnmlCase{"CapacityOfNoNumber", place("<capacity><text>many</text></capacity>"),
                 "place \"x\": found \"many\""},
        PnmlCase{"NegativeMarking", marking("<text>-1</text>"), "place \"x\": found \"-1\""},
        PnmlCase{"FractionalMarking", marking("<text>0.5</text>"), "found \"0.5\""},
        PnmlCase{"MarkingOf2To63", marking("<text>9223372036854775808</text>"),
                 "found \"9223372036854775808\", expected an integer from 0 to"},
        PnmlCase{"MarkingOverTheBound", marking("<text>4611686018427387905</text>"),
                 "found \"4611686018427387905\""},
        PnmlCase{"MarkingWithRest", marking("<text>3 tokens</text>"), "found \"3 tokens\""},
        PnmlCase{"MarkingAttribute", "<place id='x' initialMarking='much'/>", "found \"much\""},
        PnmlCase{"ColouredMarking", marking("<value>Default,1,Red,2</value>"),
                 "place \"x\": found tokens of class \"Red\", expected Default only"},
        PnmlCase{"MarkingWithoutCount", marking("<value>Default,</value>"), "found \"\""},
        PnmlCase{"SnakesValue",
                 marking("<multiset><item><value><object type='int'>3</object></value>"
                         "<multiplicity>1</multiplicity></item></multiset>"),
                 "place \"x\": found a token with a value"},
        PnmlCase{"SnakesSumOverTheBound",
                 marking("<multiset><item><value><token/></value><multiplicity>4611686018427387904"
                         "</multiplicity></item><item><value><token/></value><multiplicity>1"
                         "</multiplicity></item></multiset>"),
                 "the tokens add up to over 2^62"},
        PnmlCase{"MarkingStructure", marking("<structure><all/></structure>"),
                 "found <structure> in its initialMarking"},
        PnmlCase{"HighLevelMarking", place("<hlinitialMarking/>"),
                 "place \"x\": found the marking of a high-level net"},
        PnmlCase{"Invariant", "<place id='x' invariant='&lt;= 5'/>",
                 "place \"x\": found the time invariant <=5"},
        PnmlCase{"Condition", "<transition id='x'><condition/></transition>",
                 "transition \"x\": found a condition"},
        PnmlCase{"Guard", "<transition id='x'><guard/></transition>",
                 "transition \"x\": found a guard"},
        PnmlCase{"FiringInterval",
                 "<transition id='x'><delay><interval closure='closed'><cn>4</cn><cn>5</cn>"
                 "</interval></delay></transition>",
                 "transition \"x\": found a firing interval, expected an untimed net"},
        PnmlCase{"DoubledId", "<transition id='p'/>", "the id \"p\" appears twice"},
        PnmlCase{"NoId", "<place/>", "<place>: id: found an empty name"},
        PnmlCase{"ControlCharacterInId", "<place id='a&#7;b'/>", "found a control character"},
        PnmlCase{"IdThatIsNotUtf8", "<place id='a\xC3('/>", "found a name that is not UTF-8"},
        PnmlCase{"DanglingReference", "<referencePlace id='r' ref='nowhere'/>",
                 "referencePlace \"r\": no place or transition \"nowhere\""},
        PnmlCase{"ReferenceToNothing", "<referenceTransition id='r'/>",
                 "referenceTransition \"r\": no place or transition \"\""},
        PnmlCase{"CycleOfReferences",
                 "<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>",
                 "the references form a cycle"},
        PnmlCase{"ReferenceToItself", "<referencePlace id='r' ref='r'/>",
                 "the references form a cycle"},
        PnmlCase{"ReferenceOfTheWrongKind", "<referencePlace id='r' ref='t'/>",
                 "found a reference to a transition, expected one to a place"}),
    refusal_name);

INSTANTIATE_TEST_SUITE_P(
    OwnData, PnmlRefusal,
    testing::Values(PnmlCase{"UnknownElement", own_data("<untill place='p'/>"),
                             "<untill>: found an unknown element in pnsim's tool-specific data; "
                             "did you mean \"until\"?"},
                    PnmlCase{"UnknownPlace", own_data("<until place='pp'/>"),
                             "did you mean \"p\"?"},
                    PnmlCase{"TransitionForPlace", own_data("<until place='t'/>"),
                             "found a transition, expected a place"},
                    PnmlCase{"PlaceForTransition", own_data("<waiting transition='p'/>"),
                             "found a place, expected a transition"},
                    PnmlCase{"TwoPools", own_data("<schedulers place='p'/><schedulers place='q'/>"),
                             "found this element twice, expected it once"},
                    PnmlCase{"UnknownVersion", "<toolspecific tool='pnsim' version='2'/>",
                             "found version \"2\", expected \"1\""}),
    refusal_name);

TEST(PnmlRefusals, DoctypeEvenAHarmlessOne) {
  EXPECT_THAT(error_of_text("<!DOCTYPE pnml><pnml><net id='n'><transition id='t'/></net></pnml>"),
              HasSubstr("3: bad.pnml: found a DOCTYPE"));
  EXPECT_THAT(error_of_text("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'y'>]><pnml/>"),
              HasSubstr("found a DOCTYPE"));
}

TEST(PnmlRefusals, ParallelArcsOverTheBound) {
  const std::string half = arc("", inscription("4611686018427387904"));
  EXPECT_THAT(error_of_text(net_with(half + half)),
              HasSubstr("3: bad.pnml: transition \"t\": parallel arcs add up to over 2^62"));
}

TEST(PnmlRefusals, NoNetOrSeveral) {
  const std::string net = "<net id='n'><transition id='t'/></net>";
  EXPECT_THAT(error_of_text("<pnml/>"), HasSubstr("found no <net>, expected one"));
  EXPECT_THAT(error_of_text("<pnml>" + net + net + "</pnml>"),
              HasSubstr("found a second net, expected one"));
  EXPECT_EQ(error_of_text("<pnml>" + net + "</pnml>"), "");
}

TEST(PnmlRefusals, ANetWithoutTransitions) {
  EXPECT_THAT(error_of_text("<pnml><net id='n'><place id='p'/></net></pnml>"),
              HasSubstr("3: bad.pnml: the net has no transitions"));
}

TEST(PnmlRefusals, HighLevelNets) {
  for (const std::string type : {"symmetricnet", "highlevelnet", "pt-hlpng"}) {
    EXPECT_THAT(error_of_text("<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/" +
                              type + "'/></pnml>"),
                HasSubstr("expected a place/transition net"))
        << type;
  }
}

TEST(PnmlRefusals, OtherXml) {
  EXPECT_THAT(error_of_text("<svg/>"), HasSubstr("3: bad.pnml: line 1: <svg>: expected <pnml>"));
}

TEST(PnmlRefusals, MoreThanOneElementAtTheTop) {
  EXPECT_THAT(error_of_text("<pnml><net id='n'/></pnml>\n<pnml/>"),
              HasSubstr("3: bad.pnml: line 2: <pnml>: found a second element"));
  EXPECT_THAT(error_of_text("<pnml><net id='n'/></pnml>\nand more"),
              HasSubstr("found text outside of the XML element"));
}

TEST(PnmlRefusals, NothingAtAll) {
  EXPECT_THAT(error_of_text(""), HasSubstr("3: bad.pnml"));
  EXPECT_THAT(error_of_text(" \n"), HasSubstr("3: bad.pnml"));
}

TEST(PnmlRefusals, MalformedXmlWithItsLine) {
  EXPECT_THAT(error_of_text("<pnml>\n<net id='n'>\n</pnml>"),
              HasSubstr("3: bad.pnml: line 3: found malformed XML: Start-end tags mismatch"));
}

TEST(PnmlRefusals, PagesNestedTooDeep) {
  constexpr int kDepth = 100'000;
  std::string pages;
  for (int i = 0; i < kDepth; ++i) pages += "<page>";
  for (int i = 0; i < kDepth; ++i) pages += "</page>";
  EXPECT_THAT(error_of_text(net_with(pages)), HasSubstr("nested deeper than 64"));
}

TEST(PnmlRefusals, EveryTruncationOfAFile) {
  const std::string whole = read_file(PNSIM_TEST_DATA "/pnml/gate_snakes.pnml");
  const std::size_t end = whole.rfind('>');
  for (std::size_t size = 0; size < end; ++size) {
    EXPECT_THAT(error_of_text(whole.substr(0, size)), StartsWith("3: bad.pnml")) << size;
  }
}

// Whatever the bytes are, the reader gives a net or error 3: no crash, no other error.
TEST(PnmlRefusals, DamagedFilesGiveANetOrAnInputError) {
  std::mt19937 random(7);
  int refused = 0;
  for (const char* file : {"gate_pipe.xml", "gate_tapaal_timed.xml", "pages.pnml"}) {
    const std::string whole = read_file(PNSIM_TEST_DATA "/pnml/" + std::string(file));
    for (int round = 0; round < 500; ++round) {
      std::string damaged = whole;
      for (int i = 0; i < 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
      const std::string error = error_of_text(damaged);
      refused += error.empty() ? 0 : 1;
      EXPECT_TRUE(error.empty() || error.starts_with("3: ")) << error;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace pnsim
