#include "simulator/analysis/baselines/roofline.h"

#include <algorithm>

#include "simulator/analysis/baselines/launch_counters.h"

namespace pnsim {
namespace {

constexpr double kUsPerSecond = 1e6;

}  // namespace

std::vector<Ceiling> roofline_ceilings(const Launch& launch, const DeviceProfile& device) {
  const LaunchCounters counters(launch);
  const auto sms = static_cast<double>(std::min(device.count("sms"), launch.grid));
  const double cycles_per_us = device.positive("clock_mhz");
  // Time of warp instructions or wavefronts, given the number that an SM serves per cycle.
  const auto of_sms = [&](double work, double per_cycle) {
    return work / (per_cycle * sms * cycles_per_us);
  };
  const auto of_gpu = [&](double bytes, const char* bandwidth) {
    return kUsPerSecond * bytes / device.positive(bandwidth);
  };
  const double l2_writes = counters.at("l2_write_sectors") + counters.at("l2_atomic_sectors") +
                           counters.at("l2_reduction_sectors");
  return {
      {"issue", of_sms(counters.at("issued_instructions"), device.positive("issue_rate"))},
      {"alu", of_sms(counters.at("alu_instructions"), device.positive("int_logic_rate"))},
      {"fma", of_sms(counters.at("fma_instructions"), device.positive("fp32_rate"))},
      {"special", of_sms(counters.at("xu_instructions"), device.positive("special_rate"))},
      {"l1", of_sms(counters.at("l1_wavefronts"), 1 / device.positive("shared_load_cycles"))},
      {"l2 read", of_gpu(kBytesOfSector * counters.at("l2_read_sectors"), "l2_read_bandwidth")},
      {"l2 write", of_gpu(kBytesOfSector * l2_writes, "l2_write_bandwidth")},
      {"dram", of_gpu(counters.at("dram_read_bytes"), "dram_read_bandwidth") +
                   of_gpu(counters.at("dram_write_bytes"), "dram_write_bandwidth")},
  };
}

double roofline_us(const Launch& launch, const DeviceProfile& device) {
  double highest = 0;
  for (const Ceiling& ceiling : roofline_ceilings(launch, device)) {
    highest = std::max(highest, ceiling.us);
  }
  return launch_overhead_us(launch, device) + highest;
}

}  // namespace pnsim
