// What the warps of a launch do in all executions of their programs: instructions, or sectors that
// they request from L2.
#pragma once

#include <span>
#include <vector>

#include "simulator/model/launch/launch.h"

namespace pnsim {

class WarpSums {
 public:
  double of(std::span<const ProgramItem> program) const;
  double of(const ProgramItem& item) const { return of(only(item)); }
  double once(const ProgramItem& item) const;  // of one execution of an item without a body
  double of_kind(std::size_t kind) const { return kinds_[kind]; }  // [Launch::warp_kinds]
  double all() const { return all_; }                              // of all warps

 private:
  friend WarpSums warp_instructions(const Launch& launch);
  friend WarpSums warp_sectors(const Launch& launch);
  WarpSums(const Launch& launch, std::vector<double> segments, double of_counts);

  std::vector<double> segments_, kinds_;
  double of_counts_;  // of an instruction of an item that has no segment
  double all_ = 0;
};

WarpSums warp_instructions(const Launch& launch);

// Sectors of global, local and texture memory at L2: of loads and fetches the share that the launch
// misses in L1 on average. 0 for items that have no segment.
WarpSums warp_sectors(const Launch& launch);

}  // namespace pnsim
