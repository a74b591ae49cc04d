// In which block slots of the SM the first blocks begin.
#pragma once

namespace pnsim {

enum class FirstBlocks {
  kInTheirOrder,  // each in its own slot; later blocks begin in any
  kInAnySlot,
};

}  // namespace pnsim
