// Nets for the tests of structure: textbook nets with known answers, and random nets.
#pragma once

#include <random>
#include <set>
#include <string>

#include "simulator/net/elimination.h"
#include "simulator/net/siphons.h"
#include "tests/engine/tiny_net.h"

namespace pnsim::test {

// One producer, one consumer, a buffer with `slots` slots.
inline Net producer_consumer(Tokens slots) {
  return build(
      {.places = {{"idle", 1}, {"made", 0}, {"ready", 1}, {"got", 0}, {"free", slots}, {"full", 0}},
       .transitions = {{"make", {{"idle", 1}}, {{"made", 1}}},
                       {"put", {{"made", 1}, {"free", 1}}, {{"idle", 1}, {"full", 1}}},
                       {"get", {{"ready", 1}, {"full", 1}}, {{"got", 1}, {"free", 1}}},
                       {"use", {{"got", 1}}, {{"ready", 1}}}}});
}

// Two processes share one lock.
inline Net mutual_exclusion() {
  return build({.places = {{"out.0", 1}, {"in.0", 0}, {"out.1", 1}, {"in.1", 0}, {"lock", 1}},
                .transitions = {{"enter.0", {{"out.0", 1}, {"lock", 1}}, {{"in.0", 1}}},
                                {"leave.0", {{"in.0", 1}}, {{"out.0", 1}, {"lock", 1}}},
                                {"enter.1", {{"out.1", 1}, {"lock", 1}}, {{"in.1", 1}}},
                                {"leave.1", {{"in.1", 1}}, {{"out.1", 1}, {"lock", 1}}}}});
}

// Each philosopher takes the left fork, then the right one, eats, and returns both. All can starve.
inline Net philosophers(int count) {
  TinyNet net;
  for (int i = 0; i < count; ++i) {
    const std::string n = "." + std::to_string(i);
    const std::string next = "." + std::to_string((i + 1) % count);
    net.places.insert(net.places.end(),
                      {{"think" + n, 1}, {"wait" + n, 0}, {"eat" + n, 0}, {"fork" + n, 1}});
    net.transitions.push_back({"left" + n, {{"think" + n, 1}, {"fork" + n, 1}}, {{"wait" + n, 1}}});
    net.transitions.push_back(
        {"right" + n, {{"wait" + n, 1}, {"fork" + next, 1}}, {{"eat" + n, 1}}});
    net.transitions.push_back(
        {"done" + n, {{"eat" + n, 1}}, {{"think" + n, 1}, {"fork" + n, 1}, {"fork" + next, 1}}});
  }
  return build(net);
}

// A ring of stages with two parallel places each. A sum may pass through either place of each
// stage, so there are 2^stages minimal sums, and as many minimal siphons and traps.
inline Net parallel_ring(int stages) {
  TinyNet net;
  for (int s = 0; s < stages; ++s) {
    const std::string n = std::to_string(s);
    net.places.insert(net.places.end(), {{"a" + n, s == 0 ? 1 : 0}, {"b" + n, s == 0 ? 1 : 0}});
  }
  for (int s = 0; s < stages; ++s) {
    const std::string from = std::to_string(s), to = std::to_string((s + 1) % stages);
    net.transitions.push_back(
        {"t" + from, {{"a" + from, 1}, {"b" + from, 1}}, {{"a" + to, 1}, {"b" + to, 1}}});
  }
  return build(net);
}

// Small nets of every kind: sources, ends, loops, weights, inhibitors, places without arcs.
class RandomStructures {
 public:
  explicit RandomStructures(std::uint64_t seed) : random_(seed) {}

  Net next() {
    NetBuilder builder("random");
    const std::uint32_t places = 2 + below(6);
    for (std::uint32_t p = 0; p < places; ++p) {
      builder.add_place("p" + std::to_string(p), below(2) ? below(4) : 0);
    }
    const std::uint32_t transitions = 1 + below(6);
    for (std::uint32_t i = 0; i < transitions; ++i) {
      const TransitionId t = builder.add_transition("t" + std::to_string(i));
      const bool conserving = below(3) > 0;
      const std::uint32_t taken = below(10) ? 1 + below(2) : 0;
      const std::uint32_t given = conserving ? taken : below(3);
      for (std::uint32_t a = 0; a < taken; ++a) {
        builder.add_input(t, PlaceId{below(places)}, below(4) ? 1 : 2);
      }
      for (std::uint32_t a = 0; a < given; ++a) {
        builder.add_output(t, PlaceId{below(places)}, below(4) ? 1 : 2);
      }
      if (below(4) == 0) builder.add_inhibitor(t, PlaceId{below(places)});
    }
    std::vector<PlaceId> goal;
    if (below(3) == 0) goal.push_back(PlaceId{below(places)});
    builder.set_goal(goal);
    return builder.build();
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::mt19937_64 random_;
};

// "p0 + 2 p3": a sum or a cycle by name.
template <class Id>
std::string terms_text(const Net& net, const SparseRow& terms) {
  std::string text;
  for (const IndexWeight& e : terms) {
    text += text.empty() ? "" : " + ";
    if (e.weight != 1) text += std::to_string(e.weight) + " ";
    text += net.name_of(Id{e.index});
  }
  return text;
}

inline std::string set_text(const Net& net, const PlaceSet& places) {
  std::string text;
  for (const PlaceId p : places) text += (text.empty() ? "" : " ") + net.name_of(p);
  return text;
}

inline std::set<std::string> set_texts(const Net& net, const PlaceSets& sets) {
  std::set<std::string> texts;
  for (const PlaceSet& set : sets.sets) texts.insert(set_text(net, set));
  return texts;
}

}  // namespace pnsim::test
