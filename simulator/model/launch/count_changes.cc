#include "simulator/model/launch/count_changes.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/error.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

struct CountName {
  const char* what;  // for messages
  CountChange CountChanges::*change;
  std::int64_t InstructionCounts::*count;
  double CountFactors::*factor;
};

// In the order of count_names().
constexpr CountName kCountNames[] = {{"arithmetic instructions", &CountChanges::arithmetic,
                                      &InstructionCounts::arithmetic, &CountFactors::arithmetic},
                                     {"accesses to shared memory", &CountChanges::shared,
                                      &InstructionCounts::shared, &CountFactors::shared},
                                     {"accesses to global memory", &CountChanges::global,
                                      &InstructionCounts::global, &CountFactors::global}};

void change_counts(const CountChange& change, std::int64_t InstructionCounts::*count,
                   const std::string& name, std::vector<InstructionCounts>& warps) {
  if (change == CountChange{}) return;
  double sum = 0;
  std::int64_t before = 0;
  for (InstructionCounts& warp : warps) {
    sum += static_cast<double>(change.value.value_or(warp.*count));
    const std::int64_t all = scaled(sum, change.factor, name);
    warp.*count = all - before;
    before = all;
  }
}

InstructionCounts counts_of_all_warps(const Launch& launch) {
  InstructionCounts sum;
  for (const WarpKind& kind : launch.warp_kinds) {
    add_total_counts(kind.program, kind.warps, "kernel " + launch.kernel, sum);
  }
  return sum;
}

}  // namespace

std::span<const std::string> count_names() {
  static const std::vector<std::string> names{"xa", "xs", "xg"};
  return names;
}

bool is_count(std::string_view name) {
  return std::find(count_names().begin(), count_names().end(), name) != count_names().end();
}

CountChanges count_changes(const ParameterValues& values, const ParameterFactors& factors) {
  CountChanges out;
  for (std::size_t i = 0; i < std::size(kCountNames); ++i) {
    const std::string& name = count_names()[i];
    CountChange& change = out.*kCountNames[i].change;
    if (const auto value = values.find(name); value != values.end()) {
      if (value->second.size() != 1) {
        fail_usage("--set " + name + ": found " + std::to_string(value->second.size()) +
                   " values, expected one: it becomes the count of every warp of the kernel model");
      }
      if (value->second[0] < 0 || value->second[0] > kMaxTokens) {
        fail_input("--set " + name, "found " + std::to_string(value->second[0]) +
                                        ", expected 0 to " + std::to_string(kMaxTokens));
      }
      change.value = value->second[0];
    }
    if (const auto factor = factors.find(name); factor != factors.end()) {
      change.factor = factor->second;
    }
  }
  return out;
}

void change_counts(const CountChanges& changes, std::vector<InstructionCounts>& warps) {
  for (std::size_t i = 0; i < std::size(kCountNames); ++i) {
    change_counts(changes.*kCountNames[i].change, kCountNames[i].count, count_names()[i], warps);
  }
}

double CountFactors::of(InstructionClass cls) const {
  if (cls == InstructionClass::kArithmetic) return arithmetic;
  return cls == InstructionClass::kShared ? shared : global;
}

CountFactors count_factors(const CountChanges& changes, const Launch& launch) {
  CountFactors out;
  if (changes == CountChanges{}) return out;
  const InstructionCounts all = counts_of_all_warps(launch);
  const auto warps = static_cast<double>(launch.grid * launch.warps_per_block());
  for (std::size_t i = 0; i < std::size(kCountNames); ++i) {
    const CountName& row = kCountNames[i];
    const CountChange& change = changes.*row.change;
    double& factor = out.*row.factor;
    factor = change.factor;
    if (!change.value || *change.value == 0) {
      factor *= change.value ? 0 : 1;
      continue;
    }
    const double mean = static_cast<double>(all.*row.count) / warps;
    if (mean <= 0) {
      fail_input("--set " + count_names()[i], "kernel " + launch.kernel + " has no " + row.what +
                                                  ", so there is no place in its programs for " +
                                                  std::to_string(*change.value) +
                                                  " of them; --net wpnm needs no place");
    }
    factor *= static_cast<double>(*change.value) / mean;
  }
  return out;
}

namespace {

// The positions of results move with the instructions before them.
void move_slots(double instructions_before, Segment& segment) {
  if (instructions_before <= 0) return;
  const double longer = instructions_of(segment) / instructions_before;
  for (auto& [result, slots] : segment.last_producer_slots) {
    slots = std::llround(static_cast<double>(slots) * longer);
  }
}

}  // namespace

void scale_counts(const CountFactors& factors, Segment& segment) {
  const double before = instructions_of(segment);
  for (auto& [name, count] : segment.classes) count *= factors.of(find_opcode_class(name)->paper);
  std::erase_if(segment.classes, [](const auto& row) { return row.second == 0; });
  for (SegmentAccess& access : segment.accesses) {
    const double factor = factors.of(class_of(access).paper);
    for (double* of_all :
         {&access.count, &access.sectors, &access.tag_lookups, &access.wavefronts}) {
      *of_all *= factor;
    }
  }
  std::erase_if(segment.accesses, [](const SegmentAccess& access) { return access.count == 0; });
  const auto scale = [&](auto& counts) {
    for (double& count : counts) count *= factors.arithmetic;
  };
  scale(segment.distances);
  scale(segment.distances_across);
  scale(segment.distances_double);
  scale(segment.register_bank_reads);
  for (auto& [kind, count] : segment.tensor_products) count *= factors.arithmetic;
  segment.tensor_stall_cycles *= factors.arithmetic;
  segment.predicate_stalls *= factors.arithmetic;
  segment.predicate_stall_cycles *= factors.arithmetic;
  move_slots(before, segment);
}

InstructionCounts scaled_counts(const CountFactors& factors, InstructionCounts counts) {
  for (std::size_t i = 0; i < std::size(kCountNames); ++i) {
    std::int64_t& count = counts.*kCountNames[i].count;
    count = scaled(static_cast<double>(count), factors.*kCountNames[i].factor, count_names()[i]);
  }
  return counts;
}

}  // namespace pnsim
