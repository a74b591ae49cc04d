// Inference: which sectors the loads of straight code request. A profile has the number of sectors
// of each load, but no addresses; offsets from one base register show how loads overlap.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/sass/flow.h"

namespace pnsim {

// An address as the listing writes it: registers, and an offset from them in bytes.
struct LoadAddress {
  std::string registers;  // "R2.64+UR4+"; empty when there is none
  std::int64_t offset = 0;
};

// The address of an instruction such as "LDG.E R2, desc[UR4][R2.64+0x10]": its last brackets.
LoadAddress address_of(const std::string& text);

// One load of a warp; its sectors and lanes are means of one execution.
struct LoadRequest {
  std::size_t place = 0;  // in the run
  std::int64_t offset = 0;
  std::int64_t bytes = 4;  // of a lane
  double sectors = 0;
  double lanes = 32;
};

// The addresses of a warp's lanes: `rows` rows of `bytes` contiguous bytes. With offset 0 each row
// begins `phase` bytes after the start of a sector.
struct LanePattern {
  std::int64_t rows = 1;
  std::int64_t bytes = 4;
  std::int64_t phase = 0;
};

// The pattern with which loads from the same registers request as many sectors as the profiler
// counted. It has no rows where no pattern fits.
LanePattern pattern_of(const std::vector<LoadRequest>& loads);

// The loads of a run in order, and the writes to registers between them.
class RequestedSectors {
 public:
  void load(const std::string& text, LoadRequest load);

  // Ends the groups of loads from the registers that the instruction writes: their base has
  // changed.
  void write(const SassInstruction& sass);

  // [place] the share of a load's sectors that no earlier load from the same registers requests.
  // 1 for other instructions, and where it cannot be inferred.
  std::vector<double> new_shares(std::size_t places) const;

 private:
  std::map<std::string, std::size_t> open_;       // [registers] their current group of loads
  std::vector<std::vector<LoadRequest>> groups_;  // loads from the same registers
};

}  // namespace pnsim
