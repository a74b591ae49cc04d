#include "simulator/model/cost/issue_pipes.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace pnsim {
namespace {

// Slots of a taken branch beyond its own. Measured as a loop of four instructions, a
// multiplication, an addition, a comparison and the branch, in as many warps as keep the schedulers
// busy.
double taken_branch_slots(const DeviceFacts& facts) {
  constexpr double kWarps = 64, kInstructions = 4;
  const double warps = kWarps / facts.schedulers_per_sm;
  return std::max(facts.loop_turn_64_warps_cycles / warps - kInstructions, 0.0);
}

// Slots that accesses and shuffles take beyond their own. Measured among independent additions.
double access_slots(const Segment& segment, const DeviceFacts& facts) {
  const auto beyond_one = [](double slots) { return std::max(slots - 1, 0.0); };
  double slots = count_of(segment, "shuffle") * beyond_one(facts.shuffle_issue_cycles);
  for (const SegmentAccess& access : segment.accesses) {
    const OpcodeClass& cls = *find_opcode_class(access.access_class);
    const bool is_shared = cls.paper == InstructionClass::kShared,
               loads = cls.result != LateResult::kNone;
    const bool brings_data = !loads || is_global_atomic(cls) || cls.name == "shared_atomic";
    const double of_one =
        is_shared
            ? (brings_data ? facts.shared_store_issue_cycles : facts.shared_load_issue_cycles)
            : (brings_data ? facts.global_store_issue_cycles : facts.global_load_issue_cycles);
    slots += access.count * beyond_one(of_one);
  }
  return slots;
}

// Stall cycles of instructions that need a result 1, 2 ... slots after its producer was issued.
double stalls_of(std::span<const double> distances, double latency) {
  double stalls = 0;
  for (std::size_t d = 0; d < distances.size(); ++d) {
    stalls += distances[d] * std::max(latency - static_cast<double>(d + 1), 0.0);
  }
  return stalls;
}

}  // namespace

double issue_cycles(const Segment& segment, double branches, const DeviceFacts& facts,
                    const Heuristics& heuristics) {
  const auto interval = [&](double rate) { return facts.schedulers_per_sm / rate; };
  const double logic = count_of(segment, "int") * interval(facts.int_logic_rate);
  const double mad = count_of(segment, "imad"), wide = count_of(segment, "imad_wide");
  const double fma = std::max(
      (count_of(segment, "fp32") + mad) * std::max(std::floor(interval(facts.fp32_rate)), 1.0),
      mad * interval(facts.int_mad_rate));
  const double fp64 = count_of(segment, "fp64") * interval(facts.fp64_rate);
  // Measured with the additions that the compiler puts beside it, one and a half.
  const double wide_slots = std::max(interval(facts.int_mad_wide_rate) - 1.5, 1.0);
  const double held = wide * (wide_slots - 1);  // no pipe gets another instruction in these slots
  // A load and the product that computes its address take less than the sum of both alone.
  const double apart = wide_slots + facts.global_load_issue_cycles;
  const double together = std::max(facts.product_and_load_issue_cycles, 2.0);
  const double pairs = heuristics.on(Heuristic::kAddressProducts)
                           ? std::min(wide, count_of(segment, "global_load"))
                           : 0;
  const double spared = pairs * std::max(apart - together, 0.0);
  const double reads = std::max(segment.register_bank_reads[0], segment.register_bank_reads[1]);
  const double slots = instructions_of(segment) + held + access_slots(segment, facts) - spared +
                       branches * taken_branch_slots(facts);
  return std::max({slots, logic + held, fma + held, fp64 + held, reads});
}

double unit_cycles(std::string_view opcode_class, const DeviceFacts& facts) {
  if (opcode_class == "special") return facts.schedulers_per_sm / facts.special_rate;
  return opcode_class == "constant_load" ? facts.schedulers_per_sm / facts.constant_rate : 0;
}

double slow_unit_cycles(const Segment& segment, const DeviceFacts& facts) {
  return count_of(segment, "special") * unit_cycles("special", facts);
}

double first_address_cycles(const Segment& segment, const DeviceFacts& facts) {
  return count_of(segment, "constant_load") / facts.constant_rate;
}

double address_unit_cycles(const Segment& segment, const ConstantTraffic& traffic,
                           const DeviceFacts& facts) {
  const double request = 1 / facts.constant_rate;
  const double miss = facts.constant_misses ? facts.constant_misses->constant_miss_cycles : request;
  return count_of(segment, "constant_load") *
         (std::max(traffic.requests_per_load, 1.0) * request +
          traffic.misses_per_load * std::max(miss - request, 0.0));
}

TensorCycles tensor_cycles(const Segment& segment, const DeviceFacts& facts) {
  if (!facts.tensor) return {};
  const TensorFacts& tensor = *facts.tensor;
  constexpr double kMeasuredColumns = 128;
  const auto of = [&](const char* kind) {
    const auto it = segment.tensor_products.find(kind);
    return it == segment.tensor_products.end() ? 0.0 : it->second;
  };
  const double doubles = of("dmma_8x8x4") * tensor.dmma_m8n8k4_f64_cycles +
                         of("dmma_16x8x16") * tensor.dmma_m16n8k16_f64_cycles;
  return {of("mma_k16_bytes") * tensor.hmma_m16n8k8_f16_cycles +
              of("mma_k32_bytes") * tensor.hmma_m16n8k16_f16_cycles + doubles,
          of("wgmma_columns") * tensor.hgmma_m64n128k16_f16_cycles / kMeasuredColumns, doubles};
}

double product_latency(const Segment& segment, const DeviceFacts& facts) {
  const double groups = tensor_cycles(segment, facts).of_groups;
  const auto last = segment.last_producer_slots.find(LateResult::kTensor);
  if (groups <= 0 || last == segment.last_producer_slots.end()) return 0;
  const double behind =
      facts.tensor->hgmma_m64n128k16_f16_latency_cycles - facts.tensor->hgmma_m64n128k16_f16_cycles;
  return groups + std::max(behind, 0.0);
}

double stall_cycles(const Segment& segment, const DeviceFacts& facts) {
  const double latency = facts.int_logic_latency_cycles;
  // Measured as an operation of each pipe, alternating.
  const double across = facts.fp32_and_logic_cycles / 2;
  double stalls = segment.tensor_stall_cycles + stalls_of(segment.distances, latency) +
                  stalls_of(segment.distances_across, across) +
                  stalls_of(segment.distances_double, facts.fp64_latency_cycles);
  stalls += segment.branches * branch_cycles(facts) +
            static_cast<double>(segment.reconvergences) * reconvergence_cycles(facts);
  // Measured as a comparison and an addition that it guards, alternating.
  const double guard = facts.guarded_add_cycles - latency;
  const auto longer = guard - static_cast<double>(kGuardIssueCycles);
  return stalls + std::max(segment.predicate_stall_cycles + segment.predicate_stalls * longer, 0.0);
}

// Measured as a loop around one multiplication: its counter is incremented and compared, and the
// branch waits for that.
double branch_cycles(const DeviceFacts& facts) {
  return std::max(facts.loop_turn_cycles - facts.guarded_add_cycles, 0.0);
}

// Measured as an if with an else, each of 8 dependent multiply-adds. If half of the lanes take each
// side, the warp also executes the other side: one branch and one reconvergence more.
double reconvergence_cycles(const DeviceFacts& facts) {
  const double side = facts.if_else_half_cycles - facts.if_else_all_cycles;
  return std::max(side - 8 * facts.fp32_latency_cycles - branch_cycles(facts), 0.0);
}

}  // namespace pnsim
