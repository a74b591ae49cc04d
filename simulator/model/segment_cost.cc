#include "simulator/model/segment_cost.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pnsim {
namespace {

constexpr double kSectorBytes = 32;
// What the wires between an SM and L2 carry: one sector of 32 bytes in half a cycle (64 bytes a
// cycle and SM, CUDA C++ Best Practices Guide on devices of compute capability 7.0 and later).
constexpr double kMinCyclesPerSector = 0.5;

double counter(const Launch& launch, const char* name) {
  const auto it = launch.counters.find(name);
  return it == launch.counters.end() ? 0 : static_cast<double>(it->second);
}

double share(double part, double whole) { return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0; }

double count_of(const Segment& segment, const char* name) {
  const auto it = segment.classes.find(name);
  return it == segment.classes.end() ? 0 : static_cast<double>(it->second);
}

double instructions_of(const Segment& segment) {
  double sum = 0;
  for (const auto& [name, count] : segment.classes) sum += static_cast<double>(count);
  return sum;
}

bool is_quick(LateResult result) {
  return result == LateResult::kSpecial || result == LateResult::kConstant ||
         result == LateResult::kShuffle || result == LateResult::kShared;
}

Waits waits_of(const Segment& segment) {
  Waits waits = Waits::kNothing;
  for (const LateResult result : segment.waits_for) {
    waits = std::max(waits, is_quick(result) ? Waits::kQuick : Waits::kAll);
  }
  return waits;
}

}  // namespace

CostModel::CostModel(const DeviceProfile& device, const Launch& launch, std::int64_t active_sms)
    : device_(device),
      active_sms_(static_cast<double>(active_sms)),
      warps_per_block_(static_cast<double>(launch.warps_per_block())),
      cycles_per_ns_(device.positive("clock_mhz") / 1000),
      l1_hits_(share(counter(launch, "l1_load_hit_sectors"), counter(launch, "l1_load_sectors"))),
      l2_reads_(counter(launch, "l1_load_sectors") > 0
                    ? share(counter(launch, "l2_read_sectors"), counter(launch, "l1_load_sectors"))
                    : 1),
      l2_writes_(counter(launch, "l1_store_sectors") > 0
                     ? share(counter(launch, "l2_write_sectors"), counter(launch, "l1_store_sectors"))
                     : 1),
      l2_misses_(share(counter(launch, "dram_read_bytes") / kSectorBytes,
                       counter(launch, "l2_read_sectors"))) {
  // A rate of the whole GPU, shared by the active SMs.
  const auto cycles_per_sector = [&](const char* bandwidth) {
    const double bytes_per_cycle = device.positive(bandwidth) / (cycles_per_ns_ * 1e9);
    return std::max(kSectorBytes * active_sms_ / bytes_per_cycle, kMinCyclesPerSector);
  };
  cycles_per_l2_sector_ = cycles_per_sector("l2_read_bandwidth");
  cycles_per_l2_store_ = cycles_per_sector("l2_write_bandwidth");
  cycles_per_dram_sector_ = cycles_per_sector("dram_read_bandwidth");
}

// The scheduler's slots, or the cycles of the busiest of its pipes.
double CostModel::pipe_cycles(const Segment& segment) const {
  const double schedulers = device_.positive("schedulers_per_sm");
  const auto interval = [&](const char* rate) { return schedulers / device_.positive(rate); };
  const double logic = count_of(segment, "int") * interval("int_logic_rate");
  const double mad = count_of(segment, "imad");
  const double fma = std::max(count_of(segment, "fp32") + mad, mad * interval("int_mad_rate"));
  const double special = count_of(segment, "special") * interval("special_rate");
  return std::max({instructions_of(segment), logic, fma, special});
}

double CostModel::quick_latency(const Segment& segment) const {
  const struct {
    const char *name, *latency;
  } kQuick[] = {{"special", "special_latency_cycles"},
                {"special_register", "shared_latency_cycles"},  // goes the same way
                {"shuffle", "shuffle_latency_cycles"},
                {"constant_load", "shared_latency_cycles"},     // likewise
                {"shared_load", "shared_latency_cycles"},
                {"shared_atomic", "shared_latency_cycles"},
                {"matrix_load", "shared_latency_cycles"}};
  double latency = 0;
  for (const auto& quick : kQuick) {
    if (count_of(segment, quick.name) > 0) latency = std::max(latency, device_.positive(quick.latency));
  }
  return latency;
}

void CostModel::add_access(const SegmentAccess& access, SegmentCost& cost, double& loads) const {
  const OpcodeClass& cls = *find_opcode_class(access.access_class);
  const auto count = static_cast<double>(access.count);
  if (cls.paper == InstructionClass::kShared) {
    cost.quick_port += std::max(access.wavefronts, count) * device_.positive("shared_load_cycles");
    return;
  }
  cost.port += std::max(access.tags, count) * device_.positive("l1_load_cycles");
  const bool is_load = cls.result != LateResult::kNone;
  if (is_load) loads += count;
  const double sectors = access.sectors * (is_load ? l2_reads_ : l2_writes_);
  cost.memory += std::max(sectors * (is_load ? cycles_per_l2_sector_ : cycles_per_l2_store_),
                          sectors * l2_misses_ * cycles_per_dram_sector_);
}

// Of the slowest of so many loads, each of which hits L1, L2 or neither as all loads of the launch.
// The warps of a block load together, and who hits a line that is on its way waits for it too.
double CostModel::load_latency(double loads_of_warp) const {
  const double loads = loads_of_warp * warps_per_block_;
  const double l1 = device_.positive("l1_latency_cycles"), l2 = device_.positive("l2_latency_cycles");
  const double any_l2 = 1 - std::pow(l1_hits_, loads);
  const double any_dram = 1 - std::pow(1 - l2_misses_ * (1 - l1_hits_), loads);
  return l1 + any_l2 * (l2 - l1) + any_dram * (device_.positive("dram_latency_cycles") - l2);
}

SegmentCost CostModel::cost(const Segment& segment) const {
  SegmentCost out;
  const double latency = device_.positive("int_logic_latency_cycles");
  double stalls = 0;
  for (std::size_t d = 0; d < segment.distances.size(); ++d) {
    stalls += static_cast<double>(segment.distances[d]) *
              std::max(latency - static_cast<double>(d + 1), 0.0);
  }
  out.issue = std::max(pipe_cycles(segment), 1.0);
  out.work = std::max(out.issue, instructions_of(segment) + stalls);
  out.quick_latency = quick_latency(segment);
  out.quick_port = count_of(segment, "shuffle") / device_.positive("shuffle_rate");
  double loads = 0;
  for (const SegmentAccess& access : segment.accesses) add_access(access, out, loads);
  if (loads > 0) out.latency = load_latency(loads);
  out.waits = waits_of(segment);
  out.joins = segment.end == SegmentEnd::kBarrier;
  return out;
}

SegmentCost CostModel::cost(const InstructionCounts& counts) const {
  Segment segment;
  segment.waits_for = {LateResult::kGlobal};
  segment.classes = {{"int", counts.arithmetic}, {"shared_load", counts.shared},
                     {"global_load", counts.global}};
  const auto shared = static_cast<double>(counts.shared), global = static_cast<double>(counts.global);
  if (counts.shared > 0) segment.accesses.push_back({"shared_load", counts.shared, 4, 0, 0, shared});
  if (counts.global > 0) {
    segment.accesses.push_back({"global_load", counts.global, 4, 4 * global, global, 0});
  }
  return cost(segment);
}

std::int64_t CostModel::launch_cycles() const {
  return std::llround(device_.positive("graph_launch_ns") * cycles_per_ns_);
}

std::int64_t CostModel::dispatch_cycles() const {
  return std::max<std::int64_t>(
      std::llround(device_.positive("block_dispatch_ns") * cycles_per_ns_ * active_sms_), 1);
}

// Measured at 1, 4, 16 and 32 warps; on straight lines between.
std::int64_t CostModel::barrier_cycles(std::int64_t warps) const {
  const struct {
    double warps;
    const char* fact;
  } kMeasured[] = {{1, "barrier_1_warp_cycles"},
                   {4, "barrier_4_warps_cycles"},
                   {16, "barrier_16_warps_cycles"},
                   {32, "barrier_32_warps_cycles"}};
  const auto at = static_cast<double>(warps);
  double cycles = device_.positive(kMeasured[0].fact);
  for (std::size_t i = 1; i < std::size(kMeasured); ++i) {
    const double from = kMeasured[i - 1].warps, to = kMeasured[i].warps;
    if (at <= from) break;
    const double rise = device_.positive(kMeasured[i].fact) - device_.positive(kMeasured[i - 1].fact);
    cycles += rise * (std::min(at, to) - from) / (to - from);
  }
  return std::llround(cycles);
}

}  // namespace pnsim
