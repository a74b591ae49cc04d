#include "simulator/model/cost/segment_cost.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/launch/in_flight.h"
#include "simulator/model/memory/cold_launch.h"
#include "simulator/model/memory/cold_loads.h"

namespace pnsim {
namespace {

constexpr double kLinesOfFloat4 = 4;  // 16 bytes a lane

// Each passes the port once at least.
double quick_accesses(const Segment& segment) {
  double count = count_of(segment, "shuffle") + count_of(segment, "special_register");
  for (const SegmentAccess& access : segment.accesses) {
    count += is_shared_access(access) ? static_cast<double>(access.count) : 0;
  }
  return count;
}

Waits waits_of(const Segment& segment) {
  Waits waits = Waits::kNothing;
  for (const LateResult result : segment.waits_for) {
    waits = std::max(waits, is_quick(result) ? Waits::kQuick : Waits::kAll);
  }
  return waits;
}

}  // namespace

namespace {

void mark_turns(const std::vector<ProgramItem>& program, std::vector<bool>& turns) {
  for (const ProgramItem& item : program) {
    if (item.segment && item.repeat > 1) turns[*item.segment] = true;
    mark_turns(item.body, turns);
    if (!item.body.empty() && item.repeat > 1 && item.body.back().segment) {
      turns[*item.body.back().segment] = true;
    }
  }
}

std::vector<bool> turns_of(const Launch& launch) {
  std::vector<bool> turns(launch.segments.size(), false);
  for (const WarpKind& kind : launch.warp_kinds) mark_turns(kind.program, turns);
  return turns;
}

}  // namespace

namespace {

// Of L1: lines side by side pass as many at a time.
std::int64_t tag_banks(const DeviceProfile& device) {
  constexpr double kLines = 31;
  return std::llround(
      std::clamp(kLines / device.positive("l1_load_31_lines_cycles"), 1.0, kWarpLanes));
}

// What the slowest of all SMs waits longer for L2 than they do on average.
double slowest_sm_cycles(const DeviceProfile& device) {
  return std::max(device.positive("l2_slowest_sm_latency_cycles") -
                      device.positive("l2_mean_sm_latency_cycles"),
                  0.0);
}

// The same of the SMs that have blocks. Where one block follows another, slow SMs get fewer of
// them.
double farthest_sm_cycles(const Launch& launch, const DeviceProfile& device) {
  const double busy = std::clamp(static_cast<double>(launch.grid), 1.0, device.positive("sms"));
  return slowest_sm_cycles(device) * (1 - 1 / busy);
}

}  // namespace

CostModel::CostModel(const DeviceProfile& device, const Launch& launch, double busy_sms)
    : device_(device),
      segments_(launch.segments),
      in_flight_before_(in_flight_before(launch)),
      straight_(straight_segments(launch)),
      opens_(opening_segments(launch)),
      finds_l1_empty_(loads_find_l1_empty(launch, device.positive("sms"))),
      turns_(turns_of(launch)),
      busy_sms_(busy_sms),
      sms_with_blocks_(static_cast<double>(launch.grid) /
                       std::ceil(static_cast<double>(launch.grid) / device.positive("sms"))),
      warps_per_block_(static_cast<double>(launch.warps_per_block())),
      blocks_follow_((launch.grid - 1) / device.count("sms") >= launch.resident_blocks),
      cycles_per_ns_(device.positive("clock_mhz") / 1000),
      tag_banks_(tag_banks(device)),
      traffic_(traffic_of(launch, device)) {
  const double lines = l2_lines_cycles(kLinesOfFloat4);
  const double at_l2 = device_.positive("l2_latency_cycles") + lines;
  const double at_dram = device_.positive("dram_latency_cycles") + lines;
  if (!blocks_follow_) farthest_sm_ = farthest_sm_cycles(launch, device);
  both_ways_ = both_ways_of(launch);
  l2_reads_ = queue_curve("l2_read", at_l2, 16);
  l2_copies_ = queue_curve("l2_copy", at_l2, 32);
  dram_reads_ = queue_curve("dram_read", at_dram, 16);
  dram_copies_ = queue_curve("dram_copy", at_dram, 32);
  set_queues(0, 0);
}

void CostModel::set_queues(double l2, double dram) {
  l2_latency_ = device_.positive("l2_latency_cycles") + farthest_sm_ + l2;
  dram_latency_ =
      std::max(device_.positive("dram_latency_cycles") + farthest_sm_ + dram, l2_latency_);
  costs_.assign(segments_.size(), std::nullopt);
}

// From the segment's begin to its slowest quick result.
double CostModel::quick_latency(const Segment& segment) const {
  const double arithmetic = device_.positive("int_logic_latency_cycles");
  const double shared = device_.positive("shared_latency_cycles");
  const struct {
    const char* name;
    LateResult result;
    double latency;
  } kQuick[] = {{"special", LateResult::kSpecial, device_.positive("special_latency_cycles")},
                {"special_register", LateResult::kSpecial, shared},  // goes the same way
                {"shuffle", LateResult::kShuffle, device_.positive("shuffle_latency_cycles")},
                // Measured with the shift that makes an address of what was loaded.
                {"constant_load", LateResult::kConstant,
                 device_.positive("constant_latency_cycles") - arithmetic},
                {"shared_load", LateResult::kShared, shared},
                {"shared_atomic", LateResult::kShared, shared},
                {"matrix_load", LateResult::kShared, shared}};
  double latency = 0;
  for (const auto& quick : kQuick) {
    if (count_of(segment, quick.name) == 0) continue;
    const auto begin = segment.begins.find(quick.result);
    const auto slots = begin == segment.begins.end() ? 0 : begin->second;
    // The last one begins when its unit has taken those before it.
    const double taken = (count_of(segment, quick.name) - 1) * unit_cycles(quick.name);
    latency = std::max(latency, quick.latency + std::max(static_cast<double>(slots), taken));
  }
  return latency;
}

// Of the port, for a warp's texture fetch: from words side by side to a sector a lane. Lanes that
// lie in lines of their own take longer still, which the counters do not tell.
double CostModel::fetch_cycles() const {
  constexpr double kFew = 4, kMost = 32;  // sectors looked up
  const double few = device_.positive("texture_fetch_cycles"),
               most = device_.positive("texture_32_sectors_fetch_cycles");
  const double part = std::clamp((traffic_.sectors_of_fetch - kFew) / (kMost - kFew), 0.0, 1.0);
  return few + part * std::max(most - few, 0.0);
}

void CostModel::add_access(const SegmentAccess& access, const LoadTraffic& traffic,
                           SegmentCost& cost) const {
  const OpcodeClass& cls = *find_opcode_class(access.access_class);
  const auto count = static_cast<double>(access.count);
  if (cls.paper == InstructionClass::kShared) {
    const double wavefronts = std::max(access.wavefronts, count) * (1 + traffic_.collisions);
    cost.quick_port +=
        wavefronts * device_.positive(cls.name == "shared_atomic" ? "shared_atomic_cycles"
                                                                  : "shared_load_cycles");
    return;
  }
  cost.port += cls.name == "texture" ? count * fetch_cycles()
                                     : std::max(std::max(access.tags * traffic_.tag_cycles, count) *
                                                    device_.positive("l1_load_cycles"),
                                                count * tag_banks_.cycles(access));
  if (is_global_atomic(cls)) {
    cost.atomic += atomic_cycles(access);
    return;
  }
  const auto [l2, dram] =
      cls.result != LateResult::kNone ? load_cycles(access, traffic) : store_cycles(access);
  cost.l2 += l2;
  cost.dram += dram;
  cost.memory += std::max(l2, dram);
}

// Of the port, by who is no access: a special register takes one wavefront, and the next one has to
// wait: in between others pass, as far as there are any then. Accesses without a lane take what was
// counted.
double CostModel::laneless_cycles(const Segment& segment, bool is_opening) const {
  const double alone = 1 / device_.positive("special_register_rate");
  const bool come_together = is_opening && !blocks_follow_;
  const double each = come_together ? alone : std::max(alone - traffic_.beside_registers, 1.0);
  return count_of(segment, "special_register") * each + count_of(segment, "predicated_off") *
                                                            traffic_.off_wavefronts *
                                                            device_.positive("shared_load_cycles");
}

SegmentCost CostModel::cost(const Segment& segment, const SegmentLoads& rows, double branches,
                            const Surroundings& around) const {
  SegmentCost out;
  out.issue = std::max(pipe_cycles(segment, branches), 1.0);
  out.slow = slow_cycles(segment);
  out.work = std::max(out.issue, instructions_of(segment) + stall_cycles(segment));
  out.quick_latency = quick_latency(segment);
  out.quick_port = count_of(segment, "shuffle") / device_.positive("shuffle_rate") +
                   laneless_cycles(segment, around.is_opening);
  for (std::size_t a = 0; a < segment.accesses.size(); ++a) {
    add_access(segment.accesses[a], rows[a], out);
  }
  // The last result is there when the last look-up has passed the port.
  if (out.quick_latency > 0)
    out.quick_latency += std::max(out.quick_port - quick_accesses(segment), 0.0);
  out.latency = load_latency(segment, rows, around, out.port);
  out.waits = waits_of(segment);
  out.joins = segment.end == SegmentEnd::kBarrier;
  return out;
}

SegmentCost CostModel::cost(std::size_t segment) const {
  std::optional<SegmentCost>& known = costs_[segment];
  if (!known) {
    const double branches = segments_[segment].branches + (turns_[segment] ? 1 : 0);
    known = cost(segments_[segment], traffic_.rows[segment], branches,
                 {in_flight_before_[segment], !blocks_follow_ && finds_l1_empty_[segment],
                  straight_[segment], opens_[segment]});
  }
  return *known;
}

SegmentCost CostModel::one_lane_cost(std::size_t at) const {
  Segment segment = segments_[at];
  for (SegmentAccess& access : segment.accesses) {
    const auto count = static_cast<double>(access.count);
    const double lanes = std::max(access.lanes, 1.0);
    for (double* of_all : {&access.sectors, &access.tags, &access.wavefronts}) {
      *of_all = std::max(*of_all / lanes, std::min(*of_all, count));
    }
    access.lanes = 1;
  }
  const double branches = segment.branches + (turns_[at] ? 1 : 0);
  return cost(segment, traffic_.rows[at], branches, {{}, false, false, opens_[at]});
}

SegmentCost CostModel::cost(const Segment& segment) const {
  const SegmentLoads rows(segment.accesses.size(), {traffic_.l1_hits, traffic_.l2_misses, 0});
  return cost(segment, rows, segment.branches, {});
}

SegmentCost CostModel::cost(const InstructionCounts& counts) const {
  Segment segment;
  segment.waits_for = {LateResult::kGlobal};
  segment.classes = {
      {"int", counts.arithmetic}, {"shared_load", counts.shared}, {"global_load", counts.global}};
  const auto shared = static_cast<double>(counts.shared),
             global = static_cast<double>(counts.global);
  if (counts.shared > 0)
    segment.accesses.push_back({"shared_load", counts.shared, 4, 0, 0, shared});
  if (counts.global > 0) {
    segment.accesses.push_back({"global_load", counts.global, 4, 4 * global, global, 0});
  }
  return cost(segment);
}

std::int64_t CostModel::dispatch_cycles() const {
  return std::max<std::int64_t>(rounded_cycles(cycles("block_dispatch_ns") * sms_with_blocks_), 1);
}

std::int64_t CostModel::turnover_cycles() const {
  return rounded_cycles(cycles("block_turnover_ns"));
}

// Measured as a loop around one multiplication: its counter is added to and compared, and the
// branch waits for that.
double CostModel::branch_cycles() const {
  return std::max(device_.positive("loop_turn_cycles") - device_.positive("guarded_add_cycles"),
                  0.0);
}

// Measured as an if with an else, each of 8 dependent multiply-adds. Where half of the lanes take
// it, the other side comes on top, and its way to where they meet: one branch, one meeting.
double CostModel::meet_cycles() const {
  const double side =
      device_.positive("if_else_half_cycles") - device_.positive("if_else_all_cycles");
  return std::max(side - 8 * device_.positive("fp32_latency_cycles") - branch_cycles(), 0.0);
}

// After the last arrival. In blocks of more warps the microbenchmark takes longer by the arrivals,
// one after the other, which the net makes itself.
std::int64_t CostModel::barrier_cycles() const {
  return rounded_cycles(device_.positive("barrier_1_warp_cycles"));
}

namespace {

// What cold constant caches take: each wait as long as an empty kernel takes longer, and each line
// of the module's own on top.
double constant_cycles(const Launch& launch, const DeviceProfile& device) {
  const double waits = counter_of(launch, kConstantWaits);
  if (waits <= 0) return 0;
  const double cold =
      device.positive("kernel_nothing_constants_ns") - device.positive("kernel_nothing_ns");
  const double ns = waits * std::max(cold, 0.0) +
                    counter_of(launch, kConstantLines) * device.positive("constant_line_ns");
  return ns * device.positive("clock_mhz") / 1000;
}

}  // namespace

namespace {

// What a process pays that has done other things than these launches.
double late_cycles(const Launch& launch, const DeviceProfile& device) {
  if (counter_of(launch, kDefaultStreamLaunches) < static_cast<double>(kLaunchesOfAProgram))
    return 0;
  const double longer = device.positive("kernel_late_ns") - device.positive("kernel_index_ns");
  return std::max(longer, 0.0) * device.positive("clock_mhz") / 1000;
}

}  // namespace

// Kernels in a graph, back to back: one that does nothing, and what the first access and the last
// store take beyond their latencies.
double launch_cycles(const Launch& launch, const DeviceProfile& device) {
  const double cycles_per_ns = device.positive("clock_mhz") / 1000;
  const auto over_index = [&](const char* fact) {
    return (device.positive(fact) - device.positive("kernel_index_ns")) * cycles_per_ns;
  };
  double all = device.positive("kernel_nothing_ns") * cycles_per_ns + late_cycles(launch, device);
  const bool loads = makes_loads(launch), stores = makes_stores(launch);
  if (loads) {
    // Measured with a block on each SM, of which the slowest ends the kernel.
    const double longest = device.positive("l2_latency_cycles") + slowest_sm_cycles(device);
    all += std::max(over_index(stores ? "kernel_copy_ns" : "kernel_load_ns") - longest, 0.0);
  } else if (stores) {
    all += std::max(over_index("kernel_store_ns"), 0.0);
  }
  constexpr double kMaxCycles = 0x1p40;  // more than any launch; counters may say anything
  all += cold_start_cycles(launch, device);
  return std::min(all + constant_cycles(launch, device), kMaxCycles);
}

}  // namespace pnsim
