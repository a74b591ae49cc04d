// MWP-CWP, an analytical model of a GPU. MWP (memory warp parallelism) is the number of warps of an
// SM whose memory accesses overlap. CWP (computation warp parallelism) is the number of warps that
// can compute while one warp waits for memory.
//
// Source: S. Hong, H. Kim: An analytical model for a GPU architecture with memory-level and
// thread-level parallelism awareness, ISCA 2009, pages 152-163. Names in quotes are the paper's.
// The equations are the paper's, unchanged:
//
//   Mem_L_Uncoal    = Mem_LD + (#Uncoal_per_mw - 1) Departure_del_uncoal,   Mem_L_Coal = Mem_LD
//   Mem_L           = Mem_L_Uncoal Weight_uncoal + Mem_L_Coal Weight_coal
//   Departure_delay = Departure_del_uncoal #Uncoal_per_mw Weight_uncoal
//                     + Departure_del_coal Weight_coal
//   BW_per_warp     = Freq Load_bytes_per_warp / Mem_L
//   MWP_peak_BW     = Mem_Bandwidth / (BW_per_warp #ActiveSM)
//   MWP             = min(Mem_L / Departure_delay, MWP_peak_BW, N)
//   Comp_cycles     = #Issue_cycles #Total_insts
//   Mem_cycles      = Mem_L_Uncoal #Uncoal_Mem_insts + Mem_L_Coal #Coal_Mem_insts
//   CWP             = min((Mem_cycles + Comp_cycles) / Comp_cycles, N)
//   cycles, MWP = N and CWP = N:           (Mem_cycles + Comp_cycles
//                                           + Comp_cycles / #Mem_insts (MWP - 1)) #Rep
//   CWP >= MWP or Comp_cycles > Mem_cycles: (Mem_cycles N / MWP
//                                           + Comp_cycles / #Mem_insts (MWP - 1)) #Rep
//   otherwise:                              (Mem_L + Comp_cycles N) #Rep
//   and for barriers: Departure_delay (MWP - 1) #Synch_insts #Active_blocks_per_SM #Rep
#pragma once

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

// All counts are per warp; all times are in SM cycles.
struct MwpCwpInputs {
  // From the program.
  double instructions = 0;         // "#Total_insts", memory instructions among them
  double coalesced = 0;            // "#Coal_Mem_insts"
  double uncoalesced = 0;          // "#Uncoal_Mem_insts"
  double uncoalesced_sectors = 0;  // "#Uncoal_per_mw": transactions of an uncoalesced access
  double barriers = 0;             // "#Synch_insts"
  // From the launch.
  double warps = 0;   // "N": of an SM at a time
  double blocks = 0;  // "#Active_blocks_per_SM"
  double rounds = 0;  // "#Rep"
  // From the device.
  double issue_cycles = 0;              // "#Issue_cycles"
  double latency_cycles = 0;            // "Mem_LD"
  double coalesced_delay_cycles = 0;    // "Departure_del_coal"
  double uncoalesced_delay_cycles = 0;  // "Departure_del_uncoal"
  // The number of warps of one SM whose accesses the bandwidth serves in one cycle:
  // "Mem_Bandwidth / (Freq Load_bytes_per_warp #ActiveSM)". MWP_peak_BW is this times Mem_L.
  double warps_per_cycle = 0;  // infinity where nothing is limited
};

struct MwpCwp {
  double mwp = 0, cwp = 0;
  double cycles = 0;          // with the cost of barriers
  double barrier_cycles = 0;  // that cost alone
};

// The equations above, with two additions. First, the paper does not cover a program without memory
// instructions; it takes Comp_cycles N #Rep here. Second, at a barrier only the warps of one block
// wait for each other (N / #Active_blocks_per_SM), so the cost of a barrier uses the smaller of
// that number and MWP, and is never negative. The paper's own example gives the same result either
// way.
MwpCwp mwp_cwp(const MwpCwpInputs& inputs);

// Derives the inputs from a launch and a device. The paper's GPUs had no caches and one scheduler
// per SM, so the inputs are adapted:
// - The warp is the mean warp of the launch. Its instructions, barriers and accesses are those of
//   the programs. Accesses are loads, stores and atomics of global, local and texture memory.
//   Shared memory counts as computation, as in the paper.
// - An access is coalesced when it needs no more 32-byte sectors than its lanes' bytes fill.
//   The number of transactions of an uncoalesced access is its number of sectors. Accesses whose
//   sectors are not recorded (textures) get the mean of the launch's counters.
// - "Mem_LD" is the average memory access time: the latencies of L1, L2 and DRAM, weighted by where
//   the launch's counters say that reads are served (L2 alone when nothing is read). J. Sim,
//   A. Dasgupta, H. Kim, R. Vuduc: A performance analysis framework for identifying potential
//   benefits in GPGPU applications, PPoPP 2012, extend the model to caches in this way.
// - "Load_bytes_per_warp" is the number of bytes per access at L2 and at DRAM, from the counters.
//   Each level has its own bandwidth; the level that limits more is used.
// - The departure delays are l1_load_cycles, and l1_load_32_lines_cycles / 32 per transaction.
// - "#Issue_cycles" is 1 / issue_rate, over all schedulers of the SM together.
// - "#ActiveSM" is min(grid, SMs). "#Rep" is ceil(grid / SMs) / #Active_blocks_per_SM, that of the
//   busiest SM. The number of resident blocks is at most the number of blocks of that SM.
// Throws error 3 when the launch has no counters or the device lacks one of these facts.
MwpCwpInputs mwp_cwp_inputs(const Launch& launch, const DeviceProfile& device);

// The predicted time of one execution of the launch in microseconds: the launch overhead
// (launch_counters.h) plus the cycles at the device's clock.
double mwp_cwp_us(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
