// Where the cycles go: the states of the schedulers and warps of an SM, the utilisation of its
// units, and the bottleneck resource. For nets whose template has "reasons".
#pragma once

#include <string>
#include <vector>

#include "simulator/analysis/runs/replicas.h"
#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/count_changes.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/net_template.h"

namespace pnsim {

// [schedulers, warps, units ...][state] steps in the state, summed over the units. The order is
// that of unit_states_of().
using ReasonTimes = std::vector<std::vector<double>>;

// Adds the steps in states of all replicas, multiplied by `times`.
void add_times(ReasonTimes& sum, const ReplicaRuns& runs, double times);
void add_times(ReasonTimes& sum, const ReasonTimes& more, double times = 1);

// One row of the breakdown. The shares of each column add up to 1 over all rows.
struct ReasonRow {
  std::string name;
  double schedulers = 0;  // share of all cycles of all schedulers
  double warps = 0;       // share of the cycles of resident warps
};

struct UnitUse {
  std::string name;
  double busy = 0;     // utilisation: share of all cycles
  std::string detail;  // "L2 bandwidth": which of the unit's limits applies, or ""
};

struct Reasons {
  std::vector<ReasonRow> rows;
  std::vector<UnitUse> units;           // in the order of the template
  std::vector<std::string> notes = {};  // sentences: why schedulers are idle, and what would help
};

// Inputs for one launch. Launch and device divide the times further: issue slots by pipe, loads by
// the level that serves them. Both must outlive this struct.
struct LaunchReasons {
  const Launch* launch = nullptr;
  const DeviceProfile* device = nullptr;
  ReasonTimes times;         // of one execution of the launch
  double runs = 1;           // the number of runs that were added up in `times`
  CountFactors counts = {};  // factors on the launch's counts
};

// For a net without a launch: the states have the names of the template.
Reasons reasons_of(const NetTemplate& net_template, const ReasonTimes& times);
// For a sequence of launches, each counted as often as it is repeated.
Reasons reasons_of(const NetTemplate& net_template, const std::vector<LaunchReasons>& launches);

// The bottleneck for a cell of a table: the unit that limits, with its utilisation, such as "memory
// (DRAM) 83.1 %". Where limit_text() says that there is none: "none (launch 71.2 %)", with what
// most cycles of the schedulers go to. "-" without units.
std::string busiest_unit_text(const Reasons& reasons);

// One line that names the bottleneck resource, such as "DRAM bandwidth".
std::string limit_text(const Reasons& reasons);
std::string text_of(const Reasons& reasons);
// Adds schedulers{}, warps{}, units{}, nearest_limit and notes[] to a breakdown{}.
void add_json(const Reasons& reasons, Json& breakdown);

}  // namespace pnsim
