// The program of a warp: segments and loops; and the one walk over it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/model/launch/segment.h"

namespace pnsim {

inline constexpr std::int64_t kMaxRepeat = 1'000'000'000;  // of a loop, of a launch

// A segment (empty body) or a loop (body, run `repeat` times).
struct ProgramItem {
  std::int64_t repeat = 1;
  InstructionCounts counts;  // of the segment
  std::vector<ProgramItem> body;
  std::optional<std::size_t> segment = std::nullopt;  // [Launch::segments]; none: counts alone
};

// Product of two numbers of executions. At most INT64_MAX: only items without instructions reach
// it, since read_launch() refuses launches that execute over 2^62 instructions.
std::int64_t executions_product(std::int64_t times, std::int64_t repeat);

// An item and its place in the walk.
struct ProgramPlace {
  const ProgramItem& item;
  std::int64_t executions = 1;  // of a segment; for a loop its iterations, summed over all entries
  int depth = 0;                // loops around the item

  bool is_loop() const { return !item.body.empty(); }
};

// The walk: visit(const ProgramPlace&) for every item in the order of the code. A loop is visited
// once, before the items of its body. `times` is how often the program is executed.
//
//   double loads = 0;
//   for_each_item(kind.program, [&](const ProgramPlace& place) {
//     if (place.item.segment) loads += place.executions * loads_of(segments[*place.item.segment]);
//   });
template <class Visit>
void for_each_item(std::span<const ProgramItem> program, const Visit& visit, std::int64_t times = 1,
                   int depth = 0) {
  for (const ProgramItem& item : program) {
    const std::int64_t executions = executions_product(times, item.repeat);
    visit(ProgramPlace{item, executions, depth});
    for_each_item(std::span<const ProgramItem>(item.body), visit, executions, depth + 1);
  }
}

// The same walk for a program that is changed: change(ProgramItem&). A loop comes before its body.
template <class Change>
void change_each_item(std::span<ProgramItem> program, const Change& change) {
  for (ProgramItem& item : program) {
    change(item);
    change_each_item(std::span<ProgramItem>(item.body), change);
  }
}

// The item alone, as a program of one.
inline std::span<const ProgramItem> only(const ProgramItem& item) { return {&item, 1}; }

// Sums over a program: what the paper's net uses as xa, xs, xg. Error 3 over 2^62.
InstructionCounts total_counts(const std::vector<ProgramItem>& program, const std::string& where);

// Adds the sums over `times` executions of the program. The same error for the sum.
void add_total_counts(const std::vector<ProgramItem>& program, std::int64_t times,
                      const std::string& where, InstructionCounts& sum);

}  // namespace pnsim
