#include "simulator/engine/conflict_log.h"

#include <gtest/gtest.h>

#include "simulator/engine/run.h"
#include "tests/engine/tiny_net.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::build;
using Counts = std::vector<std::pair<std::string, ConflictCount>>;
using Wins = std::map<std::string, std::uint64_t>;

TransitionId named(const Net& net, const std::string& name) {
  return net.find_transition(name).value();
}

// The log of one step at `marking` in which the named transitions fire.
Counts after_step(const Net& net, const Marking& marking, const std::vector<std::string>& fired) {
  StepPlan plan(net);
  plan.examine(marking);
  std::vector<TransitionId> ids;
  for (const std::string& name : fired) ids.push_back(named(net, name));
  ConflictLog log(net);
  log.add_step(plan, ids);
  return log.counts();
}

TEST(ConflictLog, ListsCompetitorsAndWinnersOfAPlace) {
  const Net net = build({{{"a", 1}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}}}}});
  const Counts counts = after_step(net, {1}, {"u"});
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].first, "a");
  EXPECT_EQ(counts[0].second.times, 1u);
  EXPECT_EQ(counts[0].second.transitions, (std::set<std::string>{"t", "u"}));
  EXPECT_EQ(counts[0].second.won, (Wins{{"t", 0}, {"u", 1}}));
}

TEST(ConflictLog, SaysNothingWhereNothingIsContested) {
  const Net net = build({{{"a", 2}}, {{"t", {{"a", 1}}}, {"u", {{"a", 1}}}}});
  EXPECT_TRUE(after_step(net, {2}, {"t", "u"}).empty());
  EXPECT_TRUE(after_step(net, {0}, {}).empty());
}

TEST(ConflictLog, CountsInstancesOfOneTemplateNodeTogether) {
  const Net net = build({{{"p2.0", 1}, {"p2.1", 1}, {"p2.2", 1}},
                         {{"t1.0", {{"p2.0", 1}}},
                          {"t1.1", {{"p2.1", 1}}},
                          {"t1.2", {{"p2.2", 1}}},
                          {"t16.0", {{"p2.0", 1}}},
                          {"t16.1", {{"p2.1", 1}}}}});
  const Counts counts = after_step(net, {1, 1, 1}, {"t1.0", "t16.1", "t1.2"});
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].first, "p2");
  EXPECT_EQ(counts[0].second.times, 2u);  // p2.2 was not contested, so t1.2 won nothing
  EXPECT_EQ(counts[0].second.won, (Wins{{"t1", 1}, {"t16", 1}}));
}

TEST(ConflictLog, CountsATransitionOnEachContestedPlaceItTakesFrom) {
  const Net net =
      build({{{"b", 1}, {"a", 1}, {"c", 9}},
             {{"t", {{"a", 1}}}, {"u", {{"a", 1}, {"b", 1}, {"c", 1}}}, {"v", {{"b", 1}}}}});
  const Counts counts = after_step(net, {1, 1, 9}, {"u"});
  ASSERT_EQ(counts.size(), 2u);     // c is not contested
  EXPECT_EQ(counts[0].first, "b");  // in the order of the places
  EXPECT_EQ(counts[0].second.won, (Wins{{"u", 1}, {"v", 0}}));
  EXPECT_EQ(counts[1].first, "a");
  EXPECT_EQ(counts[1].second.won, (Wins{{"t", 0}, {"u", 1}}));
}

TEST(ConflictLog, CountsFiringsAndNotTokens) {
  const Net net = build({{{"a", 5}}, {{"t", {{"a", 3}}}, {"u", {{"a", 3}}}, {"v", {{"a", 2}}}}});
  const Counts counts = after_step(net, {5}, {"t", "v"});
  EXPECT_EQ(counts[0].second.won, (Wins{{"t", 1}, {"u", 0}, {"v", 1}}));
}

TEST(ConflictLog, AddsUpOverTheSteps) {
  // Either t or u wins at random until a is empty. The last token has no second candidate.
  const Net net = build({{{"a", 1}, {"b", 0}},
                         {{"t", {{"a", 1}}, {{"a", 1}, {"b", 1}}}, {"u", {{"a", 1}}, {{"a", 1}}}}});
  ConflictLog log(net);
  const RunResult result = run_reference(net, {}, 100, &log);
  const Counts counts = log.counts();
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].second.times, 100u);
  const auto tokens = static_cast<std::uint64_t>(result.final_marking[1]);  // one per firing of t
  EXPECT_EQ(counts[0].second.won, (Wins{{"t", tokens}, {"u", 100 - tokens}}));
}

// In the literal net, t16 races with t1 for p2. With the place p3 it cannot.
TEST(ConflictLog, ShowsTheRaceOfT16InTheLiteralNetOnly) {
  const auto on_p2 = [](bool literal) {
    const Net net = test::wpnm_net({.warps = 8, .schedulers = 2, .literal = literal});
    ConflictLog log(net);
    run_reference(net, {}, 100'000, &log);
    for (const auto& [place, count] : log.counts()) {
      if (place == "p2") return count;
    }
    return ConflictCount{};
  };
  const ConflictCount literal = on_p2(true);
  EXPECT_EQ(literal.transitions, (std::set<std::string>{"t1", "t16"}));
  EXPECT_GT(literal.won.at("t16"), 0u);
  EXPECT_EQ(on_p2(false).times, 0u);
}

}  // namespace
}  // namespace pnsim
