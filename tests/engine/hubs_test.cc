// Which places are hubs, whose clients wait in a list, and which transitions can never be enabled.
#include "simulator/engine/hubs.h"

#include <gtest/gtest.h>

#include "simulator/engine/enabled_set.h"
#include "tests/engine/tiny_net.h"

namespace pnsim {
namespace {

// Three warps want the slot; each has a place of its own besides.
test::TinyNet three_clients() {
  return {.places = {{"slot", 1}, {"a", 1}, {"b", 0}, {"c", 1}, {"done", 0}},
          .transitions = {{"ta", {{"slot", 1}, {"a", 1}}, {{"slot", 1}}},
                          {"tb", {{"slot", 1}, {"b", 1}}, {{"slot", 1}}},
                          {"tc", {{"slot", 1}, {"c", 1}}, {{"slot", 1}}},
                          {"fill", {{"done", 1}}, {{"b", 1}}}}};
}

TEST(Hubs, takers_that_share_one_place_only_are_its_clients) {
  const Hubs hubs = find_hubs(test::build(three_clients()));
  ASSERT_EQ(hubs.hubs.size(), 1u);
  EXPECT_EQ(hubs.hubs[0].place, PlaceId{0});
  EXPECT_EQ(hubs.hubs[0].weight, 1);
  EXPECT_EQ(hubs.hub_of, (std::vector<std::uint32_t>{0, 0, 0, Hubs::kNone}));
}

TEST(Hubs, who_waits_for_a_place_that_nobody_fills_is_dead) {
  const Hubs hubs = find_hubs(test::build(three_clients()));
  EXPECT_EQ(hubs.is_dead, (std::vector<char>{0, 0, 0, 1}));
}

TEST(Hubs, who_wants_tokens_where_there_must_be_none_is_dead) {
  const Hubs hubs = find_hubs(test::build(
      {.places = {{"p", 1}}, .transitions = {{"t", {{"p", 1}}, {{"p", 1}}, {"p"}}, {"u", {{"p", 1}}}}}));
  EXPECT_EQ(hubs.is_dead, (std::vector<char>{1, 0}));
  EXPECT_TRUE(hubs.hubs.empty()) << "one taker is left";
}

TEST(Hubs, a_second_shared_place_or_another_weight_makes_no_hub) {
  test::TinyNet two_shared = three_clients();
  two_shared.transitions[3].takes = {{"a", 1}};
  EXPECT_TRUE(find_hubs(test::build(two_shared)).hubs.empty());
  test::TinyNet unequal = three_clients();
  unequal.transitions[0].takes[0].second = 2;
  unequal.places[0].second = 2;
  EXPECT_TRUE(find_hubs(test::build(unequal)).hubs.empty());
}

TEST(EnabledSet, clients_stand_in_the_queue_while_the_hub_is_empty) {
  const Net net = test::build(three_clients());
  Marking marking = net.initial_marking();
  EnabledSet set(net, marking);
  set.update();
  ASSERT_EQ(set.open().size(), 1u);
  EXPECT_EQ(set.open()[0]->clients, (std::vector<TransitionId>{{0}, {2}}));
  EXPECT_EQ(set.size(), 2u);
  const auto give = [&](std::uint32_t place) {
    marking[place] = 1;
    set.note_more(PlaceId{place});
  };
  const auto take = [&](std::uint32_t place) {
    marking[place] = 0;
    set.note_less(PlaceId{place});
  };
  take(0);
  set.update();
  EXPECT_TRUE(set.open().empty());
  give(2);
  take(1);
  set.update(std::vector<TransitionId>{{0}});
  EXPECT_EQ(set.size(), 0u);
  give(0);
  set.update();
  ASSERT_EQ(set.open().size(), 1u);
  EXPECT_EQ(set.open()[0]->clients, (std::vector<TransitionId>{{1}, {2}}));
}

}  // namespace
}  // namespace pnsim
