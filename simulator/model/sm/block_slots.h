// Which blocks begin in which slot of an SM, and the programs of the slots' warps.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/launch/sm_phases.h"
#include "simulator/model/sm/first_blocks.h"
#include "simulator/model/sm/warp_rows.h"

namespace pnsim {

// [slot][phase] whether blocks of the phase may begin in the slot. With kInAnySlot all may. With
// kInTheirOrder the first blocks take the slots in their order, and later blocks take any slot.
std::vector<std::vector<char>> admitted(const std::vector<Phase>& phases, std::int64_t slots,
                                        FirstBlocks first);

// What the warps of all block slots execute; equal warps name the same rows.
struct SlotWarps {
  std::vector<WarpRows> rows;
  std::vector<std::vector<std::int64_t>> first;  // [rows][phase] where its program begins
  std::vector<std::size_t> of_warp;              // [warp of the SM] in rows
  std::size_t segments = 1, loops = 1;           // of the longest program

  const WarpRows& rows_of(std::size_t warp) const { return rows[of_warp[warp]]; }
};
SlotWarps warps_of_slots(CostedPrograms& programs, const std::vector<Phase>& phases,
                         const std::vector<std::vector<char>>& admits);

}  // namespace pnsim
