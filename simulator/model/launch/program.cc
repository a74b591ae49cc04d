#include "simulator/model/launch/program.h"

#include <limits>

#include "simulator/base/error.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

void add_times(std::int64_t& sum, std::int64_t times, std::int64_t count,
               const std::string& where) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(times, count, &product) ||
      __builtin_add_overflow(sum, product, &sum) || sum > kMaxTokens) {
    fail_input(where, "the instruction counts add up to over 2^62");
  }
}

}  // namespace

std::int64_t executions_product(std::int64_t times, std::int64_t repeat) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(times, repeat, &product) ? std::numeric_limits<std::int64_t>::max()
                                                         : product;
}

InstructionCounts total_counts(const std::vector<ProgramItem>& program, const std::string& where) {
  InstructionCounts sum;
  add_total_counts(program, 1, where, sum);
  return sum;
}

void add_total_counts(const std::vector<ProgramItem>& program, std::int64_t times,
                      const std::string& where, InstructionCounts& sum) {
  const auto add = [&](const ProgramPlace& place) {
    if (place.is_loop()) return;
    add_times(sum.arithmetic, place.executions, place.item.counts.arithmetic, where);
    add_times(sum.shared, place.executions, place.item.counts.shared, where);
    add_times(sum.global, place.executions, place.item.counts.global, where);
  };
  for_each_item(program, add, times);
}

}  // namespace pnsim
