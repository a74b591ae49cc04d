// MWP-CWP: how many warps of an SM overlap their memory accesses (memory warp parallelism), and how
// many can compute while one waits for memory (computation warp parallelism).
//
// S. Hong, H. Kim: An analytical model for a GPU architecture with memory-level and thread-level
// parallelism awareness, ISCA 2009, pages 152-163. Names in quotes are the paper's; the equations
// are taken as they stand there:
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

// All counts are of one warp, all times in cycles of the SM.
struct MwpCwpInputs {
  // Of the program.
  double instructions = 0;         // "#Total_insts", memory instructions among them
  double coalesced = 0;            // "#Coal_Mem_insts"
  double uncoalesced = 0;          // "#Uncoal_Mem_insts"
  double uncoalesced_sectors = 0;  // "#Uncoal_per_mw": transactions of an uncoalesced access
  double barriers = 0;             // "#Synch_insts"
  // Of the launch.
  double warps = 0;   // "N": of an SM at a time
  double blocks = 0;  // "#Active_blocks_per_SM"
  double rounds = 0;  // "#Rep"
  // Of the device.
  double issue_cycles = 0;              // "#Issue_cycles"
  double latency_cycles = 0;            // "Mem_LD"
  double coalesced_delay_cycles = 0;    // "Departure_del_coal"
  double uncoalesced_delay_cycles = 0;  // "Departure_del_uncoal"
  // Warps of one SM whose accesses the bandwidth lets through in one cycle, that is
  // "Mem_Bandwidth / (Freq Load_bytes_per_warp #ActiveSM)"; MWP_peak_BW is this times Mem_L.
  double warps_per_cycle = 0;  // infinity where nothing is limited
};

struct MwpCwp {
  double mwp = 0, cwp = 0;
  double cycles = 0;          // with the cost of barriers
  double barrier_cycles = 0;  // that cost alone
};

// The equations alone, but: without memory instructions, of which the paper does not say, a launch
// takes Comp_cycles N #Rep; at a barrier no more warps meet than a block has (N over the blocks),
// so the smaller of that and MWP stands in its cost, which is never under 0. The paper's own
// example comes out the same either way.
MwpCwp mwp_cwp(const MwpCwpInputs& inputs);

// Where the inputs come from. The paper's GPUs had no caches and one scheduler an SM, so this had
// to be adapted:
// - Warps are the mean warp of the launch. Instructions, barriers and accesses are those of the
//   programs; accesses are loads, stores and atomics of global, local and texture memory. Shared
//   memory counts as computation, as in the paper.
// - Coalesced is an access whose sectors of 32 bytes are no more than its lanes' bytes fill; the
//   transactions of the others are their sectors. Accesses without sectors of their own (textures)
//   have the mean of the launch's counters.
// - "Mem_LD" is the mean of the latencies of L1, L2 and DRAM over where the launch's counters say
//   that reads are served (that of L2 when nothing is read): the average memory access time by
//   which J. Sim, A. Dasgupta, H. Kim, R. Vuduc: A performance analysis framework for identifying
//   potential benefits in GPGPU applications, PPoPP 2012, extend the model to caches.
// - "Load_bytes_per_warp" are the bytes that an access moves at L2, and at DRAM, by the counters;
//   each level with its own bandwidth, the narrower one counts.
// - Departure delays: l1_load_cycles, and a 32nd of l1_load_32_lines_cycles for each transaction.
// - "#Issue_cycles" is 1 / issue_rate: all schedulers of the SM together.
// - "#ActiveSM" is min(grid, SMs). "#Rep" is ceil(grid / SMs) / #Active_blocks_per_SM, that of the
//   busiest SM; blocks that are resident are at most those it has.
// Error 3 for a launch without counters, and for a device without one of these facts.
MwpCwpInputs mwp_cwp_inputs(const Launch& launch, const DeviceProfile& device);

// What a launch costs (launch_counters.h) and the cycles at the device's clock, of the launch made
// once.
double mwp_cwp_us(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
