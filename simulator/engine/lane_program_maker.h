// Checks whether a net of lanes fits the lane engine, and builds its program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/lane_program.h"

namespace pnsim {

// Nothing when the net does not fit the lane engine; `why` (may be null) then says it in words.
std::optional<LaneProgram> make_lane_program(const Net& net, std::string* why = nullptr);

class LaneProgramMaker {
 public:
  explicit LaneProgramMaker(const Net& net) : net_(net) {}

  // Call it at most once. It returns nothing when the net does not fit; why() then gives the
  // reason.
  std::optional<LaneProgram> make();
  const std::string& why() const { return why_; }

 private:
  bool refuse(const std::string& why);
  bool find_positions();
  bool check_numbers();
  bool add_place_signals();
  bool add_shared_transitions();
  bool add_goal();
  bool add_observables();
  void add_lane_effects();
  void make_lane_net();
  void find_counters();
  void compare_names();
  void set_initial_signals();

  bool is_shared(PlaceId p) const { return place_position_[p.value] == kNone; }
  // The signal that counts the lanes with a token at this position.
  std::uint32_t watch(std::uint32_t position);
  SignalEffect effect_of(TransitionId t) const;
  // How many of `places` are at each position; nothing when only some of the lanes have one at a
  // position.
  std::optional<std::vector<std::uint32_t>> whole_positions(std::vector<PlaceId> places) const;

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const Net& net_;
  LaneProgram program_;
  std::string why_;
  std::vector<std::uint32_t> place_position_;       // [place]; kNone: shared
  std::vector<std::uint32_t> transition_position_;  // [transition]; kNone: shared
  std::vector<std::uint32_t> watch_signal_;         // [position]; kNone: not watched
  std::vector<char> is_waiting_;                    // [transition]
};

}  // namespace pnsim
