// The list of predictors that are validated, each a name and a function. To add a predictor, add an
// entry; to add an ablation of a net, add a row of kAblations.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "experiments/validate/validation.h"
#include "simulator/analysis/runs/replicas.h"

namespace pnsim::experiments {

// Why a point has no time by a net.
inline constexpr const char* kUnfinished = "the simulated launch did not end within the most steps";

struct PredictedTimes {
  std::vector<double> us;  // [point]; NaN for kUnfinished
  std::string note;        // the fitted value and the data it was fitted to; "" when nothing was
};

struct Predictor {
  std::string name;
  std::string about;  // a description in one line
  bool is_ablation = false;
  // Predicts all points in one call, so that nets are simulated in parallel and equal ones once.
  std::function<PredictedTimes(std::span<const ValidationPoint>)> predict;
};

// A module of the SM net that parameters of the template switch off.
struct Ablation {
  const char* without;   // "barriers"
  const char* settings;  // as for --set: "quick_port=1 port=1"
};
// One entry per row of kAblations.
std::span<const Ablation> ablations();

// In the name of a predictor that has one heuristic of the SM's model switched off
// (simulator/model/launch/heuristics.h), behind the net's name.
inline constexpr const char* kWithoutHeuristic = " without heuristic ";

struct PredictorRequest {
  std::vector<std::string> nets;  // templates, by name or path
  bool with_ablations = false;    // add ablations of nets whose step is one cycle, heuristics too
  RunOptions options;
};

// [point] of a set with one launch each (own_points.h): why one of the nets, by name or path,
// cannot be made of it, or why the analytical models do not take it; "" where all can predict it.
std::vector<std::string> refusals(const std::vector<std::string>& nets, const ValidationSet& set);

// Takes these points out of `set`, adds them to `set.skipped`, and logs their number and the first
// reason. Throws error 3 with that reason when no point would be left.
void leave_out_refused(const std::vector<std::string>& nets, ValidationSet& set);

// The predictors in this order: the nets, the roofline, MWP-CWP, the ablations. A net whose step
// has no unit gives up to two predictors: one with a time per step fitted for each suite (spec and
// mode), as `experiment run` fits it, and with several suites also one with a single time per step.
// When the set does not allow fits, it gives one predictor with the recorded time per step. `set`
// is what will be predicted; it must outlive the list. Throws error 3 for a missing net, error 2
// for a net named twice, and error 4 for a time per step that was not recorded.
std::vector<Predictor> make_predictors(const PredictorRequest& request, const ValidationSet& set);

}  // namespace pnsim::experiments
