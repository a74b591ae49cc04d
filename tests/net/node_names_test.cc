#include "simulator/net/node_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "simulator/net/net_builder.h"
#include "tests/net/net_testing.h"

namespace pnsim {
namespace {

// "a", "b.0.0" ... "b.1.2", "c.d.7"
NodeNames some_names() {
  NodeNames names;
  names.add("a");
  names.add_instances("none", {2, 0});
  names.add_instances("b", {2, 3});
  names.add("c.d.7");
  names.sort();
  return names;
}

TEST(NodeNames, NamesInstancesLastNumberFastest) {
  const NodeNames names = some_names();
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < names.size(); ++i) all.push_back(names.name(i));
  EXPECT_THAT(all, testing::ElementsAre("a", "b.0.0", "b.0.1", "b.0.2", "b.1.0", "b.1.1", "b.1.2",
                                        "c.d.7"));
}

TEST(NodeNames, GroupsAsTheNamesSay) {
  const NodeNames names = some_names();
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names.group(i), group_of(names.name(i)));
  }
}

TEST(NodeNames, FindsEachName) {
  const NodeNames names = some_names();
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_EQ(names.find(names.name(i)), i);
}

TEST(NodeNames, FindsNoOthers) {
  const NodeNames names = some_names();
  for (const char* other : {"", "b", "b.", "b.0", "b.0.3", "b.2.0", "b.00.0", "b.0.0.0", "b.0.x",
                            "b.-1.0", "b.0.99999999999", "c.d", "a.0", "none.0.0", "d"}) {
    EXPECT_EQ(names.find(other), std::nullopt) << other;
  }
}

TEST(NetBuilder, InstancesAreNamedAlikeAndOnce) {
  NetBuilder builder("rows");
  const std::vector<Tokens> tokens{4, 5};
  EXPECT_EQ(builder.add_places("p", {2}, tokens).value, 0u);
  EXPECT_EQ(builder.add_place("q").value, 2u);
  const TransitionId t = builder.add_transitions("t", {2, 1});
  EXPECT_THROW(builder.add_place("t"), Error);
  EXPECT_THROW(builder.add_transition("p"), Error);
  EXPECT_EQ(builder.find_place("p"), std::nullopt);
  // Arcs in any order: the second transition first, parallel ones apart.
  builder.add_input({t.value + 1}, PlaceId{1}, 2);
  builder.add_input(t, PlaceId{2}, 1);
  builder.add_input(t, PlaceId{0}, 3);
  builder.add_input(t, PlaceId{2}, 4);
  const Net net = builder.build();
  EXPECT_EQ(net.name_of(PlaceId{1}), "p.1");
  EXPECT_EQ(net.name_of(TransitionId{1}), "t.1.0");
  EXPECT_EQ(net.initial_marking(), (Marking{4, 5, 0}));
  EXPECT_THAT(net.inputs(t), testing::ElementsAre(Arc{PlaceId{0}, 3}, Arc{PlaceId{2}, 5}));
  EXPECT_THAT(net.inputs({t.value + 1}), testing::ElementsAre(Arc{PlaceId{1}, 2}));
  EXPECT_EQ(net.find_transition("t.0.0"), t);
}

}  // namespace
}  // namespace pnsim
