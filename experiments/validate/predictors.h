// Who predicts: a list of names with a function each. A predictor more is an entry more; an
// ablation of a net, a row of kAblations.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "experiments/validate/validation.h"
#include "simulator/analysis/runs/replicas.h"

namespace pnsim::experiments {

struct PredictedTimes {
  std::vector<double> us;  // [point]
  std::string note;        // what was fitted, to what; "" for nothing
};

struct Predictor {
  std::string name;
  std::string about;  // what it is, one line
  bool is_ablation = false;
  // Of all points in one call: nets are simulated side by side, equal ones once.
  std::function<PredictedTimes(std::span<const ValidationPoint>)> predict;
};

// A module of a net of the SM, switched off by parameters of the template.
struct Ablation {
  const char* without;   // "barriers"
  const char* settings;  // as for --set: "quick_port=1 port=1"
};
// One row each.
std::span<const Ablation> ablations();

// In the name of a predictor that has one heuristic of the SM's model switched off
// (simulator/model/launch/heuristics.h), behind the net's name.
inline constexpr const char* kWithoutHeuristic = " without heuristic ";

struct PredictorRequest {
  std::vector<std::string> nets;  // templates, by name or path
  bool with_ablations = false;    // of those nets whose step is a cycle; heuristics too
  RunOptions options;
};

// The nets in their order, the roofline, MWP-CWP, the ablations. Of a net whose step has no unit
// two: with a time of a step for each suite (spec and mode), as `experiment run` fits it, and, when
// there are several suites, with one for all; where nothing may be fitted to the set's times, one
// with the recorded time of a step. `set`, which outlives the list, is what they are to
// predict. Error 3 for a net that is not there, error 2 for one that stands twice,
// error 4 for a time of a step that was not recorded.
std::vector<Predictor> make_predictors(const PredictorRequest& request, const ValidationSet& set);

}  // namespace pnsim::experiments
