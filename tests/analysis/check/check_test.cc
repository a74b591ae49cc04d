// Tests the findings of `pnsim check` on nets with a known fault and on the paper's nets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "simulator/analysis/check/check_net.h"
#include "tests/net/structure_testing.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::build;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The findings of one severity (or of all), one per line: "warning goal: can never hold ...".
std::string findings_of(const CheckReport& report, const std::string& severity = "") {
  std::string text;
  for (const Finding& finding : report.findings) {
    const std::string name = severity_name(finding.severity);
    if (severity.empty() || name == severity) {
      text += name + " " + finding.topic + ": " + finding.text + "\n";
    }
  }
  return text;
}

std::string findings_of(const test::TinyNet& net, const std::string& severity = "") {
  return findings_of(check_net(build(net), {.runs = {.max_work = 200'000}}), severity);
}

const Residue* residue_in(const CheckReport& report, const std::string& place) {
  const auto at = std::find_if(report.residue.begin(), report.residue.end(),
                               [&](const Residue& residue) { return residue.place == place; });
  return at == report.residue.end() ? nullptr : &*at;
}

Net paper_net(int warps, bool literal) {
  return test::wpnm_net({.warps = warps,
                         .schedulers = 4,
                         .l1 = 20,
                         .l2 = 2,
                         .xa = 10,
                         .xs = 4,
                         .xg = 4,
                         .literal = literal});
}

TEST(CheckPaperNet, TheRepairedNetHasNoWarnings) {
  const CheckReport report = check_net(paper_net(16, false));
  EXPECT_FALSE(report.has_warnings()) << findings_of(report);
  EXPECT_EQ(report.runs.with_outcome(Outcome::kGoal), 4u);
  ASSERT_EQ(report.residue.size(), 1u) << "only p0 is left";
  EXPECT_EQ(report.residue[0].place, "p0");
  EXPECT_EQ(report.residue[0].mean_tokens, 4);
  EXPECT_TRUE(report.unbounded.empty());
  EXPECT_THAT(findings_of(report), HasSubstr("transitions can conflict only over p0, p3\n"));
}

TEST(CheckPaperNet, TheLiteralNetShowsTheRaceAndWhatItLeavesBehind) {
  const CheckReport report = check_net(paper_net(16, true));
  EXPECT_TRUE(report.has_warnings());
  const std::string warnings = findings_of(report, "warning");
  EXPECT_THAT(warnings, HasSubstr("t16 has inhibitors and still competes with t1 for p2"));
  EXPECT_THAT(warnings, HasSubstr("left behind at the end"));
  for (const char* place : {"p4", "p3"}) EXPECT_NE(residue_in(report, place), nullptr) << place;
  EXPECT_TRUE(residue_in(report, "p4")->is_left_behind);
  EXPECT_FALSE(residue_in(report, "p3")->is_left_behind) << "no more than at the start";
  double pending = 0;
  for (const char* place : {"p6", "p8", "p10"}) {
    if (const Residue* residue = residue_in(report, place)) pending += residue->mean_tokens;
  }
  EXPECT_DOUBLE_EQ(pending, residue_in(report, "p4")->mean_tokens) << "one instruction per warp";
  EXPECT_DOUBLE_EQ(residue_in(report, "p3")->mean_tokens + pending, 16) << "or an ended warp";
}

TEST(CheckPaperNet, TheRaceIsInTheTableOfSharedPlaces) {
  const CheckReport report = check_net(paper_net(16, true));
  const auto line = std::find_if(report.shared_places.begin(), report.shared_places.end(),
                                 [](const SharedPlaceLine& l) { return l.place == "p2"; });
  ASSERT_NE(line, report.shared_places.end());
  EXPECT_EQ(line->instances, 16u);
  EXPECT_THAT(line->takers, ElementsAre("t1", "t16"));
  EXPECT_EQ(line->competing.at(0).possible, 16u);
  EXPECT_GT(line->seen.times, 0u);
  EXPECT_EQ(line->seen.won.at("t1") + line->seen.won.at("t16"), line->seen.times);
}

TEST(CheckPaperNet, OnlyTheGoalEndsARun) {
  const CheckReport report = check_net(paper_net(2, false));
  EXPECT_THAT(findings_of(report, "note"), HasSubstr("t0 can fire for ever"));
  EXPECT_THAT(findings_of(report, "note"),
              HasSubstr("Only the goal ends a run: when it holds, t0 can still fire"));
  const CheckReport endless = check_net(paper_net(2, false).with_goal({}));
  EXPECT_THAT(findings_of(endless, "warning"), HasSubstr("There is no goal"));
  EXPECT_THAT(findings_of(endless, "warning"),
              HasSubstr("4 of 4 runs reached a step that changes nothing, by t0"));
  EXPECT_EQ(endless.runs.repeating(), 4u);
  EXPECT_LT(endless.runs.runs[0].result.steps, 1000u) << "seen at once, not at a limit";
}

TEST(CheckPaperNet, ScreenIsReadableForManyWarps) {
  const std::string text =
      text_of(check_net(paper_net(64, false), {.siphons = {.max_work = 2'000'000}}));
  std::istringstream lines(text);
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    EXPECT_LE(line.size(), 100u) << line;
    ++count;
  }
  EXPECT_LE(count, 50) << text;
  EXPECT_THAT(text, HasSubstr("net wpnm: 1,153 places, 961 transitions"));
  EXPECT_THAT(text, HasSubstr("3 p0 + 3 p11[64] + 3 p14[64] + p15[64] + 3 p17[64] + p18[64] = 12"));
  EXPECT_THAT(text, HasSubstr("64 x p1 <= 1"));
  EXPECT_THAT(text, HasSubstr("residue  p0 4 (4 at the start)"));
}

TEST(CheckGoal, SaysWhenItCanNeverHoldOrHoldsAtOnce) {
  const test::TinyNet net = {
      .places = {{"a", 1}, {"b", 0}},
      .transitions = {{"go", {{"a", 1}}, {{"b", 1}}}, {"back", {{"b", 1}}, {{"a", 1}}}},
      .goal = {"a", "b"}};
  EXPECT_THAT(findings_of(net, "warning"), HasSubstr("goal: can never hold: a, b are together"));
  test::TinyNet at_once = net;
  at_once.goal = {"b"};
  EXPECT_THAT(findings_of(at_once, "warning"), HasSubstr("goal: holds at the initial marking"));
}

TEST(CheckGoal, SaysWhenRunsDieBeforeIt) {
  const test::TinyNet net = {
      .places = {{"a", 1}, {"b", 0}, {"c", 1}},
      .transitions = {{"go", {{"a", 1}}, {{"b", 1}}}, {"end", {{"b", 1}, {"a", 1}, {"c", 1}}, {}}},
      .goal = {"c"}};
  const CheckReport report = check_net(build(net), {.runs = {.replicas = 3}});
  EXPECT_THAT(findings_of(report, "warning"),
              HasSubstr("3 of 3 runs ended dead before the goal held"));
}

TEST(CheckEnabling, AnInhibitorAndAnInputOnOnePlaceIsAWarning) {
  const test::TinyNet net = {.places = {{"p", 1}, {"q", 0}},
                             .transitions = {{"t", {{"p", 1}}, {{"q", 1}}, {"p"}}}};
  EXPECT_THAT(findings_of(net, "warning"),
              HasSubstr("enabling: t is never enabled: it takes from p and is inhibited by it"));
}

TEST(CheckEnabling, InstancesAreReportedTogether) {
  test::TinyNet net = {.places = {{"p.0", 1}, {"p.1", 1}, {"p.2", 1}}, .transitions = {}};
  for (const std::string i : {"0", "1", "2"}) {
    net.transitions.push_back({"t." + i, {{"p." + i, 1}}, {}, {"p." + i}});
  }
  EXPECT_THAT(findings_of(net, "warning"), HasSubstr("t[3] is never enabled: it takes from p"));
}

TEST(CheckEnabling, APlaceThatNeverGetsATokenIsANote) {
  const Net net = test::wpnm_net({.warps = 2, .xs = 0});
  const CheckReport report = check_net(net);
  EXPECT_FALSE(report.has_warnings()) << findings_of(report);
  EXPECT_THAT(findings_of(report, "note"), HasSubstr("never gets a token: t3[2], t6[2]"));
  EXPECT_THAT(findings_of(report, "note"),
              HasSubstr("an unmarked siphon, so never a token in p7[2]"));
}

TEST(CheckResidue, PhilosophersThatStarveLeaveTokens) {
  const CheckReport report = check_net(test::philosophers(5));
  EXPECT_EQ(report.runs.with_outcome(Outcome::kDead), 4u);
  EXPECT_THAT(findings_of(report, "warning"), HasSubstr("5 in wait"));
  const auto emptied = std::find_if(report.siphons.families.begin(), report.siphons.families.end(),
                                    [](const Family& f) { return f.tag == "emptied in a run"; });
  ASSERT_NE(emptied, report.siphons.families.end());
  EXPECT_EQ(text_of(emptied->terms, " "), "eat[5] fork[5]");
}

TEST(CheckResidue, ResultsThatCollectAreNotLeftBehind) {
  const CheckReport report =
      check_net(build({.places = {{"todo", 3}, {"done", 0}},
                       .transitions = {{"t", {{"todo", 1}}, {{"done", 1}}}}}));
  EXPECT_FALSE(report.has_warnings()) << findings_of(report);
  EXPECT_THAT(findings_of(report),
              HasSubstr("no transition consumes from done: tokens accumulate there"));
  EXPECT_THAT(findings_of(report), HasSubstr("ok residue"));
  EXPECT_THAT(findings_of(report), HasSubstr("all runs are the same"));
}

TEST(CheckRuns, NeverFiredIsReportedForTransitionsThatCouldFire) {
  // The second step of u needs both tokens of a at once, but t always consumes one of them.
  const CheckReport report = check_net(build({.places = {{"a", 1}, {"b", 0}, {"c", 1}, {"d", 0}},
                                              .transitions = {{"t", {{"a", 1}}, {{"b", 1}}},
                                                              {"s", {{"c", 1}}, {{"d", 1}}},
                                                              {"u", {{"a", 1}, {"d", 1}}, {}}}}));
  EXPECT_EQ(text_of(report.never_fired, " "), "u");
  EXPECT_THAT(findings_of(report, "note"),
              HasSubstr("never fired in the runs, though it is not proved that they cannot: u"));
}

TEST(CheckRuns, StopAtTheWorkTheyAreGiven) {
  const Net net = paper_net(4, false);
  const WatchedRuns some = watch_runs(net, {.max_work = 1'500});
  ASSERT_FALSE(some.runs.empty());
  EXPECT_EQ(some.with_outcome(Outcome::kLimit), some.runs.size());
  EXPECT_LT(some.runs.size(), 4u);
  EXPECT_EQ(some.ended(), 0u);
  EXPECT_TRUE(residue_of(net, some).empty());
  const CheckReport report = check_net(net, {.runs = {.max_steps = 10}});
  EXPECT_THAT(findings_of(report, "note"),
              HasSubstr("4 of 4 runs did not end within the watched steps"));
  EXPECT_THAT(findings_of(report), Not(HasSubstr("residue")));
}

TEST(CheckRuns, AnOverflowIsAFindingNotAFailure) {
  const CheckReport report =
      check_net(build({.places = {{"p", kMaxTokens}}, .transitions = {{"t", {}, {{"p", 1}}}}}));
  EXPECT_THAT(findings_of(report, "warning"), HasSubstr("runs: a run stopped with an error: "));
  EXPECT_TRUE(report.runs.runs.empty());
  EXPECT_THAT(text_of(report), HasSubstr("none proved: p"));
}

TEST(CheckShape, PartsWithoutAnArcBetweenThemAreANote) {
  const test::TinyNet net = {.places = {{"a", 1}, {"b", 1}},
                             .transitions = {{"t", {{"a", 1}}, {}}, {"u", {{"b", 1}}, {}}}};
  EXPECT_THAT(findings_of(net, "note"), HasSubstr("falls into 2 parts"));
}

TEST(CheckLimits, AreReportedWithTheirNumbers) {
  const CheckReport report =
      check_net(test::parallel_ring(30),
                {.elimination = {.max_work = 1'000'000}, .siphons = {.max_sets = 50}});
  const std::string notes = findings_of(report, "note");
  EXPECT_THAT(notes, HasSubstr("minimal place sums are not all computed: more than 1,000,000 "
                               "operations; a basis has 31"));
  EXPECT_THAT(notes,
              HasSubstr("minimal siphons are not all computed: the search stopped after 50"));
  EXPECT_THAT(text_of(report), HasSubstr("50 found, not all"));
}

TEST(CheckFindings, WarningsComeFirst) {
  const CheckReport report = check_net(paper_net(4, true));
  const auto less_severe = [](const Finding& a, const Finding& b) {
    return a.severity > b.severity;
  };
  EXPECT_TRUE(std::is_sorted(report.findings.begin(), report.findings.end(), less_severe));
  EXPECT_EQ(report.findings.front().severity, Severity::kWarning);
  EXPECT_EQ(report.findings.back().severity, Severity::kOk);
}

TEST(CheckJson, HasWhatTheScreenShows) {
  const CheckReport report = check_net(paper_net(4, true));
  const Json json = to_json(report);
  EXPECT_EQ(json["net"], "wpnm_literal");
  EXPECT_EQ(json["findings"].size(), report.findings.size());
  EXPECT_EQ(json["findings"][0]["severity"], "warning");
  EXPECT_EQ(json["shape"]["places"], 73);
  EXPECT_EQ(json["goal"][0]["name"], "p1");
  EXPECT_EQ(json["goal"][0]["instances"], 4);
  EXPECT_EQ(json["place_sums"]["found"], 17);
  EXPECT_EQ(json["place_sums"]["stopped"], nullptr);
  EXPECT_EQ(json["place_sums"]["families"][1]["count"], 4);
  EXPECT_EQ(json["shared_places"][1]["place"], "p2");
  EXPECT_GT(json["shared_places"][1]["times"], 0);
  EXPECT_EQ(json["endless"][0]["name"], "t0");
  EXPECT_EQ(json["watched"]["runs"].size(), 4u);
  EXPECT_EQ(json["watched"]["runs"][0]["outcome"], "goal");
  EXPECT_EQ(json["bounds"].size(), report.bounds.size());
}

TEST(Check, IsTheSameEachTime) {
  const Net net = paper_net(4, true);
  EXPECT_EQ(to_json(check_net(net)).dump(), to_json(check_net(net)).dump());
  EXPECT_EQ(text_of(check_net(net)), text_of(check_net(net)));
}

TEST(Families, NameInstancesExactlyWhenTheyStandAlone) {
  const Net net = test::wpnm_net({.warps = 3});
  const FamilyMaker places = FamilyMaker::of_places(net);
  const auto place = [&](const char* name) { return net.find_place(name)->value; };
  const std::vector<Family> families = places.families({
      {"x", {{place("p2.0"), 1}, {place("p3.0"), 2}}},
      {"x", {{place("p2.1"), 1}, {place("p3.1"), 2}}},
      {"y", {{place("p2.2"), 1}, {place("p3.2"), 2}}},
      {"", {{place("p1.0"), 1}, {place("p1.1"), 1}, {place("p1.2"), 1}}},
      {"", {{place("p1.0"), 1}, {place("p1.2"), 1}}},
  });
  ASSERT_EQ(families.size(), 4u);
  EXPECT_EQ(families[0].count, 2u);
  EXPECT_EQ(text_of(families[0].terms, " + "), "p2 + 2 p3");
  EXPECT_EQ(text_of(families[1].terms, " + "), "p2.2 + 2 p3.2");
  EXPECT_EQ(text_of(families[2].terms, " + "), "p1[3]");
  EXPECT_EQ(text_of(families[3].terms, " + "), "p1.0 + p1.2");
  EXPECT_EQ(text_of(families[0].terms, ", ", 1), "p2 ... (1 more)");
  EXPECT_THAT(places.families({}), IsEmpty());
}

}  // namespace
}  // namespace pnsim
