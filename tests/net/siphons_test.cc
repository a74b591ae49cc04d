// Siphons and traps: known nets, and every subset of the places of small random nets.
#include "simulator/net/siphons.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/net/structure_testing.h"

namespace pnsim {
namespace {

using test::set_text;
using test::set_texts;

PlaceSet subset(std::uint32_t bits) {
  PlaceSet out;
  for (std::uint32_t p = 0; p < 32; ++p) {
    if (bits >> p & 1) out.push_back(PlaceId{p});
  }
  return out;
}

bool touches(std::span<const Arc> arcs, const PlaceSet& set) {
  return std::any_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
    return std::binary_search(set.begin(), set.end(), arc.place);
  });
}

// The definitions, taken literally.
bool is_siphon(const Net& net, const PlaceSet& set) {
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const TransitionId id{t};
    if (touches(net.outputs(id), set) && !touches(net.inputs(id), set)) return false;
  }
  return true;
}

bool is_trap(const Net& net, const PlaceSet& set) {
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const TransitionId id{t};
    if (touches(net.inputs(id), set) && !touches(net.outputs(id), set)) return false;
  }
  return true;
}

using IsKind = bool (*)(const Net&, const PlaceSet&);

// By examining every subset.
std::set<std::string> minimal_sets(const Net& net, IsKind is_kind) {
  std::vector<std::uint32_t> minimal;
  const std::uint32_t all = 1u << net.place_count();
  std::vector<std::uint32_t> subsets(all - 1);
  for (std::uint32_t bits = 1; bits < all; ++bits) subsets[bits - 1] = bits;
  std::sort(subsets.begin(), subsets.end(),
            [](auto a, auto b) { return __builtin_popcount(a) < __builtin_popcount(b); });
  for (const std::uint32_t bits : subsets) {
    const bool contains_smaller = std::any_of(minimal.begin(), minimal.end(),
                                              [&](auto small) { return (bits & small) == small; });
    if (!contains_smaller && is_kind(net, subset(bits))) minimal.push_back(bits);
  }
  std::set<std::string> texts;
  for (const std::uint32_t bits : minimal) texts.insert(set_text(net, subset(bits)));
  return texts;
}

PlaceSet largest_set(const Net& net, std::uint32_t allowed, IsKind is_kind) {
  std::uint32_t all = 0;
  for (std::uint32_t bits = 1; bits < 1u << net.place_count(); ++bits) {
    if ((bits & ~allowed) == 0 && is_kind(net, subset(bits))) all |= bits;
  }
  return subset(all);
}

TEST(Siphons, MutualExclusionHasItsInvariantsAsSiphons) {
  const Net net = test::mutual_exclusion();
  const std::set<std::string> expected = {"out.0 in.0", "out.1 in.1", "in.0 in.1 lock"};
  EXPECT_EQ(set_texts(net, minimal_siphons(net)), expected);
  EXPECT_EQ(set_texts(net, minimal_traps(net)), expected);
}

TEST(Siphons, PhilosophersIncludeTheOneThatStarves) {
  const Net net = test::philosophers(3);
  const PlaceSets siphons = minimal_siphons(net);
  EXPECT_EQ(siphons.stopped, "");
  EXPECT_TRUE(set_texts(net, siphons).contains("eat.0 fork.0 eat.1 fork.1 eat.2 fork.2"));
  EXPECT_TRUE(set_texts(net, siphons).contains("think.0 wait.0 eat.0"));
}

TEST(Siphons, ASourceHasNone) {
  const Net net = test::build({.places = {{"p", 0}}, .transitions = {{"t", {}, {{"p", 1}}}}});
  EXPECT_TRUE(minimal_siphons(net).sets.empty());
  EXPECT_EQ(set_texts(net, minimal_traps(net)), (std::set<std::string>{"p"}));
}

TEST(Siphons, AreAllMinimalOnesOfRandomNets) {
  test::RandomStructures nets(1);
  std::size_t siphons = 0, traps = 0;
  for (int n = 0; n < 1000; ++n) {
    const Net net = nets.next();
    const PlaceSets found_siphons = minimal_siphons(net);
    const PlaceSets found_traps = minimal_traps(net);
    ASSERT_EQ(found_siphons.stopped, "");
    ASSERT_EQ(set_texts(net, found_siphons), minimal_sets(net, is_siphon)) << n;
    ASSERT_EQ(set_texts(net, found_traps), minimal_sets(net, is_trap)) << n;
    ASSERT_EQ(set_texts(net, found_siphons).size(), found_siphons.sets.size()) << "found twice";
    siphons += found_siphons.sets.size();
    traps += found_traps.sets.size();
  }
  EXPECT_GT(siphons, 2000u);
  EXPECT_GT(traps, 2000u);
}

TEST(Siphons, LargestOnesAreTheUnionsOfAll) {
  test::RandomStructures nets(2);
  std::mt19937_64 random(3);
  for (int n = 0; n < 500; ++n) {
    const Net net = nets.next();
    const auto allowed = static_cast<std::uint32_t>(random() % (1u << net.place_count()));
    ASSERT_EQ(largest_siphon_within(net, subset(allowed)), largest_set(net, allowed, is_siphon));
    ASSERT_EQ(largest_trap_within(net, subset(allowed)), largest_set(net, allowed, is_trap));
    ASSERT_EQ(TrapFinder(net).largest_within(subset(allowed)), largest_set(net, allowed, is_trap));
  }
}

TEST(Siphons, ParallelPlacesMultiply) {
  EXPECT_EQ(minimal_siphons(test::parallel_ring(6)).sets.size(), 64u);
  EXPECT_EQ(minimal_traps(test::parallel_ring(6)).sets.size(), 64u);
}

TEST(Siphons, SayWhichLimitEndedTheSearch) {
  const Net net = test::parallel_ring(12);
  EXPECT_EQ(minimal_siphons(net, {.max_places = 10}).stopped, "over 10 places");
  EXPECT_EQ(minimal_siphons(net, {.max_sets = 100}).stopped, "after 100 sets");
  EXPECT_EQ(minimal_siphons(net, {.max_sets = 100}).sets.size(), 100u);
  EXPECT_EQ(minimal_siphons(net, {.max_work = 2'000}).stopped, "after 2,000 operations");
}

TEST(Siphons, FoundBeforeALimitAreMinimalOnes) {
  const Net net = test::parallel_ring(12);
  const PlaceSets siphons = minimal_siphons(net, {.max_sets = 50});
  for (const PlaceSet& siphon : siphons.sets) {
    EXPECT_TRUE(is_siphon(net, siphon));
    for (const PlaceId p : siphon) {
      PlaceSet rest = siphon;
      std::erase(rest, p);
      EXPECT_TRUE(largest_siphon_within(net, rest).empty());
    }
  }
}

}  // namespace
}  // namespace pnsim
