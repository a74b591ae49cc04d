// Which segments of a launch the rows of the net of an SM execute, so that the cycles of a run can
// be assigned to segments. A row is one segment, or several short ones that were joined
// (warp_rows.h).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "simulator/model/template/instantiate.h"
#include "simulator/net/unit_states.h"

namespace pnsim {

// A segment's part of a row.
struct SegmentPart {
  std::size_t segment = 0;  // of the launch as profiled
  double work = 0;          // cycles of its work in one execution of the row
};

// [number] what is executed by the rows that have this number, in the order of execution.
using RowParts = std::vector<std::vector<SegmentPart>>;

// A row that executes no segment, such as the barriers for other warps after a warp's end.
inline constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();

struct RowSegments {
  std::vector<std::uint32_t> numbers;  // [warp of the SM * K + row] in `parts`, or kNoNumber
  RowParts parts;
};

// Whether the template has the places that row_states() reads: those of models/nets/sm.json.
bool has_row_places(const NetTemplate& net_template);

// The row that each warp is in, for the net that instantiate() builds from the same values. With N
// numbers, a warp in a row of number n is
// - in state n during the row's work;
// - in state N + n while the row is its next and its previous work has ended: it waits for results
//   or for an issue slot;
// - in state 2N + n while it waits at the barrier at the row's end.
// In the last state, 3N, it is in no row, or in one without a number. `values` are those of
// sm_parameters(), after changes. Needs has_row_places().
UnitStates row_states(const NetTemplate& net_template, const ParameterValues& values,
                      const std::vector<std::uint32_t>& numbers);

// Divides `state_cycles` [state of row_states()], the cycles of all warps in each state, among
// `segments` segments; the result is [segment] cycles. If a row has several segments, the first one
// gets the wait before the row, and the last one the wait at the row's end. The cycles of the row's
// work are divided in proportion to the work of its segments.
std::vector<double> segment_cycles(const RowParts& parts, const std::vector<double>& state_cycles,
                                   std::size_t segments);

}  // namespace pnsim
