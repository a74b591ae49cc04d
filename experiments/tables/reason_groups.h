// What a warp is said to do, by the profiler and by a net, in common words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/analysis/predict/reasons.h"
#include "simulator/base/json_reader.h"

namespace pnsim::experiments {

// States of the profiler (gpu::stall_reason) and rows of a net's stack (ReasonRow::name) that mean
// the same (docs/sm_net.md).
struct ReasonGroup {
  std::string_view name;
  std::vector<std::string_view> profiler;
  std::vector<std::string_view> rows;  // none: no net has such a state
  bool is_waiting = true;              // else the warp issues, or could
};

std::span<const ReasonGroup> reason_groups();

// Position in reason_groups(); none where no group has it.
std::optional<std::size_t> group_of_stall(std::string_view reason);
std::optional<std::size_t> group_of_row(std::string_view row);

// [reason_groups()] shares of 1 of the cycles in which a warp is there, over all warps.
using GroupShares = std::vector<double>;

// Of a recorded row's "stalls". Error 3 for a reason in no group, and for what is no share.
GroupShares shares_of_stalls(const JsonReader& stalls);
// Of warps, as the net says. Error 2 for a row in no group.
GroupShares shares_of_rows(const std::string& net, const Reasons& reasons);

// What most waiting goes to; none where nobody waits.
std::optional<std::size_t> first_reason(const GroupShares& shares);
std::string reason_name(std::optional<std::size_t> group);  // "-" for none

// The share of the cycles that would have to go to another reason for the two to be equal: half the
// sum of the absolute differences.
double misplaced(const GroupShares& a, const GroupShares& b);

}  // namespace pnsim::experiments
