// How many instructions the warps of a launch execute, by their programs.
#pragma once

#include <span>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

class WarpInstructions {
 public:
  explicit WarpInstructions(const Launch& launch);

  double of(std::span<const ProgramItem> program) const;
  double of(const ProgramItem& item) const { return of(only(item)); }
  double once(const ProgramItem& item) const;  // of one execution of an item without a body
  double of_kind(std::size_t kind) const { return kinds_[kind]; }  // [Launch::warp_kinds]
  double all() const { return all_; }                              // of all warps

 private:
  std::vector<double> segments_, kinds_;
  double all_ = 0;
};

}  // namespace pnsim
