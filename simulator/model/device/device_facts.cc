#include "simulator/model/device/device_facts.h"

namespace pnsim {
namespace {

template <class Facts>
struct FactRow {
  double Facts::*member;
  const char* fact;
};

constexpr FactRow<DeviceFacts> kFacts[] = {
    {&DeviceFacts::schedulers_per_sm, "schedulers_per_sm"},
    {&DeviceFacts::l2_slices, "l2_slices"},
    {&DeviceFacts::clock_mhz, "clock_mhz"},
    {&DeviceFacts::shared_bytes_per_sm, "shared_bytes_per_sm"},
    {&DeviceFacts::fp32_rate, "fp32_rate"},
    {&DeviceFacts::fp64_rate, "fp64_rate"},
    {&DeviceFacts::int_logic_rate, "int_logic_rate"},
    {&DeviceFacts::int_mad_rate, "int_mad_rate"},
    {&DeviceFacts::int_mad_wide_rate, "int_mad_wide_rate"},
    {&DeviceFacts::special_rate, "special_rate"},
    {&DeviceFacts::constant_rate, "constant_rate"},
    {&DeviceFacts::special_register_rate, "special_register_rate"},
    {&DeviceFacts::shuffle_rate, "shuffle_rate"},
    {&DeviceFacts::global_load_issue_cycles, "global_load_issue_cycles"},
    {&DeviceFacts::global_store_issue_cycles, "global_store_issue_cycles"},
    {&DeviceFacts::shared_load_issue_cycles, "shared_load_issue_cycles"},
    {&DeviceFacts::shared_store_issue_cycles, "shared_store_issue_cycles"},
    {&DeviceFacts::shuffle_issue_cycles, "shuffle_issue_cycles"},
    {&DeviceFacts::product_and_load_issue_cycles, "product_and_load_issue_cycles"},
    {&DeviceFacts::int_logic_latency_cycles, "int_logic_latency_cycles"},
    {&DeviceFacts::fp32_latency_cycles, "fp32_latency_cycles"},
    {&DeviceFacts::fp64_latency_cycles, "fp64_latency_cycles"},
    {&DeviceFacts::fp32_and_logic_cycles, "fp32_and_logic_cycles"},
    {&DeviceFacts::guarded_add_cycles, "guarded_add_cycles"},
    {&DeviceFacts::loop_turn_cycles, "loop_turn_cycles"},
    {&DeviceFacts::loop_turn_64_warps_cycles, "loop_turn_64_warps_cycles"},
    {&DeviceFacts::if_else_all_cycles, "if_else_all_cycles"},
    {&DeviceFacts::if_else_half_cycles, "if_else_half_cycles"},
    {&DeviceFacts::special_latency_cycles, "special_latency_cycles"},
    {&DeviceFacts::shuffle_latency_cycles, "shuffle_latency_cycles"},
    {&DeviceFacts::constant_latency_cycles, "constant_latency_cycles"},
    {&DeviceFacts::shared_latency_cycles, "shared_latency_cycles"},
    {&DeviceFacts::shared_load_cycles, "shared_load_cycles"},
    {&DeviceFacts::shared_atomic_cycles, "shared_atomic_cycles"},
    {&DeviceFacts::l1_load_cycles, "l1_load_cycles"},
    {&DeviceFacts::l1_load_31_lines_cycles, "l1_load_31_lines_cycles"},
    {&DeviceFacts::l1_latency_cycles, "l1_latency_cycles"},
    {&DeviceFacts::l1_1_line_latency_cycles, "l1_1_line_latency_cycles"},
    {&DeviceFacts::l1_32_lines_latency_cycles, "l1_32_lines_latency_cycles"},
    {&DeviceFacts::l2_latency_cycles, "l2_latency_cycles"},
    {&DeviceFacts::l2_mean_sm_latency_cycles, "l2_mean_sm_latency_cycles"},
    {&DeviceFacts::l2_slowest_sm_latency_cycles, "l2_slowest_sm_latency_cycles"},
    {&DeviceFacts::l2_1_line_latency_cycles, "l2_1_line_latency_cycles"},
    {&DeviceFacts::l2_4_lines_latency_cycles, "l2_4_lines_latency_cycles"},
    {&DeviceFacts::l2_32_lines_latency_cycles, "l2_32_lines_latency_cycles"},
    {&DeviceFacts::dram_latency_cycles, "dram_latency_cycles"},
    {&DeviceFacts::dram_1_line_latency_cycles, "dram_1_line_latency_cycles"},
    {&DeviceFacts::dram_4_lines_latency_cycles, "dram_4_lines_latency_cycles"},
    {&DeviceFacts::dram_32_lines_latency_cycles, "dram_32_lines_latency_cycles"},
    {&DeviceFacts::random_l2_sector_rate, "random_l2_sector_rate"},
    {&DeviceFacts::random_l2_16_kib_sector_rate, "random_l2_16_kib_sector_rate"},
    {&DeviceFacts::random_l2_64_kib_sector_rate, "random_l2_64_kib_sector_rate"},
    {&DeviceFacts::random_l2_256_kib_sector_rate, "random_l2_256_kib_sector_rate"},
    {&DeviceFacts::random_dram_sector_rate, "random_dram_sector_rate"},
    {&DeviceFacts::full_l2_store_rate, "full_l2_store_rate"},
    {&DeviceFacts::partial_l2_store_rate, "partial_l2_store_rate"},
    {&DeviceFacts::pitched_l2_store_rate, "pitched_l2_store_rate"},
    {&DeviceFacts::partial_store_rate, "partial_store_rate"},
    {&DeviceFacts::sm_l2_bandwidth, "sm_l2_bandwidth"},
    {&DeviceFacts::sm_l2_write_bandwidth, "sm_l2_write_bandwidth"},
    {&DeviceFacts::sm_random_l2_sector_rate, "sm_random_l2_sector_rate"},
    {&DeviceFacts::sm_full_l2_store_rate, "sm_full_l2_store_rate"},
    {&DeviceFacts::sm_partial_l2_store_rate, "sm_partial_l2_store_rate"},
    {&DeviceFacts::l2_read_keeps_bytes, "l2_read_keeps_bytes"},
    {&DeviceFacts::l2_read_loses_bytes, "l2_read_loses_bytes"},
    {&DeviceFacts::l2_copy_keeps_bytes, "l2_copy_keeps_bytes"},
    {&DeviceFacts::l2_copy_loses_bytes, "l2_copy_loses_bytes"},
    {&DeviceFacts::block_dispatch_ns, "block_dispatch_ns"},
    {&DeviceFacts::block_turnover_ns, "block_turnover_ns"},
    {&DeviceFacts::barrier_1_warp_cycles, "barrier_1_warp_cycles"},
    {&DeviceFacts::kernel_nothing_ns, "kernel_nothing_ns"},
    {&DeviceFacts::kernel_index_ns, "kernel_index_ns"},
    {&DeviceFacts::kernel_load_ns, "kernel_load_ns"},
    {&DeviceFacts::kernel_store_ns, "kernel_store_ns"},
    {&DeviceFacts::kernel_copy_ns, "kernel_copy_ns"},
};

constexpr FactRow<TextureFacts> kTextureFacts[] = {
    {&TextureFacts::texture_fetch_cycles, "texture_fetch_cycles"},
    {&TextureFacts::texture_32_sectors_fetch_cycles, "texture_32_sectors_fetch_cycles"},
    {&TextureFacts::texture_latency_cycles, "texture_latency_cycles"},
};

constexpr FactRow<TextureKindFacts> kTextureKindFacts[] = {
    {&TextureKindFacts::texture_memory_16_bytes_cycles, "texture_memory_16_bytes_cycles"},
    {&TextureKindFacts::texture_2d_1_texels_0_lines_cycles, "texture_2d_1_texels_0_lines_cycles"},
    {&TextureKindFacts::texture_2d_4_texels_0_lines_cycles, "texture_2d_4_texels_0_lines_cycles"},
    {&TextureKindFacts::texture_2d_linear_16_bytes_cycles, "texture_2d_linear_16_bytes_cycles"},
    {&TextureKindFacts::texture_3d_linear_16_bytes_cycles, "texture_3d_linear_16_bytes_cycles"},
    {&TextureKindFacts::texture_3d_linear_cycles, "texture_3d_linear_cycles"},
    {&TextureKindFacts::texture_2d_1_texels_0_lines_latency_cycles,
     "texture_2d_1_texels_0_lines_latency_cycles"},
    {&TextureKindFacts::texture_3d_linear_latency_cycles, "texture_3d_linear_latency_cycles"},
};

constexpr FactRow<AtomicFacts> kAtomicFacts[] = {
    {&AtomicFacts::global_atomic_dram_ns, "global_atomic_dram_ns"},
    {&AtomicFacts::global_atomic_lane_ns, "global_atomic_lane_ns"},
    {&AtomicFacts::global_atomic_float_ns, "global_atomic_float_ns"},
    {&AtomicFacts::global_atomic_line_ns, "global_atomic_line_ns"},
    {&AtomicFacts::global_atomic_sector_ns, "global_atomic_sector_ns"},
    {&AtomicFacts::global_atomic_alone_ns, "global_atomic_alone_ns"},
    {&AtomicFacts::global_load_alone_ns, "global_load_alone_ns"},
};

constexpr FactRow<TensorFacts> kTensorFacts[] = {
    {&TensorFacts::hmma_m16n8k8_f16_cycles, "hmma_m16n8k8_f16_cycles"},
    {&TensorFacts::hmma_m16n8k16_f16_cycles, "hmma_m16n8k16_f16_cycles"},
    {&TensorFacts::dmma_m8n8k4_f64_cycles, "dmma_m8n8k4_f64_cycles"},
    {&TensorFacts::dmma_m16n8k16_f64_cycles, "dmma_m16n8k16_f64_cycles"},
    {&TensorFacts::hgmma_m64n128k16_f16_cycles, "hgmma_m64n128k16_f16_cycles"},
    {&TensorFacts::hgmma_m64n128k16_f16_latency_cycles, "hgmma_m64n128k16_f16_latency_cycles"},
};

constexpr FactRow<TensorClockFacts> kTensorClockFacts[] = {
    {&TensorClockFacts::tensor_clock_mma_10_mhz, "tensor_clock_mma_10_mhz"},
    {&TensorClockFacts::tensor_clock_mma_20_mhz, "tensor_clock_mma_20_mhz"},
    {&TensorClockFacts::tensor_clock_mma_40_mhz, "tensor_clock_mma_40_mhz"},
    {&TensorClockFacts::tensor_clock_mma_60_mhz, "tensor_clock_mma_60_mhz"},
    {&TensorClockFacts::tensor_clock_mma_80_mhz, "tensor_clock_mma_80_mhz"},
    {&TensorClockFacts::tensor_clock_wgmma_10_mhz, "tensor_clock_wgmma_10_mhz"},
    {&TensorClockFacts::tensor_clock_wgmma_20_mhz, "tensor_clock_wgmma_20_mhz"},
    {&TensorClockFacts::tensor_clock_wgmma_40_mhz, "tensor_clock_wgmma_40_mhz"},
    {&TensorClockFacts::tensor_clock_wgmma_60_mhz, "tensor_clock_wgmma_60_mhz"},
    {&TensorClockFacts::tensor_clock_wgmma_80_mhz, "tensor_clock_wgmma_80_mhz"},
};

constexpr FactRow<CopyFacts> kCopyFacts[] = {
    {&CopyFacts::async_copy_4_bytes_group_4_cycles, "async_copy_4_bytes_group_4_cycles"},
    {&CopyFacts::async_copy_4_bytes_group_16_cycles, "async_copy_4_bytes_group_16_cycles"},
    {&CopyFacts::async_copy_8_bytes_group_4_cycles, "async_copy_8_bytes_group_4_cycles"},
    {&CopyFacts::async_copy_8_bytes_group_16_cycles, "async_copy_8_bytes_group_16_cycles"},
    {&CopyFacts::async_copy_16_bytes_group_4_cycles, "async_copy_16_bytes_group_4_cycles"},
    {&CopyFacts::async_copy_16_bytes_group_16_cycles, "async_copy_16_bytes_group_16_cycles"},
};

constexpr FactRow<BulkCopyFacts> kBulkCopyFacts[] = {
    {&BulkCopyFacts::bulk_load_1024_bytes_latency_cycles, "bulk_load_1024_bytes_latency_cycles"},
    {&BulkCopyFacts::bulk_load_16384_bytes_latency_cycles, "bulk_load_16384_bytes_latency_cycles"},
};

constexpr FactRow<MulticastFacts> kMulticastFacts[] = {
    {&MulticastFacts::multicast_load_bandwidth, "multicast_load_bandwidth"},
};

constexpr FactRow<StartFacts> kTimedStart[] = {
    {&StartFacts::nothing_ns, "kernel_time_nothing_ns"},
    {&StartFacts::index_ns, "kernel_time_index_ns"},
    {&StartFacts::load_ns, "kernel_time_load_ns"},
    {&StartFacts::store_ns, "kernel_time_store_ns"},
    {&StartFacts::copy_ns, "kernel_time_copy_ns"},
};

constexpr FactRow<StartFacts> kTimedOneBlockStart[] = {
    {&StartFacts::nothing_ns, "kernel_time_nothing_1_block_ns"},
    {&StartFacts::index_ns, "kernel_time_index_1_block_ns"},
    {&StartFacts::load_ns, "kernel_time_load_1_block_ns"},
    {&StartFacts::store_ns, "kernel_time_store_1_block_ns"},
    {&StartFacts::copy_ns, "kernel_time_copy_1_block_ns"},
};

constexpr FactRow<CodeFetchFacts> kCodeFetchFacts[] = {
    {&CodeFetchFacts::code_line_cycles, "code_line_cycles"},
    {&CodeFetchFacts::code_jump_cycles, "code_jump_cycles"},
    {&CodeFetchFacts::far_code_line_cycles, "far_code_line_cycles"},
    {&CodeFetchFacts::far_code_jump_cycles, "far_code_jump_cycles"},
};

constexpr FactRow<RecordedBlockFacts> kRecordedBlockFacts[] = {
    {&RecordedBlockFacts::recorded_block_ns, "recorded_block_ns"},
    {&RecordedBlockFacts::recorded_block_32_warps_ns, "recorded_block_32_warps_ns"},
};

constexpr FactRow<KeptCodeFacts> kKeptCodeFacts[] = {
    {&KeptCodeFacts::code_kept_bytes, "code_kept_bytes"},
};

constexpr FactRow<DramCodeFacts> kDramCodeFacts[] = {
    {&DramCodeFacts::dram_code_start_ns, "dram_code_start_ns"},
    {&DramCodeFacts::far_dram_code_jump_ns, "far_dram_code_jump_ns"},
};

constexpr FactRow<ConstantMissFacts> kConstantMissFacts[] = {
    {&ConstantMissFacts::constant_miss_cycles, "constant_miss_cycles"},
};

constexpr FactRow<WideLoadFacts> kWideLoadFacts[] = {
    {&WideLoadFacts::shared_load_16_bytes_latency_cycles, "shared_load_16_bytes_latency_cycles"},
};

constexpr FactRow<ScatteredStoreFacts> kScatteredStoreFacts[] = {
    {&ScatteredStoreFacts::scattered_loads_cycles, "scattered_loads_cycles"},
    {&ScatteredStoreFacts::scattered_loads_and_store_2_bytes_cycles,
     "scattered_loads_and_store_2_bytes_cycles"},
    {&ScatteredStoreFacts::scattered_loads_and_store_4_bytes_cycles,
     "scattered_loads_and_store_4_bytes_cycles"},
};

constexpr FactRow<FillFacts> kFillFacts[] = {
    {&FillFacts::l2_fill_bandwidth, "l2_fill_bandwidth"},
};
constexpr FactRow<HotStoreFacts> kHotStoreFacts[] = {
    {&HotStoreFacts::hot_word_store_ns, "hot_word_store_ns"},
    {&HotStoreFacts::hot_line_store_ns, "hot_line_store_ns"},
};
constexpr FactRow<StoredLineFacts> kStoredLineFacts[] = {
    {&StoredLineFacts::l2_stored_latency_cycles, "l2_stored_latency_cycles"},
};

constexpr FactRow<ConstantFacts> kConstantFacts[] = {
    {&ConstantFacts::kernel_nothing_constants_ns, "kernel_nothing_constants_ns"},
    {&ConstantFacts::constant_line_ns, "constant_line_ns"},
};

constexpr FactRow<ColdStartFacts> kColdFacts[] = {
    {&ColdStartFacts::cold_nothing_ns, "cold_nothing_ns"},
    {&ColdStartFacts::cold_96_nothing_ns, "cold_96_nothing_ns"},
    {&ColdStartFacts::cold_index_ns, "cold_index_ns"},
    {&ColdStartFacts::cold_load_ns, "cold_load_ns"},
    {&ColdStartFacts::cold_copy_ns, "cold_copy_ns"},
    {&ColdStartFacts::alone_nothing_ns, "alone_nothing_ns"},
    {&ColdStartFacts::alone_96_nothing_ns, "alone_96_nothing_ns"},
};

// The suffix after the level's name: "l2_read_bandwidth".
constexpr FactRow<LevelBandwidth> kBandwidths[] = {
    {&LevelBandwidth::read, "_read_bandwidth"},
    {&LevelBandwidth::write, "_write_bandwidth"},
    {&LevelBandwidth::copy, "_copy_bandwidth"},
    {&LevelBandwidth::read_8_blocks, "_read_8_blocks_bandwidth"},
    {&LevelBandwidth::write_8_blocks, "_write_8_blocks_bandwidth"},
    {&LevelBandwidth::copy_8_blocks, "_copy_8_blocks_bandwidth"},
    {&LevelBandwidth::read_1_block, "_read_1_block_bandwidth"},
    {&LevelBandwidth::read_2_blocks, "_read_2_blocks_bandwidth"},
    {&LevelBandwidth::read_4_blocks, "_read_4_blocks_bandwidth"},
    {&LevelBandwidth::copy_1_block, "_copy_1_block_bandwidth"},
    {&LevelBandwidth::copy_2_blocks, "_copy_2_blocks_bandwidth"},
    {&LevelBandwidth::copy_4_blocks, "_copy_4_blocks_bandwidth"},
};

LevelBandwidth read_bandwidth(const std::string& level, const DeviceProfile& device) {
  LevelBandwidth out{};
  for (const auto& [member, fact] : kBandwidths) out.*member = device.positive(level + fact);
  return out;
}

template <class Facts, std::size_t n>
FactsIfUsed<Facts> read_if_used(const FactRow<Facts> (&rows)[n], const DeviceProfile& device) {
  Facts out{};
  try {
    for (const auto& [member, fact] : rows) out.*member = device.positive(fact);
  } catch (const Error& error) {
    return FactsIfUsed<Facts>(std::string(error.what()));
  }
  return FactsIfUsed<Facts>(out);
}

// None unless the profile has all of them.
template <class Facts, std::size_t n>
std::optional<Facts> read_if_known(const FactRow<Facts> (&rows)[n], const DeviceProfile& device) {
  Facts out{};
  for (const auto& [member, fact] : rows) {
    if (!device.facts.contains(fact)) return std::nullopt;
    out.*member = device.positive(fact);
  }
  return out;
}

}  // namespace

std::vector<std::string> needed_facts() {
  std::vector<std::string> out{"sms", "l2_partitions"};
  for (const auto& [member, fact] : kFacts) out.push_back(fact);
  for (const char* level : {"l2", "dram"}) {
    for (const auto& [member, fact] : kBandwidths) out.push_back(std::string(level) + fact);
  }
  return out;
}

DeviceFacts read_device_facts(const DeviceProfile& device) {
  device.need(needed_facts());
  DeviceFacts out{};
  out.sms = static_cast<double>(device.count("sms"));
  out.l2_partitions = static_cast<double>(device.count("l2_partitions"));
  for (const auto& [member, fact] : kFacts) out.*member = device.positive(fact);
  out.l2 = read_bandwidth("l2", device);
  out.dram = read_bandwidth("dram", device);
  out.textures = read_if_used(kTextureFacts, device);
  out.texture_kinds = read_if_known(kTextureKindFacts, device);
  out.atomics = read_if_used(kAtomicFacts, device);
  out.constants = read_if_used(kConstantFacts, device);
  out.tensor = read_if_known(kTensorFacts, device);
  out.tensor_clocks = read_if_known(kTensorClockFacts, device);
  out.copies = read_if_known(kCopyFacts, device);
  out.bulk_copies = read_if_known(kBulkCopyFacts, device);
  out.multicast = read_if_known(kMulticastFacts, device);
  out.code_fetch = read_if_known(kCodeFetchFacts, device);
  out.kept_code = read_if_known(kKeptCodeFacts, device);
  out.dram_code = read_if_known(kDramCodeFacts, device);
  out.recorded_block = read_if_known(kRecordedBlockFacts, device);
  out.timed_start = read_if_known(kTimedStart, device);
  out.timed_one_block_start = read_if_known(kTimedOneBlockStart, device);
  out.constant_misses = read_if_known(kConstantMissFacts, device);
  out.fills = read_if_known(kFillFacts, device);
  out.stored_lines = read_if_known(kStoredLineFacts, device);
  out.scattered_stores = read_if_known(kScatteredStoreFacts, device);
  out.hot_stores = read_if_known(kHotStoreFacts, device);
  out.wide_loads = read_if_known(kWideLoadFacts, device);
  return out;
}

bool knows_tensor_rates(const DeviceProfile& device) {
  return read_if_known(kTensorFacts, device).has_value();
}

bool knows_code_fetch(const DeviceProfile& device) {
  return read_if_known(kCodeFetchFacts, device).has_value();
}

bool knows_kept_code(const DeviceProfile& device) {
  return read_if_known(kKeptCodeFacts, device).has_value();
}

bool knows_hot_stores(const DeviceProfile& device) {
  return read_if_known(kHotStoreFacts, device).has_value();
}

bool knows_code_from_dram(const DeviceProfile& device) {
  return read_if_known(kDramCodeFacts, device).has_value();
}

bool knows_recorded_blocks(const DeviceProfile& device) {
  return read_if_known(kRecordedBlockFacts, device).has_value();
}

bool knows_tensor_clocks(const DeviceProfile& device) {
  return read_if_known(kTensorClockFacts, device).has_value();
}

ColdStartFacts read_cold_start_facts(const DeviceProfile& device) {
  ColdStartFacts out{};
  for (const auto& [member, fact] : kColdFacts) out.*member = device.positive(fact);
  return out;
}

}  // namespace pnsim
