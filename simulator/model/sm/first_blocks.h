// Which block slots of the SM the first blocks of a launch take.
#pragma once

namespace pnsim {

enum class FirstBlocks {
  kInTheirOrder,  // block i takes slot i; later blocks take any slot
  kInAnySlot,
};

}  // namespace pnsim
