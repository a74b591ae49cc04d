#include "experiments/tables/reason_groups.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/error.h"

namespace pnsim::experiments {
namespace {

// A profiler state that no net models has a group of its own, so that it can be the first reason.
const std::vector<ReasonGroup>& groups() {
  static const std::vector<ReasonGroup> kGroups{
      {"issued", {"selected"}, {"issued"}, false},
      {"not selected", {"not_selected"}, {"not selected"}, false},
      {"pipes", {"math_pipe_throttle", "dispatch_stall"}, {"pipes", "tensor cores"}},
      {"dependence",
       {"wait", "branch_resolving", "imc_miss", "membar", "no_instruction"},
       {"dependence"}},
      {"shared", {"short_scoreboard", "mio_throttle"}, {"shared", "shared port", "constants"}},
      {"loads",
       {"long_scoreboard", "lg_throttle", "tex_throttle"},
       {"L1 port", "L1 latency", "L2 latency", "DRAM latency", "L2 bandwidth", "DRAM bandwidth",
        "atomics", "loads", "bandwidth"}},  // the last two: launches without counters
      {"barrier", {"barrier"}, {"barrier"}},
      {"drain", {"drain"}, {}},
      {"sleep", {"sleeping"}, {}},
      {"other", {"misc"}, {}},
  };
  return kGroups;
}

using Names = std::vector<std::string_view>;

std::optional<std::size_t> group_with(Names ReasonGroup::*names, std::string_view name) {
  for (std::size_t g = 0; g < groups().size(); ++g) {
    const Names& mine = groups()[g].*names;
    if (std::find(mine.begin(), mine.end(), name) != mine.end()) return g;
  }
  return std::nullopt;
}

}  // namespace

std::span<const ReasonGroup> reason_groups() { return groups(); }

std::optional<std::size_t> group_of_stall(std::string_view reason) {
  return group_with(&ReasonGroup::profiler, reason);
}

std::optional<std::size_t> group_of_row(std::string_view row) {
  return group_with(&ReasonGroup::rows, row);
}

GroupShares shares_of_stalls(const JsonReader& stalls) {
  GroupShares out(groups().size());
  for (const auto& [reason, share] : stalls.members()) {
    const auto group = group_of_stall(reason);
    if (!group) share.fail("no group has this reason (experiments/tables/reason_groups.cc)");
    out[*group] += share.number(0, 1);
  }
  return out;
}

GroupShares shares_of_rows(const std::string& net, const Reasons& reasons) {
  GroupShares out(groups().size());
  for (const ReasonRow& row : reasons.rows) {
    if (row.warps == 0) continue;  // states of the schedulers only: launch, dispatch, empty
    const auto group = group_of_row(row.name);
    if (!group) {
      fail_usage("net " + net + ": its warps go to \"" + row.name +
                 "\", and no group has that (experiments/tables/reason_groups.cc)");
    }
    out[*group] += row.warps;
  }
  return out;
}

std::optional<std::size_t> first_reason(const GroupShares& shares) {
  std::optional<std::size_t> first;
  for (std::size_t g = 0; g < shares.size(); ++g) {
    if (!groups()[g].is_waiting || shares[g] <= 0) continue;
    if (!first || shares[g] > shares[*first]) first = g;
  }
  return first;
}

std::string reason_name(std::optional<std::size_t> group) {
  return group ? std::string(groups()[*group].name) : "-";
}

double misplaced(const GroupShares& a, const GroupShares& b) {
  double sum = 0;
  for (std::size_t g = 0; g < a.size(); ++g) sum += std::abs(a[g] - b[g]);
  return sum / 2;
}

}  // namespace pnsim::experiments
