#include "experiments/tables/heuristics_table.h"

#include "simulator/base/json.h"
#include "simulator/model/launch/heuristics.h"

namespace pnsim::experiments {

Rendered heuristics_table() {
  Json rows = Json::array();
  for (const HeuristicRow& row : heuristics()) {
    Json one;
    one["heuristic"] = row.name;
    one["trigger"] = row.trigger;
    one["constants"] = row.constants;
    one["evidence"] = row.evidence;
    one["fallback"] = row.fallback;
    rows.push_back(std::move(one));
  }
  return {heuristics_markdown(), rows.dump(1) + "\n", ""};
}

}  // namespace pnsim::experiments
