// Which sectors the loads of straight code ask for, as far as their addresses tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/sass/flow.h"

namespace pnsim {

// An address as it is written: registers, and an offset from them in bytes.
struct LoadAddress {
  std::string registers;  // "R2.64+UR4+"; empty when there is none
  std::int64_t offset = 0;
};

// Of "LDG.E R2, desc[UR4][R2.64+0x10]": what stands in the last brackets.
LoadAddress address_of(const std::string& text);

// A load of a warp: means of one execution.
struct AskingLoad {
  std::size_t place = 0;  // in the code
  std::int64_t offset = 0;
  std::int64_t bytes = 4;  // of a lane
  double sectors = 0;
  double lanes = 32;
};

// Where the addresses of a warp's lanes lie: so many rows alike, each `bytes` long without a gap,
// beginning `phase` bytes behind the start of a sector where the offset is 0.
struct LanePattern {
  std::int64_t rows = 1;
  std::int64_t bytes = 4;
  std::int64_t phase = 0;
};

// The pattern by which loads from the same registers ask for as many sectors as was counted; rows =
// 0 where there is none.
LanePattern pattern_of(const std::vector<AskingLoad>& loads);

// Loads in order, and what is written to registers between them.
class AskedFor {
 public:
  void load(const std::string& text, AskingLoad load);

  // Addresses from registers that are written to are others from here on.
  void write(const SassInstruction& sass);

  // [place] the share of a load's sectors that no load before it has asked for from the same
  // registers; 1 for what is no load, or where that cannot be told.
  std::vector<double> fresh(std::size_t places) const;

 private:
  std::map<std::string, std::size_t> open_;      // [registers] the group that they belong to now
  std::vector<std::vector<AskingLoad>> groups_;  // loads from the same registers
};

}  // namespace pnsim
