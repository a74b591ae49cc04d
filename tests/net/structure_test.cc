// Invariants, bounds, conflicts and endless transitions: textbook nets and the paper's net.
#include "simulator/net/structure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/net/conflicts.h"
#include "tests/net/structure_testing.h"
#include "tests/support/wpnm_net.h"

namespace pnsim {
namespace {

using test::build;
using test::names_of;
using test::set_text;
using test::terms_text;
using test::TinyNet;
using Names = std::vector<std::string>;
using Texts = std::set<std::string>;

// "p0 + 2 p3 = 4", or "<= 4" for a sum that can only fall.
Texts sums_of(const Net& net, const PlaceInvariants& invariants) {
  Texts out;
  for (const PlaceSum& sum : invariants.sums) {
    const std::string value = sum.initial ? std::to_string(*sum.initial) : "?";
    out.insert(terms_text<PlaceId>(net, sum.terms) + (sum.constant ? " = " : " <= ") + value);
  }
  return out;
}

Texts cycles_of(const Net& net) {
  Texts out;
  for (const SparseRow& cycle : transition_invariants(net).cycles) {
    out.insert(terms_text<TransitionId>(net, cycle));
  }
  return out;
}

// Everything that a check needs to know about one net.
struct Structure {
  explicit Structure(const Net& n)
      : net(n), graph(graph_of(net)), sums(place_invariants(net)), enabling(net, sums) {}

  std::vector<TransitionId> endless() const {
    return endless_transitions(net, enabling, transition_invariants(net), place_bounds(net, sums));
  }
  std::optional<Tokens> bound(const std::string& place) const {
    return place_bounds(net, sums)[net.find_place(place)->value];
  }
  bool never_together(const std::string& a, const std::string& b) const {
    return enabling.never_together(*net.find_transition(a), *net.find_transition(b));
  }
  std::string never_enabled(const std::string& t) const {
    return enabling.never_enabled(*net.find_transition(t));
  }

  const Net net;
  NetGraph graph;
  PlaceInvariants sums;
  EnablingProof enabling;
};

TEST(Effect, IsWhatAFiringAddsNet) {
  const Net net = build({.places = {{"a", 0}, {"b", 0}, {"c", 0}},
                         .transitions = {{"t", {{"a", 2}, {"b", 1}}, {{"b", 1}, {"c", 3}}}}});
  EXPECT_EQ(effect_of(net, TransitionId{0}), (SparseRow{{0, -2}, {2, 3}}));
}

TEST(GraphView, HasEveryArcWithItsKindAndWeight) {
  const Net net = build(
      {.places = {{"a", 0}, {"b", 0}}, .transitions = {{"t", {{"a", 2}}, {{"b", 3}}, {"b"}}}});
  const NetGraph graph = graph_of(net);
  ASSERT_EQ(num_vertices(graph), 3u);
  std::set<std::tuple<std::size_t, std::size_t, ArcKind, Tokens>> arcs;
  const auto [first, last] = edges(graph);
  std::for_each(first, last, [&](const auto& e) {
    arcs.emplace(source(e, graph), target(e, graph), graph[e].kind, graph[e].weight);
  });
  EXPECT_EQ(arcs, (decltype(arcs){{0, 2, ArcKind::kInput, 2},
                                  {1, 2, ArcKind::kInhibitor, 1},
                                  {2, 1, ArcKind::kOutput, 3}}));
  EXPECT_EQ(in_degree(std::size_t{2}, graph), 2u);
}

TEST(GraphView, PartsAreNumberedByTheirFirstVertex) {
  const Parts parts = connected_parts(5, {{1, 3}, {4, 2}});
  EXPECT_EQ(parts.count, 3u);
  EXPECT_EQ(parts.part_of, (std::vector<std::uint32_t>{0, 1, 2, 1, 2}));
  EXPECT_EQ(connected_parts(0, std::vector<VertexPair>{}).count, 0u);
}

TEST(Groups, CountTheInstancesOfEachTemplateNode) {
  const Net net = test::wpnm_net({.warps = 3});
  const NodeGroups groups = place_groups(net);
  EXPECT_EQ(groups.names.size(), 19u);
  EXPECT_EQ(groups.names[0], "p0");
  EXPECT_EQ(groups.sizes[0], 1u);
  EXPECT_EQ(groups.sizes[18], 3u);
  EXPECT_EQ(groups.group_of[net.find_place("p7.2")->value], 7u);
  EXPECT_EQ(transition_groups(net).names.size(), 16u);
}

TEST(Invariants, ProducerAndConsumerHaveTheKnownOnes) {
  const Structure s(test::producer_consumer(3));
  EXPECT_EQ(sums_of(s.net, s.sums),
            (Texts{"idle + made = 1", "ready + got = 1", "free + full = 3"}));
  EXPECT_EQ(cycles_of(s.net), Texts{"make + put + get + use"});
  EXPECT_EQ(s.bound("full"), 3);
  EXPECT_EQ(s.bound("made"), 1);
}

TEST(Invariants, MutualExclusionHasTheKnownOnes) {
  const Structure s(test::mutual_exclusion());
  EXPECT_EQ(sums_of(s.net, s.sums),
            (Texts{"out.0 + in.0 = 1", "out.1 + in.1 = 1", "in.0 + in.1 + lock = 1"}));
  EXPECT_EQ(cycles_of(s.net), (Texts{"enter.0 + leave.0", "enter.1 + leave.1"}));
  EXPECT_TRUE(s.never_together("leave.0", "leave.1"));
  EXPECT_FALSE(s.never_together("enter.0", "enter.1"));
}

TEST(Invariants, PhilosophersHaveOneForEachAndOneForEachFork) {
  const Structure s(test::philosophers(5));
  EXPECT_EQ(s.sums.sums.size(), 10u);
  const Texts sums = sums_of(s.net, s.sums);
  EXPECT_TRUE(sums.contains("think.2 + wait.2 + eat.2 = 1"));
  EXPECT_TRUE(sums.contains("eat.2 + wait.3 + eat.3 + fork.3 = 1"));
  EXPECT_EQ(cycles_of(s.net).size(), 5u);
}

TEST(Invariants, WithWeightsAreDividedByTheirGreatestCommonDivisor) {
  const Structure s(
      build({.places = {{"a", 4}, {"b", 1}}, .transitions = {{"t", {{"a", 4}}, {{"b", 6}}}}}));
  EXPECT_EQ(sums_of(s.net, s.sums), Texts{"3 a + 2 b = 14"});
  EXPECT_EQ(s.bound("a"), 4);
  EXPECT_EQ(s.bound("b"), 7);
}

TEST(Invariants, ASelfLoopIsItsOwnCycle) {
  const Net net = build({.places = {{"a", 1}}, .transitions = {{"t", {{"a", 1}}, {{"a", 1}}}}});
  EXPECT_EQ(cycles_of(net), Texts{"t"});
}

TEST(Invariants, ATransitionWithoutOutputsLetsASumFall) {
  const Structure s(
      build({.places = {{"a", 5}, {"b", 0}},
             .transitions = {{"t", {{"a", 1}}, {{"b", 2}}}, {"end", {{"b", 1}}, {}}}}));
  EXPECT_EQ(sums_of(s.net, s.sums), Texts{"2 a + b <= 10"});
  EXPECT_EQ(s.bound("b"), 10);
}

TEST(Invariants, WithOverTwoTo62TokensProveNothing) {
  const Structure s(build(
      {.places = {{"a", kMaxTokens}, {"b", 1}}, .transitions = {{"t", {{"a", 1}}, {{"b", 1}}}}}));
  ASSERT_EQ(s.sums.sums.size(), 1u);
  EXPECT_FALSE(s.sums.sums[0].initial.has_value());
  EXPECT_FALSE(s.bound("b").has_value());
  EXPECT_EQ(s.bound("a"), kMaxTokens) << "no transition adds to it";
}

TEST(Invariants, TooManyToListLeaveABasis) {
  const Net net = test::parallel_ring(30);
  const PlaceInvariants sums = place_invariants(net, {.max_work = 1'000'000});
  EXPECT_EQ(sums.stopped, "more than 1,000,000 operations");
  EXPECT_EQ(sums.basis_size, 31u) << "60 places, rank 29";
  for (const PlaceSum& sum : sums.sums) {
    for (const IndexWeight& e : sum.terms) EXPECT_GT(e.weight, 0);
  }
}

// The invariants of the paper's net. Per warp: one for its end, one for its path, two for its
// instructions. One more for the schedulers.
TEST(PaperNet, HasOneConstantSumOfSchedulersAndFourFallingOnesPerWarp) {
  const Structure s(
      test::wpnm_net({.warps = 2, .schedulers = 4, .l1 = 20, .l2 = 2, .xa = 9, .xs = 5, .xg = 5}));
  const Texts sums = sums_of(s.net, s.sums);
  EXPECT_EQ(sums.size(), 9u);
  EXPECT_TRUE(
      sums.contains("3 p0 + 3 p11.0 + 3 p14.0 + p15.0 + 3 p17.0 + p18.0 + 3 p11.1 + "
                    "3 p14.1 + p15.1 + 3 p17.1 + p18.1 = 12"));
  EXPECT_TRUE(sums.contains("p1.0 <= 1"));
  EXPECT_TRUE(
      sums.contains("21 p2.1 + 21 p11.1 + p12.1 + 21 p13.1 + 21 p14.1 + 7 p15.1 + p16.1 + "
                    "21 p17.1 + 7 p18.1 <= 21"));
  EXPECT_EQ(cycles_of(s.net), Texts{"t0"});
  EXPECT_EQ(s.bound("p5.1"), 9);
  EXPECT_EQ(s.bound("p12.0"), 21);
  EXPECT_EQ(s.bound("p18.0"), 3);
  EXPECT_EQ(s.bound("p0"), 4);
}

TEST(PaperNet, OnlyT0CanFireForEver) {
  const Structure s(test::wpnm_net({.warps = 2}));
  EXPECT_EQ(names_of(s.net, s.endless()), Names{"t0"});
  EXPECT_EQ(names_of(s.net, self_sustaining_transitions(s.net)), Names{"t0"});
}

TEST(PaperNet, LiterallyReadTheEndOfAWarpCanMeetItsScheduling) {
  const Structure literal(test::wpnm_net({.warps = 2, .literal = true}));
  EXPECT_FALSE(literal.never_together("t1.0", "t16.0"));
  const Structure repaired(test::wpnm_net({.warps = 2}));
  EXPECT_TRUE(repaired.never_together("t1.0", "t16.0")) << "p3 and p4 are never both marked";
  EXPECT_TRUE(repaired.never_together("t0", "t1.1")) << "p2 inhibits t0";
  EXPECT_TRUE(repaired.never_together("t8.0", "t9.0")) << "p12 + p16 <= l1 + 1";
  EXPECT_TRUE(repaired.never_together("t5.0", "t6.0"));
  EXPECT_FALSE(repaired.never_together("t2.0", "t3.0"));
  EXPECT_FALSE(repaired.never_together("t1.0", "t1.1"));
}

TEST(PaperNet, ConflictClustersRepeatByWarp) {
  const Net net = test::wpnm_net({.warps = 3});
  const std::vector<ConflictCluster> clusters = conflict_clusters(net, graph_of(net));
  ASSERT_EQ(clusters.size(), 10u) << "one around p0, then three of each warp";
  EXPECT_EQ(clusters[0].transitions.size(), 1u + 3 * 5);
  EXPECT_EQ(set_text(net, clusters[0].places), "p0 p2.0 p3.0 p2.1 p3.1 p2.2 p3.2");
  EXPECT_EQ(names_of(net, clusters[1].transitions), (Names{"t5.0", "t6.0", "t7.0"}));
}

TEST(SharedPlaces, TellWhichPairsCanCompete) {
  const Structure s(test::wpnm_net({.warps = 3}));
  const Names names = transition_groups(s.net).names;
  const std::vector<SharedPlace> shared = shared_places(s.net, s.graph, s.enabling);
  ASSERT_EQ(shared.size(), 6u) << "p0 p2 p3 p11 p12 p15";
  const SharedPlace& pool = shared[0];
  ASSERT_EQ(pool.competing.size(), 2u);
  EXPECT_EQ(names[pool.competing[0].first] + names[pool.competing[0].second], "t0t1");
  EXPECT_EQ(pool.competing[0].pairs, 3u);
  EXPECT_EQ(pool.competing[0].possible, 0u);
  EXPECT_EQ(pool.competing[1].pairs, 3u);
  EXPECT_EQ(pool.competing[1].possible, 3u);
  EXPECT_EQ(shared[2].instances, 3u);
  const auto possible = std::count_if(shared[2].competing.begin(), shared[2].competing.end(),
                                      [](const CompetingPair& pair) { return pair.possible > 0; });
  EXPECT_EQ(possible, 3) << "t2 t3 t4 with each other, none with t16";
}

TEST(SharedPlaces, WithTooManyPairsCountThemWithoutProof) {
  const Structure s(test::wpnm_net({.warps = 3}));
  const std::vector<SharedPlace> examined = shared_places(s.net, s.graph, s.enabling);
  const std::vector<SharedPlace> counted =
      shared_places(s.net, s.graph, s.enabling, {.max_pairs = 5});
  ASSERT_EQ(counted.size(), examined.size());
  EXPECT_TRUE(examined[0].examined);
  EXPECT_FALSE(counted[0].examined);
  ASSERT_EQ(counted[0].competing.size(), examined[0].competing.size());
  for (std::size_t i = 0; i < counted[0].competing.size(); ++i) {
    EXPECT_EQ(counted[0].competing[i].pairs, examined[0].competing[i].pairs);
    EXPECT_EQ(counted[0].competing[i].possible, counted[0].competing[i].pairs);
  }
}

TEST(Enabling, AnInputThatInhibitsIsAContradiction) {
  const Structure s(build({.places = {{"p.0", 1}, {"q", 0}},
                           .transitions = {{"t", {{"p.0", 1}}, {{"q", 1}}, {"p.0"}}}}));
  EXPECT_EQ(s.never_enabled("t"), "takes from p and is inhibited by it");
  EXPECT_TRUE(s.enabling.contradicts_itself(TransitionId{0}));
}

TEST(Enabling, APlaceThatIsNeverEmptyInhibitsForEver) {
  const Structure s(
      build({.places = {{"on", 2}, {"p", 1}},
             .transitions = {{"loop", {{"on", 2}}, {{"on", 1}}}, {"t", {{"p", 1}}, {}, {"on"}}}}));
  EXPECT_EQ(s.never_enabled("t"), "is inhibited by on, which is never empty");
  EXPECT_EQ(s.never_enabled("loop"), "");
}

TEST(Enabling, AWeightAboveTheBoundIsAContradiction) {
  const Structure s(build({.places = {{"a", 2}, {"b", 0}},
                           .transitions = {{"go", {{"a", 1}}, {{"b", 1}}},
                                           {"back", {{"b", 1}}, {{"a", 1}}},
                                           {"t", {{"b", 3}}, {{"a", 3}}},
                                           {"u", {{"a", 2}, {"b", 1}}, {{"b", 3}}}}}));
  EXPECT_EQ(s.never_enabled("t"), "needs 3 of b, more than an invariant allows");
  EXPECT_EQ(s.never_enabled("u"), "needs 2 of a and 1 of b, more than an invariant allows");
  EXPECT_TRUE(s.enabling.contradicts_itself(*s.net.find_transition("t")));
  EXPECT_EQ(s.never_enabled("go"), "");
}

TEST(Enabling, TokensThatNeverComeAreNoContradiction) {
  const Structure s(build(
      {.places = {{"a", 0}, {"b", 0}, {"c", 1}},
       .transitions = {{"t", {{"a", 1}}, {{"b", 1}}}, {"u", {{"b", 1}, {"c", 1}}, {{"c", 1}}}}}));
  EXPECT_EQ(s.never_enabled("u"), "takes from b, which never gets a token");
  EXPECT_FALSE(s.never_enabled("t").empty());
  EXPECT_FALSE(s.enabling.contradicts_itself(TransitionId{0}));
  EXPECT_FALSE(s.enabling.contradicts_itself(TransitionId{1}));
}

TEST(Endless, IsACycleButNotWhatUsesUpSomething) {
  const Structure s(build({.places = {{"a", 1}, {"b", 0}, {"fuel", 9}},
                           .transitions = {{"go", {{"a", 1}}, {{"b", 1}}},
                                           {"back", {{"b", 1}}, {{"a", 1}}},
                                           {"burn", {{"b", 1}, {"fuel", 1}}, {{"a", 1}}}}}));
  EXPECT_EQ(names_of(s.net, s.endless()), (Names{"go", "back"}));
  EXPECT_TRUE(self_sustaining_transitions(s.net).empty());
}

TEST(Endless, IsEmptyForAChainThatRunsDry) {
  const Structure s(
      build({.places = {{"a", 9}, {"b", 0}, {"c", 0}},
             .transitions = {{"t", {{"a", 1}}, {{"b", 1}}}, {"u", {{"b", 1}}, {{"c", 1}}}}}));
  EXPECT_TRUE(s.endless().empty());
  EXPECT_EQ(set_text(s.net, growing_places(s.net)), "c");
}

TEST(Endless, LeavesOutALossyLoopWhenAllPlacesAreBounded) {
  // Two tokens of a become one: there is no T-invariant, although a and b feed each other.
  const Structure s(build({.places = {{"a", 8}, {"b", 0}, {"gone", 0}},
                           .transitions = {{"t", {{"a", 2}}, {{"b", 1}, {"gone", 1}}},
                                           {"u", {{"b", 1}}, {{"a", 1}}}}}));
  EXPECT_EQ(sums_of(s.net, s.sums), Texts{"a + b + gone = 8"});
  EXPECT_TRUE(s.endless().empty());
}

TEST(Endless, HasASourceAndNotWhatIsNeverEnabled) {
  const Structure s(build(
      {.places = {{"a", 0}, {"b", 1}},
       .transitions = {{"source", {}, {{"a", 1}}}, {"loop", {{"b", 1}}, {{"b", 1}}, {"b"}}}}));
  EXPECT_EQ(names_of(s.net, s.endless()), Names{"source"});
}

TEST(Shape, CountsAndClassifies) {
  const Net ring = test::parallel_ring(3);
  const NetShape shape = shape_of(ring, graph_of(ring));
  EXPECT_EQ(shape.places, 6u);
  EXPECT_EQ(shape.arcs, 12u);
  EXPECT_EQ(shape.parts, 1u);
  EXPECT_TRUE(shape.ordinary && shape.marked_graph && shape.free_choice);
  EXPECT_FALSE(shape.state_machine);

  const Net choice =
      build({.places = {{"a", 1}, {"b", 0}},
             .transitions = {{"t", {{"a", 1}}, {{"b", 1}}}, {"u", {{"a", 1}}, {{"b", 1}}}}});
  const NetShape of_choice = shape_of(choice, graph_of(choice));
  EXPECT_TRUE(of_choice.state_machine && of_choice.free_choice);
  EXPECT_FALSE(of_choice.marked_graph);

  const Net locks = test::mutual_exclusion();
  EXPECT_FALSE(shape_of(locks, graph_of(locks)).free_choice);

  const Net paper = test::wpnm_net({.warps = 2});
  const NetShape of_paper = shape_of(paper, graph_of(paper));
  EXPECT_EQ(of_paper.max_weight, 21);
  EXPECT_EQ(of_paper.inhibitor_arcs, 8u);
  EXPECT_FALSE(of_paper.ordinary || of_paper.free_choice);
}

TEST(EndlessTransitions, OneThatFillsItsOwnInhibitorStopsItself) {
  TinyNet tiny = {.places = {{"a", 1}, {"b", 0}},
                  .transitions = {{"t", {{"a", 1}}, {{"a", 1}, {"b", 1}}, {"b"}}}};
  const Net alone = build(tiny);
  EXPECT_TRUE(self_sustaining_transitions(alone).empty());
  EXPECT_TRUE(Structure(alone).endless().empty());
  tiny.transitions.push_back({"empty", {{"b", 1}}, {}});
  const Net emptied = build(tiny);
  EXPECT_TRUE(self_sustaining_transitions(emptied).empty());
  EXPECT_FALSE(Structure(emptied).endless().empty()) << "another empties the inhibitor again";
}

TEST(Goal, WithAMarkedTrapCanNeverHold) {
  const TinyNet looping = {.places = {{"a", 1}, {"b", 0}, {"c", 1}},
                           .transitions = {{"go", {{"a", 1}}, {{"b", 1}}},
                                           {"back", {{"b", 1}}, {{"a", 1}}},
                                           {"drop", {{"c", 1}}, {}}},
                           .goal = {"c", "b", "a"}};
  const Net net = build(looping);
  EXPECT_EQ(set_text(net, trap_in_goal(net)), "a b");
  TinyNet other = looping;
  other.goal = {"c", "b"};
  EXPECT_TRUE(trap_in_goal(build(other)).empty()) << "b empties when a token goes back";
  EXPECT_FALSE(holds_at_start(build(other)));
  other.goal = {"b"};
  EXPECT_TRUE(holds_at_start(build(other)));
  other.goal = {};
  EXPECT_FALSE(holds_at_start(build(other)));
  EXPECT_TRUE(trap_in_goal(build(other)).empty());
}

TEST(SiphonState, TellsWhatStaysWhatMayEmptyAndWhatNeverComes) {
  const Net net = test::philosophers(3);
  const PlaceInvariants sums = place_invariants(net);
  const SiphonProof proof(net, sums);
  std::map<std::string, SiphonState> states;
  for (const PlaceSet& siphon : minimal_siphons(net).sets) {
    states[set_text(net, siphon)] = proof.state_of(siphon);
  }
  EXPECT_EQ(states.at("eat.0 fork.0 eat.1 fork.1 eat.2 fork.2"), SiphonState::kMayEmpty);
  EXPECT_EQ(states.at("think.0 wait.0 eat.0"), SiphonState::kStaysMarked);

  const Net dry = build({.places = {{"a", 0}}, .transitions = {{"t", {{"a", 1}}, {}}}});
  const PlaceInvariants none = place_invariants(dry);
  EXPECT_EQ(SiphonProof(dry, none).state_of({PlaceId{0}}), SiphonState::kUnmarked);
}

}  // namespace
}  // namespace pnsim
