#include "simulator/model/cost/memory_rates.h"

namespace pnsim {

PeakRates peak_rates(const DeviceFacts& facts, bool several_waves) {
  const LevelBandwidth &l2 = facts.l2, &dram = facts.dram;
  if (several_waves) return {l2.read, l2.write, l2.copy, dram.read, dram.write, dram.copy};
  return {l2.read_8_blocks,   l2.write_8_blocks,   l2.copy_8_blocks,
          dram.read_8_blocks, dram.write_8_blocks, dram.copy_8_blocks};
}

}  // namespace pnsim
