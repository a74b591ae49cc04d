// A net of lanes, prepared for the lane engine: the behaviour of one lane, and the few numbers
// through which lanes influence each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/lanes.h"
#include "simulator/net/net.h"

namespace pnsim {

// A signal is a number of the whole net. It is either the tokens of a shared place, or the number
// of lanes with a token in a place that another part of the net reads.
inline constexpr std::size_t kMaxSignals = 8;
inline constexpr std::size_t kMaxLaneClasses = 3;
// Signals are below this limit; a net or run that exceeds it is left to the other engines.
inline constexpr std::int32_t kMaxSignal = 1 << 28;

// One value per signal, in two GCC/Clang vectors of 16 bytes. Each is one instruction on any 64-bit
// processor, while compilers do not vectorise so short a loop.
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

// The condition min <= signal <= max.
struct SignalCondition {
  std::uint32_t signal;
  std::int32_t min;
  std::int32_t max;
};

// How a transition, of a lane or shared, depends on and changes the signals.
struct SignalEffect {
  std::vector<SignalCondition> conditions;  // conditions for being enabled
  std::vector<SignalArc> takes, gives;      // arcs of shared places
  // Tokens taken from the observed scheduler pool; 0 for `waiting`.
  std::int32_t pool_taken = 0;
  bool is_waiting = false;  // its firings count as waiting_steps
};

// Made by make_lane_program() (lane_program_maker.h). The net must outlive it.
class LaneProgram {
 public:
  const Net& net() const { return *net_; }
  const LaneSplit& split() const { return split_; }
  std::size_t lanes() const { return split_.lanes(); }

  // A single lane without its arcs to shared places: indices are positions.
  const Net& lane_net() const { return *lane_net_; }
  // [position] the effect of the lane's transitions on shared places.
  const std::vector<SignalEffect>& lane_effects() const { return lane_effects_; }
  // True when a transition of the lane depends on shared places.
  bool is_wanting(std::uint32_t position) const {
    return !lane_effects_[position].conditions.empty();
  }

  struct SharedTransition {
    TransitionId id;
    SignalEffect effect;
    bool changes_nothing = false;  // returns what it takes
  };
  const std::vector<SharedTransition>& shared_transitions() const { return shared_transitions_; }

  // Signals that are 1 higher while the place at this position of a lane is marked.
  const std::vector<std::uint32_t>& watchers(std::uint32_t position) const {
    return watchers_[position];
  }

  // A counter is a place of the lane that no transition fills, for example the remaining
  // instructions xa. Its tokens only decrease, so any number from levels(p) up is equivalent to
  // levels(p). 0: not a counter.
  Tokens levels(std::uint32_t position) const { return levels_[position]; }

  // Index of the place at a position of a lane: [position * lanes + lane].
  const std::uint32_t* places() const { return places_.data(); }
  // Writes the initial tokens of the places of one lane: [position].
  void initial_marking_of(std::uint32_t lane, Marking& out) const;

  const Signals& initial_signals() const { return initial_signals_; }
  std::size_t signal_count() const { return signal_count_; }
  std::optional<std::uint32_t> goal_signal() const { return goal_signal_; }  // the goal holds at 0
  std::optional<std::uint32_t> pool_signal() const { return pool_signal_; }
  std::optional<std::uint32_t> signal_of(PlaceId shared) const;

  // True when the names of copies differ only in their instance numbers. Then counts by template
  // place follow from counts by position.
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
