// A net made of lanes, ready to be run lane by lane: what a lane does on its own, and the few
// numbers through which lanes see each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/lanes.h"
#include "simulator/net/net.h"

namespace pnsim {

// A signal is a number of the whole net: the tokens of a shared place, or how many lanes have a
// token in a place that somebody outside of the lane looks at.
inline constexpr std::size_t kMaxSignals = 8;
inline constexpr std::size_t kMaxLaneClasses = 3;
// Signals are below this; a net or run that needs more is left to the other engines.
inline constexpr std::int32_t kMaxSignal = 1 << 28;

// One value a signal. In two vectors of GCC and Clang (16 bytes: one instruction on any 64-bit
// processor), as compilers do not make vector instructions of so short a loop.
class Signals {
 public:
  std::int32_t operator[](std::size_t signal) const { return half_[signal / 4][signal % 4]; }
  void add(std::size_t signal, std::int32_t change) { half_[signal / 4][signal % 4] += change; }
  Signals& operator+=(const Signals& change) {
    half_[0] += change.half_[0];
    half_[1] += change.half_[1];
    return *this;
  }
  bool is_zero() const {
    for (std::size_t i = 0; i < kMaxSignals; ++i) {
      if ((*this)[i] != 0) return false;
    }
    return true;
  }

 private:
  typedef std::int32_t Half __attribute__((vector_size(16)));
  static_assert(kMaxSignals == 8);
  Half half_[2] = {};
};

struct SignalArc {
  std::uint32_t signal;
  std::int32_t weight;
};

// signal >= min, and <= max.
struct SignalCondition {
  std::uint32_t signal;
  std::int32_t min;
  std::int32_t max;
};

// How transitions, of a lane or shared, touch the signals.
struct SignalEffect {
  std::vector<SignalCondition> conditions;  // of being enabled
  std::vector<SignalArc> takes, gives;      // of shared places
  std::int32_t pool_taken = 0;              // of the observed scheduler pool; 0 for `waiting`
  bool is_waiting = false;                  // its firings are waiting_steps
};

// Made by make_lane_program() (lane_program_maker.h). The net must outlive it.
class LaneProgram {
 public:
  const Net& net() const { return *net_; }
  const LaneSplit& split() const { return split_; }
  std::size_t lanes() const { return split_.lanes(); }

  // One lane alone, without its arcs to shared places: indices are positions.
  const Net& lane_net() const { return *lane_net_; }
  // [position] what the lane's transitions do to shared places.
  const std::vector<SignalEffect>& lane_effects() const { return lane_effects_; }
  // Whether a transition of the lane depends on shared places: it fires only with their consent.
  bool is_wanting(std::uint32_t position) const {
    return !lane_effects_[position].conditions.empty();
  }

  struct SharedTransition {
    TransitionId id;
    SignalEffect effect;
    bool changes_nothing = false;  // gives back what it takes
  };
  const std::vector<SharedTransition>& shared_transitions() const { return shared_transitions_; }

  // Signals that are 1 more while the lane's place at this position is marked.
  const std::vector<std::uint32_t>& watchers(std::uint32_t position) const {
    return watchers_[position];
  }

  // A counter is a place of the lane that is never filled: xa instructions left. As its tokens
  // only get fewer, levels(p) tokens or more are as good as levels(p). 0: not a counter.
  Tokens levels(std::uint32_t position) const { return levels_[position]; }

  // Index of the place at a position of a lane: [position * lanes + lane].
  const std::uint32_t* places() const { return places_.data(); }
  // Of the places of one lane: [position].
  void initial_marking_of(std::uint32_t lane, Marking& out) const;

  const Signals& initial_signals() const { return initial_signals_; }
  std::size_t signal_count() const { return signal_count_; }
  std::optional<std::uint32_t> goal_signal() const { return goal_signal_; }  // 0: the goal holds
  std::optional<std::uint32_t> pool_signal() const { return pool_signal_; }
  std::optional<std::uint32_t> signal_of(PlaceId shared) const;

  // The names of copies differ in their instance numbers only, so that counts by template place
  // can be made from counts by position.
  bool names_match() const { return names_match_; }

 private:
  friend class LaneProgramMaker;
  LaneProgram() = default;

  const Net* net_ = nullptr;
  LaneSplit split_;
  std::vector<std::uint32_t> places_;  // [position * lanes + lane]
  std::optional<Net> lane_net_;
  std::vector<SignalEffect> lane_effects_;
  std::vector<SharedTransition> shared_transitions_;
  std::vector<std::vector<std::uint32_t>> watchers_;  // [position]
  std::vector<Tokens> levels_;                        // [position]
  std::size_t signal_count_ = 0;
  Signals initial_signals_;
  std::optional<std::uint32_t> goal_signal_, pool_signal_;
  bool names_match_ = true;
};

}  // namespace pnsim
