// The facts of a GPU that the model of an SM uses, read once and checked: numbers in stated units
// instead of names to look up.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/base/error.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim {

// Facts that only some launches need. A profile may lack them: the error 3 that names the missing
// or impossible fact comes at the first access.
template <class Facts>
class FactsIfUsed {
 public:
  FactsIfUsed() = default;
  explicit FactsIfUsed(const Facts& facts) : facts_(facts) {}
  explicit FactsIfUsed(std::string error) : error_(std::move(error)) {}

  const Facts* operator->() const {
    if (!facts_) throw Error(ExitCode::kBadInput, error_);
    return &*facts_;
  }

 private:
  std::optional<Facts> facts_;
  std::string error_;
};

struct TextureFacts {
  double texture_fetch_cycles, texture_32_sectors_fetch_cycles;  // of the port
  double texture_latency_cycles;
};

// Fetches from textures of arrays, and of 16 bytes a lane from memory, where they hit L1.
struct TextureKindFacts {
  double texture_memory_16_bytes_cycles;  // of the port, as all cycles
  // Neighbouring texels; texels 4 apart, so that each lane looks up a sector of its own.
  double texture_2d_1_texels_0_lines_cycles, texture_2d_4_texels_0_lines_cycles;
  double texture_2d_linear_16_bytes_cycles, texture_3d_linear_16_bytes_cycles;
  double texture_3d_linear_cycles;
  double texture_2d_1_texels_0_lines_latency_cycles, texture_3d_linear_latency_cycles;
};

// Atomics in L2: time of a warp instruction, or (`lane`, `float`) of one operation in a slice.
struct AtomicFacts {
  double global_atomic_dram_ns, global_atomic_lane_ns, global_atomic_float_ns,
      global_atomic_line_ns, global_atomic_sector_ns;
  double global_atomic_alone_ns, global_load_alone_ns;
};

// Products of matrices by tensor cores: cycles of a scheduler's tensor core, measured by mma_rate
// and wgmma_rate. A warp group's product has 128 columns.
struct TensorFacts {
  double hmma_m16n8k8_f16_cycles, hmma_m16n8k16_f16_cycles, dmma_m8n8k4_f64_cycles,
      dmma_m16n8k16_f64_cycles, hgmma_m64n128k16_f16_cycles, hgmma_m64n128k16_f16_latency_cycles;
};

// The clock while tensor cores are busy for 10, 20, 40, 60 or 80 % of the time, with products of
// warps (mma.sync) or of warp groups (wgmma) (product_clock).
struct TensorClockFacts {
  double tensor_clock_mma_10_mhz, tensor_clock_mma_20_mhz, tensor_clock_mma_40_mhz,
      tensor_clock_mma_60_mhz, tensor_clock_mma_80_mhz;
  double tensor_clock_wgmma_10_mhz, tensor_clock_wgmma_20_mhz, tensor_clock_wgmma_40_mhz,
      tensor_clock_wgmma_60_mhz, tensor_clock_wgmma_80_mhz;
};

// Asynchronous copies from global to shared memory (cp.async), by bytes of a lane: cycles of the
// port for a group of 4 or 16 copies, its end, and 128 shared loads behind them (copy_port).
struct CopyFacts {
  double async_copy_4_bytes_group_4_cycles, async_copy_4_bytes_group_16_cycles,
      async_copy_8_bytes_group_4_cycles, async_copy_8_bytes_group_16_cycles,
      async_copy_16_bytes_group_4_cycles, async_copy_16_bytes_group_16_cycles;
};

// The copy engine (TMA): one copy from L2, until a warp that tests its mbarrier goes on
// (tma_latency).
struct BulkCopyFacts {
  double bulk_load_1024_bytes_latency_cycles, bulk_load_16384_bytes_latency_cycles;
};

// What an SM takes in of copies that are multicast to the blocks of a cluster
// (multicast_bandwidth). Bytes per cycle of an SM.
struct MulticastFacts {
  double multicast_load_bandwidth;
};

// Shared loads of more than a word by each lane (latency_shared_warp).
struct WideLoadFacts {
  double shared_load_16_bytes_latency_cycles;
};

// Rounds of loads that hit L1 and of a store, 32 lines each (scattered_stores).
struct ScatteredStoreFacts {
  double scattered_loads_cycles;  // without the store
  double scattered_loads_and_store_2_bytes_cycles, scattered_loads_and_store_4_bytes_cycles;
};

// The time of the busiest slice of L2 for a request, where all blocks store words, or whole lines,
// in the same few lines (busiest_slice).
struct HotStoreFacts {
  double hot_word_store_ns, hot_line_store_ns;
};

// Lines that another launch has stored, half of them in the other partition of L2 (latency_l2).
struct StoredLineFacts {
  double l2_stored_latency_cycles;
};

// Bytes from DRAM that are written into L2 beside stores (l2_fill). Bytes a second of all SMs.
struct FillFacts {
  double l2_fill_bandwidth;
};

// Code that an SM executes for the first time since another kernel took its place in the
// instruction caches: what a line of 128 bytes and a jump over others take beyond execution, in the
// first 64 KiB of the kernel and (far) behind them (code_fetch_line, code_fetch_jump).
struct CodeFetchFacts {
  double code_line_cycles, code_jump_cycles, far_code_line_cycles, far_code_jump_cycles;
};

// Code that the instruction caches of an SM keep while other kernels run (code_kept).
struct KeptCodeFacts {
  double code_kept_bytes;
};

// What a launch takes longer where its code was evicted from L2 as well, so that DRAM reads it:
// once at its begin, and for each far jump (code_from_dram).
struct DramCodeFacts {
  double dram_code_start_ns, far_dram_code_jump_ns;
};

// How much longer a block takes its place on an SM in a launch whose kernel CUPTI instruments, with
// up to 8 warps and with 32 (recorded_blocks).
struct RecordedBlockFacts {
  double recorded_block_ns, recorded_block_32_warps_ns;
};

// Kernels that access nothing, their parameters, one load, one store, or both.
struct StartFacts {
  double nothing_ns, index_ns, load_ns, store_ns, copy_ns;
};

// Kernels that read `__constant__` memory.
struct ConstantFacts {
  double kernel_nothing_constants_ns, constant_line_ns;
};

// A request of a constant load that misses the SM's constant cache, when all SMs make such requests
// (constant_miss). With fewer SMs it takes less, 10 cycles on one.
struct ConstantMissFacts {
  double constant_miss_cycles;
};

// Bytes a second of all SMs together, measured on one level of memory by the bandwidth
// microbenchmark (256 threads a block, 16 bytes a thread and iteration).
struct LevelBandwidth {
  // Many short blocks, several waves of them.
  double read, write, copy;
  // Eight blocks on each SM that stay for the whole run.
  double read_8_blocks, write_8_blocks, copy_8_blocks;
  // The same with fewer blocks on each SM: how the level's queues fill.
  double read_1_block, read_2_blocks, read_4_blocks;
  double copy_1_block, copy_2_blocks, copy_4_blocks;
};

// Member names are the names of the facts in models/devices/*.json, which say how each was
// measured. `_cycles`: cycles of the SM's clock. `_ns`: nanoseconds. A `_rate` counts in the unit
// that its comment states.
struct DeviceFacts {
  // The GPU.
  double sms, schedulers_per_sm, l2_slices, l2_partitions;
  double clock_mhz;
  double shared_bytes_per_sm;  // shared memory and L1 together

  // Pipes of an SM. Rates: warp instructions a cycle and SM.
  double fp32_rate, fp64_rate, int_logic_rate, int_mad_rate, int_mad_wide_rate;
  double special_rate, constant_rate, special_register_rate, shuffle_rate;
  // Issue slots that accesses and shuffles take.
  double global_load_issue_cycles, global_store_issue_cycles, shared_load_issue_cycles,
      shared_store_issue_cycles, shuffle_issue_cycles, product_and_load_issue_cycles;
  // Latencies of arithmetic, guards, branches, and results of the SM's other units.
  double int_logic_latency_cycles, fp32_latency_cycles, fp64_latency_cycles, fp32_and_logic_cycles;
  double guarded_add_cycles, loop_turn_cycles, loop_turn_64_warps_cycles, if_else_all_cycles,
      if_else_half_cycles;
  double special_latency_cycles, shuffle_latency_cycles, constant_latency_cycles,
      shared_latency_cycles;

  // The port of shared memory and L1: cycles of an access.
  double shared_load_cycles, shared_atomic_cycles, l1_load_cycles, l1_load_31_lines_cycles;

  // Latencies of loads.
  double l1_latency_cycles, l1_1_line_latency_cycles, l1_32_lines_latency_cycles;
  double l2_latency_cycles, l2_mean_sm_latency_cycles, l2_slowest_sm_latency_cycles;
  double l2_1_line_latency_cycles, l2_4_lines_latency_cycles, l2_32_lines_latency_cycles;
  double dram_latency_cycles, dram_1_line_latency_cycles, dram_4_lines_latency_cycles,
      dram_32_lines_latency_cycles;

  // L2 and DRAM, of all SMs together. Rates: sectors a second.
  LevelBandwidth l2, dram;
  double random_l2_sector_rate, random_l2_16_kib_sector_rate, random_l2_64_kib_sector_rate,
      random_l2_256_kib_sector_rate, random_dram_sector_rate;
  double full_l2_store_rate, partial_l2_store_rate, pitched_l2_store_rate, partial_store_rate;
  // The way of a single SM to L2: bytes a second, sectors a second.
  double sm_l2_bandwidth, sm_l2_write_bandwidth, sm_random_l2_sector_rate, sm_full_l2_store_rate,
      sm_partial_l2_store_rate;
  // Footprints up to which L2 keeps all data of a repeated launch, and from which on it keeps none.
  double l2_read_keeps_bytes, l2_read_loses_bytes, l2_copy_keeps_bytes, l2_copy_loses_bytes;

  // Blocks and launches.
  double block_dispatch_ns, block_turnover_ns, barrier_1_warp_cycles;
  double kernel_nothing_ns, kernel_index_ns, kernel_load_ns, kernel_store_ns, kernel_copy_ns;

  FactsIfUsed<TextureFacts> textures;
  std::optional<TextureKindFacts> texture_kinds;  // none: a fetch is as one from memory
  FactsIfUsed<AtomicFacts> atomics;
  FactsIfUsed<ConstantFacts> constants;
  std::optional<TensorFacts> tensor;  // none: products take an issue slot and no tensor core
  std::optional<TensorClockFacts> tensor_clocks;  // none: the clock does not fall with products
  std::optional<CopyFacts> copies;           // none: a copy takes the port like a load of its lines
  std::optional<BulkCopyFacts> bulk_copies;  // none: a copy arrives as soon as a load would
  std::optional<MulticastFacts> multicast;   // none: copies take the SM's link as loads do
  std::optional<KeptCodeFacts> kept_code;    // none: SMs keep no code behind other kernels
  std::optional<DramCodeFacts> dram_code;    // none: code is taken to be in L2
  std::optional<RecordedBlockFacts> recorded_block;  // none: instrumentation is left out
  std::optional<CodeFetchFacts> code_fetch;          // none: code is taken to be in the SMs' caches
  // From the start to the end of kernels with a block on each SM and of kernels of one block, as a
  // recorder reports them for launches in their program (kernel_time). None: kernel_nothing_ns and
  // so on, which are from end to end of launches in a graph.
  std::optional<StartFacts> timed_start, timed_one_block_start;
  std::optional<ConstantMissFacts> constant_misses;  // none: a miss takes as long as a hit
  std::optional<FillFacts> fills;                    // none: they take no time of L2
  std::optional<StoredLineFacts> stored_lines;  // none: they arrive as lines of the same partition
  std::optional<ScatteredStoreFacts> scattered_stores;  // none: a store takes the port as a load
  std::optional<HotStoreFacts> hot_stores;              // none: slices share all requests evenly
  std::optional<WideLoadFacts> wide_loads;  // none: a wide load takes as long as a narrow one

  double cycles_per_ns() const { return clock_mhz / 1000; }
};

// The names of the facts that every prediction of the SM net needs: those of DeviceFacts, without
// those of FactsIfUsed.
std::vector<std::string> needed_facts();

// Error 3 that names all missing facts (DeviceProfile::need). Error 3 with file and fact for one
// that is missing, or is not over 0 and up to 1e18; `sms` and `l2_partitions` are whole numbers.
// Those of FactsIfUsed are refused when they are used.
DeviceFacts read_device_facts(const DeviceProfile& device);

// Whether products on tensor cores take time there; on the other devices they take issue slots
// alone.
bool knows_tensor_rates(const DeviceProfile& device);

// Whether the clock under products is known there; on the other devices it is taken to stay.
bool knows_tensor_clocks(const DeviceProfile& device);
// Whether the profile has CodeFetchFacts.
bool knows_code_fetch(const DeviceProfile& device);

// Whether the profile has DramCodeFacts.
bool knows_code_from_dram(const DeviceProfile& device);
// Whether the profile has KeptCodeFacts.
bool knows_kept_code(const DeviceProfile& device);
// Whether the profile has HotStoreFacts.
bool knows_hot_stores(const DeviceProfile& device);
// Whether the profile has RecordedBlockFacts.
bool knows_recorded_blocks(const DeviceProfile& device);

// Nanoseconds of kernels behind a flush of L2 (`cold`) and alone in a graph (`alone`), one and 96
// of them in a row. Only launches that begin cold need them, so a device may lack them.
struct ColdStartFacts {
  double cold_nothing_ns, cold_96_nothing_ns, cold_index_ns, cold_load_ns, cold_copy_ns;
  double alone_nothing_ns, alone_96_nothing_ns;
};

// Error 3 as of read_device_facts().
ColdStartFacts read_cold_start_facts(const DeviceProfile& device);

}  // namespace pnsim
