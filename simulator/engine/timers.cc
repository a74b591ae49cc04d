#include "simulator/engine/timers.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pnsim {
namespace {

// The arcs around each place.
struct Surroundings {
  struct Takers {
    std::uint32_t count = 0;
    TransitionId first, last;
  };
  std::vector<Takers> takers;          // [place]
  std::vector<std::uint32_t> fillers;  // [place] transitions that add to it
  std::vector<char> is_read;           // [place] an inhibitor or a goal reads whether it is empty
  std::vector<char> is_counted;        // [place] a goal reads how many tokens it holds
};

Surroundings surroundings(const Net& net) {
  Surroundings around{std::vector<Surroundings::Takers>(net.place_count()),
                      std::vector<std::uint32_t>(net.place_count()),
                      std::vector<char>(net.place_count()), std::vector<char>(net.place_count())};
  for (std::uint32_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t{i};
    for (const Arc& arc : net.inputs(t)) {
      Surroundings::Takers& takers = around.takers[arc.place.value];
      if (takers.count++ == 0) takers.first = t;
      takers.last = t;
    }
    for (const Arc& arc : net.outputs(t)) ++around.fillers[arc.place.value];
    for (const PlaceId p : net.inhibitors(t)) around.is_read[p.value] = true;
  }
  for (const PlaceId p : net.goal()) around.is_read[p.value] = true;
  for (const TokenRange& range : net.goal_ranges()) around.is_counted[range.place.value] = true;
  return around;
}

const Arc* arc_to(std::span<const Arc> arcs, PlaceId place) {
  for (const Arc& arc : arcs) {
    if (arc.place == place) return &arc;
  }
  return nullptr;
}

bool is_pool(const Net& net, PlaceId p) {
  const auto& pool = net.observables().scheduler_pool;
  return pool && *pool == p;
}

bool is_waiting(const Net& net, TransitionId t) {
  const auto& waiting = net.observables().waiting;
  return std::find(waiting.begin(), waiting.end(), t) != waiting.end();
}

// The delay with this `tick` transition, if there is one.
std::optional<Timer> delay_of(const Net& net, const Surroundings& around, TransitionId tick) {
  const auto in = net.inputs(tick), out = net.outputs(tick);
  if (in[0].weight != 2 || out.size() != 2) return std::nullopt;
  const PlaceId wait = in[0].place;
  const PlaceId passed = out[0].place == wait ? out[1].place : out[0].place;
  const Arc* const kept = arc_to(out, wait);
  const auto& takers = around.takers[wait.value];
  if (!kept || kept->weight != 1 || arc_to(out, passed)->weight != 1 || takers.count != 2 ||
      around.fillers[passed.value] != 1 || around.takers[passed.value].count != 1 ||
      around.is_read[passed.value] || around.is_counted[passed.value] || is_pool(net, passed) ||
      is_pool(net, wait)) {
    return std::nullopt;
  }
  const TransitionId end = takers.first == tick ? takers.last : takers.first;
  const Arc* const one = arc_to(net.inputs(end), wait);
  const Arc* const all = arc_to(net.inputs(end), passed);
  if (net.inputs(end).size() != 2 || one->weight != 1 || !all) return std::nullopt;
  return Timer{wait, passed, tick, all->weight};
}

std::optional<Timer> timer_of(const Net& net, const Surroundings& around, TransitionId tick) {
  const auto in = net.inputs(tick);
  if (in.size() != 1 || !net.inhibitors(tick).empty() || is_waiting(net, tick)) return std::nullopt;
  if (around.is_counted[in[0].place.value]) return std::nullopt;
  if (!net.outputs(tick).empty()) return delay_of(net, around, tick);
  const PlaceId wait = in[0].place;
  if (in[0].weight != 1 || around.takers[wait.value].count != 1 || is_pool(net, wait)) {
    return std::nullopt;
  }
  return Timer{wait, wait, tick};
}

}  // namespace

std::vector<Timer> find_timers(const Net& net) {
  const Surroundings around = surroundings(net);
  std::vector<Timer> timers;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (const auto timer = timer_of(net, around, TransitionId{t})) timers.push_back(*timer);
  }
  return timers;
}

}  // namespace pnsim
