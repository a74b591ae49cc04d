// Where the cycles go: what the schedulers and the warps of an SM do, how busy its units are, and
// which of them is nearest to its limit. For nets whose template has "reasons".
#pragma once

#include <string>
#include <vector>

#include "simulator/analysis/runs/replicas.h"
#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/net_template.h"

namespace pnsim {

// [schedulers, warps, units ...][state, as unit_states_of() has them] unit-steps.
using ReasonTimes = std::vector<std::vector<double>>;

// Adds `times` the runs' steps in states, over all replicas.
void add_times(ReasonTimes& sum, const ReplicaRuns& runs, double times);
void add_times(ReasonTimes& sum, const ReasonTimes& more, double times = 1);

// One line of the stack. Shares of 1; those of each column add up to 1 over all rows.
struct ReasonRow {
  std::string name;
  double schedulers = 0;  // of all cycles of all schedulers
  double warps = 0;       // of the cycles in which a warp is there, over all warps
};

struct UnitUse {
  std::string name;
  double busy = 0;     // share of all cycles
  std::string detail;  // "L2 bandwidth": which of several limits it stands for, or ""
};

struct Reasons {
  std::vector<ReasonRow> rows;
  std::vector<UnitUse> units;  // in the order of the template
};

// What a launch and a device add to the times: how much of the issue slots' time is the pipes', how
// far loads go. Launch and device outlive it.
struct LaunchReasons {
  const Launch* launch = nullptr;
  const DeviceProfile* device = nullptr;
  ReasonTimes times;  // of one time the launch is made
  double runs = 1;    // that were added up in them
};

// For a net of its own: the states as the template names them.
Reasons reasons_of(const NetTemplate& net_template, const ReasonTimes& times);
// For launches, one after the other, each as often as it is repeated.
Reasons reasons_of(const NetTemplate& net_template, const std::vector<LaunchReasons>& launches);

// "memory (DRAM) 83.1 %": the unit that is busy in most cycles; "-" where there are none.
std::string busiest_unit_text(const Reasons& reasons);

// "DRAM bandwidth" is nearest to its limit ..., in words; one line.
std::string limit_text(const Reasons& reasons);
std::string text_of(const Reasons& reasons);
// Adds schedulers{}, warps{}, units{} and nearest_limit{} to a breakdown{}.
void add_json(const Reasons& reasons, Json& breakdown);

}  // namespace pnsim
