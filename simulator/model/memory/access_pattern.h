// How the lanes of a warp access memory. The patterns are inferred from the means of a segment's
// accesses, once for all stages of the model.
#pragma once

#include <vector>

#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// The rows of a tile, or 16 bytes a lane, take up to 8 lines. More lines are a gather.
inline constexpr double kMostLinesOfRows = 8;

struct AccessPattern {
  // By the class of the instruction.
  bool is_shared = false;   // shared memory; all patterns below are of global memory
  bool is_load = false;     // has a result from global, local or texture memory
  bool is_store = false;    // has no result; reductions are stores, too
  bool is_atomic = false;   // works in L2: atomics (with a result) and reductions (without)
  bool is_local = false;    // a thread's own memory: spilled registers, indexed arrays
  bool is_copy = false;     // asynchronous, from global to shared memory
  bool is_bulk = false;     // a copy of the tensor memory accelerator, past L1
  bool is_texture = false;  // a texture fetch
  bool is_fetch = false;  // its result comes through the texture unit; also true for surface loads

  // By the addresses. Several may hold at a time.
  bool coalesced = false;       // neighbouring lanes access neighbouring words: rows
  bool single_sectors = false;  // nearly every line is accessed for one of its sectors
  bool gather = false;          // indexed load: each warp instruction touches many lines
  bool random = false;          // lines in no order, so that they collide in L1's tag banks
  bool private_lines = false;   // of single lanes: no other warp has the same ones
  bool single_words = false;    // each sector is accessed for one word of eight
  bool strided_words = false;   // single words at computed addresses: neighbouring warps have the
                                // words beside them

  double count = 0;              // warp instructions of the row
  double lines = 0;              // mean of one warp instruction
  double lines_of_32_lanes = 0;  // the same if all lanes of the warp were active; at most 32
};

AccessPattern access_pattern(const SegmentAccess& access);

// [Launch::segments][access of the segment]
using AccessPatterns = std::vector<std::vector<AccessPattern>>;
std::vector<AccessPattern> access_patterns(const Segment& segment);
AccessPatterns access_patterns(const Launch& launch);

}  // namespace pnsim
