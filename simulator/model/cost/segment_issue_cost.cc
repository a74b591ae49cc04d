// Of segment_cost.h: what instructions cost at the scheduler and its pipes.
#include <algorithm>
#include <cmath>
#include <span>

#include "simulator/model/cost/segment_cost.h"

namespace pnsim {

// Beyond its own: measured as a loop of four instructions, a multiplication, an addition, a
// comparison and the branch, in as many warps as keep the schedulers busy.
double CostModel::taken_branch_slots() const {
  constexpr double kWarps = 64, kInstructions = 4;
  const double warps = kWarps / device_.positive("schedulers_per_sm");
  return std::max(device_.positive("loop_turn_64_warps_cycles") / warps - kInstructions, 0.0);
}

// Slots beyond their own that accesses and shuffles take: measured among additions that wait for
// nothing.
double CostModel::access_slots(const Segment& segment) const {
  const auto beyond_one = [&](const char* fact) {
    return std::max(device_.positive(fact) - 1, 0.0);
  };
  double slots = count_of(segment, "shuffle") * beyond_one("shuffle_issue_cycles");
  for (const SegmentAccess& access : segment.accesses) {
    const OpcodeClass& cls = *find_opcode_class(access.access_class);
    const bool is_shared = cls.paper == InstructionClass::kShared,
               loads = cls.result != LateResult::kNone;
    const bool brings_data = !loads || is_global_atomic(cls) || cls.name == "shared_atomic";
    slots +=
        static_cast<double>(access.count) *
        beyond_one(is_shared
                       ? (brings_data ? "shared_store_issue_cycles" : "shared_load_issue_cycles")
                       : (brings_data ? "global_store_issue_cycles" : "global_load_issue_cycles"));
  }
  return slots;
}

// The scheduler's slots, or the cycles of the busiest of its pipes, or of a bank of its registers,
// which delivers one operand a cycle.
double CostModel::pipe_cycles(const Segment& segment, double branches) const {
  const double schedulers = device_.positive("schedulers_per_sm");
  const auto interval = [&](const char* rate) { return schedulers / device_.positive(rate); };
  const double logic = count_of(segment, "int") * interval("int_logic_rate");
  const double mad = count_of(segment, "imad"), wide = count_of(segment, "imad_wide");
  const double fma =
      std::max((count_of(segment, "fp32") + mad) * std::max(std::floor(interval("fp32_rate")), 1.0),
               mad * interval("int_mad_rate"));
  const double fp64 = count_of(segment, "fp64") * interval("fp64_rate");
  // Measured with the additions that the compiler puts beside it, one and a half.
  const double wide_slots = std::max(interval("int_mad_wide_rate") - 1.5, 1.0);
  const double held = wide * (wide_slots - 1);  // nothing else goes to any pipe
  // A load and the product that makes its address take less than each of them alone.
  const double apart = wide_slots + device_.positive("global_load_issue_cycles");
  const double together = std::max(device_.positive("product_and_load_issue_cycles"), 2.0);
  const double spared =
      std::min(wide, count_of(segment, "global_load")) * std::max(apart - together, 0.0);
  const auto reads = std::max(segment.bank_reads[0], segment.bank_reads[1]);
  const double slots = instructions_of(segment) + held + access_slots(segment) - spared +
                       branches * taken_branch_slots();
  return std::max({slots, logic + held, fma + held, fp64 + held, static_cast<double>(reads)});
}

// Special functions and constant loads are issued one at a time, to units of their own.
double CostModel::unit_cycles(std::string_view name) const {
  const double schedulers = device_.positive("schedulers_per_sm");
  if (name == "special") return schedulers / device_.positive("special_rate");
  return name == "constant_load" ? schedulers / device_.positive("constant_rate") : 0;
}

double CostModel::slow_cycles(const Segment& segment) const {
  return std::max(count_of(segment, "special") * unit_cycles("special"),
                  count_of(segment, "constant_load") * unit_cycles("constant_load"));
}

namespace {

// Of instructions that need a result 1, 2 ... slots after it was asked for.
double stalls_of(std::span<const std::int64_t> distances, double latency) {
  double stalls = 0;
  for (std::size_t d = 0; d < distances.size(); ++d) {
    stalls +=
        static_cast<double>(distances[d]) * std::max(latency - static_cast<double>(d + 1), 0.0);
  }
  return stalls;
}

}  // namespace

// In which the warp waits for results of its own arithmetic, and for branches.
double CostModel::stall_cycles(const Segment& segment) const {
  const double latency = device_.positive("int_logic_latency_cycles");
  // Measured as an operation of each pipe in turn.
  const double across = device_.positive("fp32_and_logic_cycles") / 2;
  double stalls = stalls_of(segment.distances, latency) +
                  stalls_of(segment.distances_across, across) +
                  stalls_of(segment.distances_double, device_.positive("fp64_latency_cycles"));
  stalls += segment.branches * branch_cycles() + static_cast<double>(segment.meets) * meet_cycles();
  // Measured as a comparison and an addition that it guards, in turn.
  const double guard = device_.positive("guarded_add_cycles") - latency;
  const auto longer = guard - static_cast<double>(kGuardIssueCycles);
  return stalls + std::max(static_cast<double>(segment.guard_cycles) +
                               static_cast<double>(segment.guards) * longer,
                           0.0);
}

}  // namespace pnsim
