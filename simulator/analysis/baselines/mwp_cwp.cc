#include "simulator/analysis/baselines/mwp_cwp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulator/analysis/baselines/launch_counters.h"

namespace pnsim {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kLinesOfStride = 32;  // lines per load of the l1_load_32_lines_cycles benchmark

// Sums over all warps of a launch.
struct Executed {
  double instructions = 0, barriers = 0;
  double coalesced = 0, uncoalesced = 0;
  double uncoalesced_sectors = 0;
};

// Sectors per access. Rows without recorded sectors are texture fetches.
double sectors_of(const SegmentAccess& access, double texture_sectors) {
  return access.sectors > 0 ? access.sectors / static_cast<double>(access.count) : texture_sectors;
}

class ExecutedSums {
 public:
  ExecutedSums(const Launch& launch, double texture_sectors)
      : launch_(launch), texture_sectors_(texture_sectors) {}

  void add(const ProgramPlace& place) {
    const auto times = static_cast<double>(place.executions);
    if (place.item.segment) {
      add(launch_.segments[*place.item.segment], times);
    } else if (!place.is_loop()) {
      add(place.item.counts, times);
    }
  }

  const Executed& sums() const { return sums_; }

 private:
  void add(const Segment& segment, double times) {
    for (const auto& [name, count] : segment.classes) {
      sums_.instructions += times * count;
    }
    if (segment.end == SegmentEnd::kBarrier) sums_.barriers += times;
    for (const SegmentAccess& access : segment.accesses) add(access, times);
  }

  void add(const SegmentAccess& access, double times) {
    if (class_of(access).paper != InstructionClass::kGlobal) return;
    const double count = times * access.count;
    const double sectors = sectors_of(access, texture_sectors_);
    const double filled = access.lanes * static_cast<double>(access.bytes) / kBytesOfSector;
    if (sectors <= std::ceil(filled)) {
      sums_.coalesced += count;
    } else {
      sums_.uncoalesced += count;
      sums_.uncoalesced_sectors += count * sectors;
    }
  }

  // Adds instructions whose accesses are unknown: only their counts are given.
  void add(const InstructionCounts& counts, double times) {
    const auto global = static_cast<double>(counts.global);
    sums_.instructions += times * (global + static_cast<double>(counts.arithmetic + counts.shared));
    sums_.coalesced += times * global;
  }

  const Launch& launch_;
  double texture_sectors_;
  Executed sums_;
};

double share(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0;
}

Executed executed_by(const Launch& launch, const LaunchCounters& counters) {
  const double textures = counters.at("tex_instructions");
  ExecutedSums executed(launch, textures > 0 ? counters.at("texture_sectors") / textures : 0);
  for_each_item(launch, [&](const ProgramPlace& place) { executed.add(place); });
  return executed.sums();
}

// The average memory access time of reads. Warps do not wait for writes. A launch without reads
// gets the latency of L2, where its writes go.
double mean_latency_cycles(const LaunchCounters& counters, const DeviceProfile& device) {
  const double l2 = device.positive("l2_latency_cycles");
  const double reads = counters.at("l1_load_sectors") + counters.at("texture_sectors");
  if (reads <= 0) return l2;
  const double l1_misses = share(counters.at("l2_read_sectors"), reads);
  const double l2_misses =
      share(counters.at("dram_read_bytes") / kBytesOfSector, counters.at("l2_read_sectors"));
  const double missed = (1 - l2_misses) * l2 + l2_misses * device.positive("dram_latency_cycles");
  return (1 - l1_misses) * device.positive("l1_latency_cycles") + l1_misses * missed;
}

// Accesses per cycle that the bandwidth of a level allows one SM: bytes per cycle over the bytes
// per access and the number of SMs that share the level.
double accesses_per_cycle(double bytes_per_cycle, double bytes, double accesses, double sms) {
  return bytes > 0 ? bytes_per_cycle / (bytes / accesses * sms) : kUnlimited;
}

double warps_per_cycle(const LaunchCounters& counters, const DeviceProfile& device, double accesses,
                       double sms) {
  if (accesses <= 0) return kUnlimited;
  const double cycles_per_second = 1e6 * device.positive("clock_mhz");
  const auto of = [&](double bytes, const char* bandwidth) {
    return accesses_per_cycle(device.positive(bandwidth) / cycles_per_second, bytes, accesses, sms);
  };
  const double l2_sectors = counters.at("l2_read_sectors") + counters.at("l2_write_sectors") +
                            counters.at("l2_atomic_sectors") + counters.at("l2_reduction_sectors");
  const double dram_bytes = counters.at("dram_read_bytes") + counters.at("dram_write_bytes");
  return std::min(of(kBytesOfSector * l2_sectors, "l2_read_bandwidth"),
                  of(dram_bytes, "dram_read_bandwidth"));
}

// The three cases of the paper.
double cycles_of_a_round(const MwpCwpInputs& in, const MwpCwp& found, double mem_latency,
                         double mem_cycles, double comp_cycles) {
  const double mem_insts = in.coalesced + in.uncoalesced;
  const double between = comp_cycles / mem_insts * (found.mwp - 1);
  if (found.mwp == in.warps && found.cwp == in.warps) return mem_cycles + comp_cycles + between;
  if (found.cwp >= found.mwp || comp_cycles > mem_cycles) {
    return mem_cycles * in.warps / found.mwp + between;
  }
  return mem_latency + comp_cycles * in.warps;
}

}  // namespace

MwpCwp mwp_cwp(const MwpCwpInputs& in) {
  MwpCwp out;
  const double comp_cycles = in.issue_cycles * in.instructions;
  const double mem_insts = in.coalesced + in.uncoalesced;
  if (mem_insts <= 0) {
    out.cycles = comp_cycles * in.warps * in.rounds;
    return out;
  }
  const double weight = in.uncoalesced / mem_insts;
  const double uncoalesced_latency =
      in.latency_cycles + std::max(in.uncoalesced_sectors - 1, 0.0) * in.uncoalesced_delay_cycles;
  const double mem_latency = uncoalesced_latency * weight + in.latency_cycles * (1 - weight);
  const double departure_delay = in.uncoalesced_delay_cycles * in.uncoalesced_sectors * weight +
                                 in.coalesced_delay_cycles * (1 - weight);
  out.mwp = std::min({mem_latency / departure_delay, in.warps_per_cycle * mem_latency, in.warps});
  const double mem_cycles = uncoalesced_latency * in.uncoalesced + in.latency_cycles * in.coalesced;
  out.cwp = std::min((mem_cycles + comp_cycles) / comp_cycles, in.warps);
  out.barrier_cycles = departure_delay *
                       std::max(std::min(out.mwp, in.warps / in.blocks) - 1, 0.0) * in.barriers *
                       in.blocks * in.rounds;
  out.cycles = cycles_of_a_round(in, out, mem_latency, mem_cycles, comp_cycles) * in.rounds +
               out.barrier_cycles;
  return out;
}

MwpCwpInputs mwp_cwp_inputs(const Launch& launch, const DeviceProfile& device) {
  const LaunchCounters counters(launch);
  const Executed all = executed_by(launch, counters);
  const std::int64_t sms = device.count("sms");
  const std::int64_t most_blocks = (launch.grid + sms - 1) / sms;
  const auto warps = static_cast<double>(launch.grid * launch.warps_per_block());
  MwpCwpInputs in;
  in.instructions = all.instructions / warps;
  in.coalesced = all.coalesced / warps;
  in.uncoalesced = all.uncoalesced / warps;
  in.uncoalesced_sectors = all.uncoalesced > 0 ? all.uncoalesced_sectors / all.uncoalesced : 0;
  in.barriers = all.barriers / warps;
  in.blocks = static_cast<double>(std::min(launch.resident_blocks, most_blocks));
  in.warps = in.blocks * static_cast<double>(launch.warps_per_block());
  in.rounds = static_cast<double>(most_blocks) / in.blocks;
  in.issue_cycles = 1 / device.positive("issue_rate");
  in.latency_cycles = mean_latency_cycles(counters, device);
  in.coalesced_delay_cycles = device.positive("l1_load_cycles");
  in.uncoalesced_delay_cycles = device.positive("l1_load_32_lines_cycles") / kLinesOfStride;
  in.warps_per_cycle = warps_per_cycle(counters, device, all.coalesced + all.uncoalesced,
                                       static_cast<double>(std::min(sms, launch.grid)));
  return in;
}

double mwp_cwp_us(const Launch& launch, const DeviceProfile& device) {
  const double cycles = mwp_cwp(mwp_cwp_inputs(launch, device)).cycles;
  return launch_overhead_us(launch, device) + cycles / device.positive("clock_mhz");
}

}  // namespace pnsim
