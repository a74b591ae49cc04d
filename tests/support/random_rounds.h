// Small random nets whose lanes repeat a cycle: draw the next action, wait for tokens of a shared
// place, wait out a delay, and draw again. The paper's net has this form. A seed gives the same net
// on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "simulator/net/net_builder.h"

namespace pnsim::test {

class RandomRoundsMaker {
 public:
  explicit RandomRoundsMaker(std::uint64_t seed)
      : random_(seed), builder_("rounds_" + std::to_string(seed)) {}

  Net make() {
    lanes_ = below(4) == 0 ? 28 + below(37) : 2 + below(9);
    weight_ = below(4) == 0 ? 2 : 1;
    ends_ = chance(70);
    for (std::uint32_t k = 1 + below(4); k > 0; --k) {
      kinds_.push_back({1 + below(below(2) == 0 ? 3 : 40), below(3), chance(30), chance(30)});
    }
    pool_ = builder_.add_place("pool", static_cast<Tokens>(weight_ + below(9)));
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) add_lane("." + std::to_string(lane));
    add_idling();
    if (ends_) builder_.set_goal(alive_);
    builder_.set_observables(observables_);
    return builder_.build();
  }

 private:
  struct Kind {
    std::uint32_t steps;      // on the way
    std::uint32_t most;       // times, in one lane; one more in another
    bool gives_back_at_once;  // the shared tokens, at the begin of the way
    bool draws_on_the_way;    // whether to take two more steps
  };

  void add_lane(const std::string& lane) {
    drawing_ = builder_.add_place("drawing" + lane, 1);
    waiting_ = builder_.add_place("waiting" + lane, 0);
    started_ = builder_.add_place("started" + lane, 0);
    alive_.push_back(builder_.add_place("alive" + lane, 1));
    ready_.push_back(waiting_);
    const TransitionId start = builder_.add_transition("start" + lane);
    builder_.add_input(start, pool_, weight_);
    builder_.add_input(start, waiting_, 1);
    builder_.add_output(start, started_, 1);
    std::vector<PlaceId> counts;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      counts.push_back(add_kind(kinds_[k], "_" + std::to_string(k) + lane));
    }
    if (!ends_) return;
    const TransitionId end = builder_.add_transition("end" + lane);
    builder_.add_input(end, drawing_, 1);
    builder_.add_input(end, alive_.back(), 1);
    for (const PlaceId p : counts) builder_.add_inhibitor(end, p);
  }

  PlaceId add_kind(const Kind& kind, const std::string& name) {
    const PlaceId count = builder_.add_place("count" + name, 1 + kind.most + below(2));
    const PlaceId chosen = builder_.add_place("chosen" + name, 0);
    connect("draw" + name, {drawing_, count}, {waiting_, chosen});
    PlaceId at = builder_.add_place("way" + name, 0);
    give_back(connect("go" + name, {started_, chosen}, {at}), kind.gives_back_at_once);
    if (kind.draws_on_the_way) at = add_detour(at, name);
    for (std::uint32_t i = 0; i < kind.steps; ++i) {
      const std::string here = name + "_" + std::to_string(i);
      const PlaceId next = i + 1 == kind.steps ? drawing_ : builder_.add_place("step" + here, 0);
      give_back(connect("pass" + here, {at}, {next}),
                i + 1 == kind.steps && !kind.gives_back_at_once);
      at = next;
    }
    return count;
  }

  PlaceId add_detour(PlaceId from, const std::string& name) {
    const PlaceId a = builder_.add_place("long" + name, 0),
                  b = builder_.add_place("longer" + name, 0);
    const PlaceId to = builder_.add_place("both" + name, 0);
    connect("short" + name, {from}, {to});
    connect("turn" + name, {from}, {a});
    connect("turn2" + name, {a}, {b});
    connect("turn3" + name, {b}, {to});
    return to;
  }

  // A shared transition that gives back what it takes, when no lane waits.
  void add_idling() {
    if (chance(30)) return;
    const TransitionId t = connect("idle", {pool_}, {pool_});
    for (const PlaceId p : ready_) builder_.add_inhibitor(t, p);
    if (chance(70)) observables_.waiting.push_back(t);
    if (chance(70)) observables_.scheduler_pool = pool_;
  }

  TransitionId connect(const std::string& name, const std::vector<PlaceId>& from,
                       const std::vector<PlaceId>& to) {
    const TransitionId t = builder_.add_transition(name);
    for (const PlaceId p : from) builder_.add_input(t, p, 1);
    for (const PlaceId p : to) builder_.add_output(t, p, 1);
    return t;
  }
  void give_back(TransitionId t, bool now) {
    if (now) builder_.add_output(t, pool_, weight_);
  }

  // 0 ... size - 1. Not a standard distribution: those differ between libraries.
  std::uint32_t below(std::uint32_t size) { return static_cast<std::uint32_t>(random_() % size); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  std::mt19937_64 random_;
  NetBuilder builder_;
  std::uint32_t lanes_ = 0;
  Tokens weight_ = 1;
  bool ends_ = false;
  std::vector<Kind> kinds_;
  PlaceId pool_, drawing_, waiting_, started_;
  std::vector<PlaceId> alive_, ready_;  // [lane]
  Observables observables_;
};

inline Net random_rounds(std::uint64_t seed) { return RandomRoundsMaker(seed).make(); }

}  // namespace pnsim::test
