// Sizes of the memory system's units: the same on all GPUs of the last ten years.
#pragma once

namespace pnsim {

inline constexpr double kSectorBytes = 32;  // L1, L2 and DRAM transfer sectors
inline constexpr double kLineBytes = 128;   // the bytes of one tag of L1 or L2
inline constexpr double kSectorsPerLine = 4;
inline constexpr double kSectorsPerPair = 2;  // L2 fetches pairs of sectors from DRAM

}  // namespace pnsim
