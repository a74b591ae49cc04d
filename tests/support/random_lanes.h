// Small random nets for tests of engines of replicated nets: copies of one random part that share a
// few places. A seed gives the same net on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "simulator/net/net_builder.h"

namespace pnsim::test {

// Every seed gives another shape: 2 to 5 lanes (sometimes about 64 or 130), copies side by side or
// one after the other, with counters, delays, weights, inhibitors, shared transitions, goals.
class RandomLanesMaker {
 public:
  explicit RandomLanesMaker(std::uint64_t seed)
      : random_(seed), builder_("lanes_" + std::to_string(seed)) {}

  Net make() {
    lanes_ = below(12) == 0 ? 62 + below(5) : below(40) == 0 ? 127 + below(4) : 2 + below(4);
    place_count_ = 2 + below(5);
    shared_count_ = below(4);
    delay_ = below(3) == 0 ? 2 + below(90) : 0;
    plan_transitions();
    const bool lane_by_lane = chance(50);
    if (chance(50)) add_shared_places();
    if (lane_by_lane) {
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) add_places(lane, 0, place_count_ + 2);
    } else {
      for (std::uint32_t p = 0; p < place_count_ + 2; ++p) {
        for (std::uint32_t lane = 0; lane < lanes_; ++lane) add_places(lane, p, p + 1);
      }
    }
    if (shared_.empty()) add_shared_places();
    if (chance(50)) add_shared_transitions();
    if (lane_by_lane) {
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        for (std::size_t t = 0; t < rows_.size(); ++t) add_transition(lane, t);
      }
    } else {
      for (std::size_t t = 0; t < rows_.size(); ++t) {
        for (std::uint32_t lane = 0; lane < lanes_; ++lane) add_transition(lane, t);
      }
    }
    if (chance(40)) add_shared_transitions();
    add_goal();
    builder_.set_observables(observables_);
    return builder_.build();
  }

 private:
  struct PlannedArc {
    bool shared;
    std::uint32_t place;
    Tokens weight;
  };
  struct Row {  // of a transition in every lane
    std::vector<PlannedArc> takes, gives, inhibited_by;
  };

  PlannedArc planned(Tokens max_weight, std::uint32_t shared_percent) {
    const bool shared = shared_count_ > 0 && chance(shared_percent);
    return {shared, below(shared ? shared_count_ : place_count_),
            1 + below(static_cast<std::uint32_t>(max_weight))};
  }

  void plan_transitions() {
    const std::uint32_t count = 2 + below(6);
    const Tokens max_weight = chance(30) ? 2 : 1;
    for (std::uint32_t t = 0; t < count; ++t) {
      Row row;
      Tokens taken = 0;
      for (std::uint32_t k = 1 + below(3); k > 0; --k) {
        row.takes.push_back(planned(max_weight, 25));
        taken += row.takes.back().weight;
      }
      for (std::uint32_t k = below(static_cast<std::uint32_t>(taken) + 2); k > 0; --k) {
        row.gives.push_back(planned(1, 30));
      }
      if (chance(20)) row.inhibited_by.push_back(planned(1, 30));
      rows_.push_back(row);
    }
    // A chain over the local places keeps the lane in one part.
    for (std::uint32_t p = 0; p + 1 < place_count_; ++p) {
      Row& row = rows_[p % rows_.size()];
      row.gives.push_back({false, p, 1});
      if (chance(60))
        row.takes.push_back({false, p + 1, 1});
      else
        row.gives.push_back({false, p + 1, 1});
    }
    if (delay_ > 0) plan_delay();
  }

  // Counts delay_ steps down: place_count_ holds the steps to pass, place_count_ + 1 those passed.
  void plan_delay() {
    const std::uint32_t left = place_count_, passed = place_count_ + 1;
    rows_[0].gives.push_back({false, left, delay_ + 1});
    rows_.push_back({{{false, left, 2}}, {{false, left, 1}, {false, passed, 1}}, {}});
    rows_.push_back(
        {{{false, left, 1}, {false, passed, delay_}}, {{false, below(place_count_), 1}}, {}});
  }

  void add_places(std::uint32_t lane, std::uint32_t begin, std::uint32_t end) {
    places_.resize(lanes_);
    for (std::uint32_t p = begin; p < end; ++p) {
      if (p >= place_count_ && delay_ == 0) continue;
      const Tokens tokens = p >= place_count_ ? 0 : chance(20) ? below(12) : below(3);
      places_[lane].push_back(
          builder_.add_place("q" + std::to_string(p) + "." + std::to_string(lane), tokens));
    }
  }

  void add_shared_places() {
    for (std::uint32_t i = 0; i < shared_count_; ++i) {
      shared_.push_back(builder_.add_place("g" + std::to_string(i), below(5)));
    }
    if (!shared_.empty() && chance(60)) observables_.scheduler_pool = shared_[0];
  }

  void add_transition(std::uint32_t lane, std::size_t number) {
    const TransitionId t =
        builder_.add_transition("u" + std::to_string(number) + "." + std::to_string(lane));
    const auto place = [&](const PlannedArc& arc) {
      return arc.shared ? shared_[arc.place] : places_[lane][arc.place];
    };
    for (const PlannedArc& arc : rows_[number].takes) builder_.add_input(t, place(arc), arc.weight);
    for (const PlannedArc& arc : rows_[number].gives)
      builder_.add_output(t, place(arc), arc.weight);
    for (const PlannedArc& arc : rows_[number].inhibited_by) builder_.add_inhibitor(t, place(arc));
  }

  void add_shared_transitions() {
    if (shared_.empty()) return;
    const TransitionId t = builder_.add_transition("s" + std::to_string(shared_transitions_++));
    const PlaceId from = shared_[below(shared_count_)];
    builder_.add_input(t, from, 1);
    builder_.add_output(t, chance(70) ? from : shared_[below(shared_count_)], 1);
    if (chance(70)) {
      const std::uint32_t p = below(place_count_);
      for (std::uint32_t lane = 0; lane < lanes_; ++lane)
        builder_.add_inhibitor(t, places_[lane][p]);
    }
    if (chance(60)) observables_.waiting.push_back(t);
  }

  void add_goal() {
    if (chance(50)) return;
    std::vector<PlaceId> goal;
    if (!shared_.empty() && chance(20)) goal.push_back(shared_[0]);
    const std::uint32_t p = below(place_count_);
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) goal.push_back(places_[lane][p]);
    builder_.set_goal(goal);
  }

  // 0 ... size - 1. Not a standard distribution: those differ between libraries.
  std::uint32_t below(std::uint32_t size) { return static_cast<std::uint32_t>(random_() % size); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  std::mt19937_64 random_;
  NetBuilder builder_;
  std::uint32_t lanes_ = 0, place_count_ = 0, shared_count_ = 0, shared_transitions_ = 0;
  Tokens delay_ = 0;
  std::vector<Row> rows_;
  std::vector<std::vector<PlaceId>> places_;  // [lane][place]
  std::vector<PlaceId> shared_;
  Observables observables_;
};

inline Net random_lanes(std::uint64_t seed) { return RandomLanesMaker(seed).make(); }

}  // namespace pnsim::test
