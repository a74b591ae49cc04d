// Common names for the states of warps, as the profiler and as a net report them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/analysis/predict/reasons.h"
#include "simulator/base/json_reader.h"

namespace pnsim::experiments {

// The states of the profiler (gpu::stall_reason) and the rows of a net's breakdown
// (ReasonRow::name) that have the same meaning (docs/sm_net.md).
struct ReasonGroup {
  std::string_view name;
  std::vector<std::string_view> profiler;
  std::vector<std::string_view> rows;  // empty: no net has such a state
  bool is_waiting = true;              // false: the warp issues or is eligible
};

std::span<const ReasonGroup> reason_groups();

// The position in reason_groups(), or nothing when no group contains it.
std::optional<std::size_t> group_of_stall(std::string_view reason);
std::optional<std::size_t> group_of_row(std::string_view row);

// [reason_groups()] shares of 1 of the cycles of resident warps, over all warps.
using GroupShares = std::vector<double>;

// The shares in a recorded row's "stalls". Throws error 3 for an unknown reason and for a value
// that is not a share.
GroupShares shares_of_stalls(const JsonReader& stalls);
// The shares of the warps as the net predicts them. Throws error 2 for a row that no group
// contains.
GroupShares shares_of_rows(const std::string& net, const Reasons& reasons);

// The group with the most waiting; nothing when no warp waits.
std::optional<std::size_t> first_reason(const GroupShares& shares);
std::string reason_name(std::optional<std::size_t> group);  // "-" for none

// The share of the cycles that would have to move to another reason for the two distributions to be
// equal: half the sum of the absolute differences.
double misplaced(const GroupShares& a, const GroupShares& b);

}  // namespace pnsim::experiments
