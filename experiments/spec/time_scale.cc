#include "experiments/spec/time_scale.h"

#include "experiments/spec/comparison.h"
#include "experiments/spec/statistics.h"
#include "simulator/base/hash.h"
#include "simulator/base/provenance.h"

namespace pnsim::experiments {

Json time_scale_row(const Suite& suite, const ParameterValues& setting,
                    const RecordedResults& recorded, const RunOptions& options,
                    const std::string& command) {
  const Spec& spec = suite.spec();
  std::vector<PointResult> results;
  for (const SuitePoint& point : suite.points()) results.push_back({point, 0, 0, 0, 0, ""});
  add_recorded_times(recorded, spec.mode, results);
  const Json what = {{"kind", "time_scale"},
                     {"net", suite.net()},
                     {"device", suite.device().name},
                     {"parameters", parameters_json(suite.net_parameters(setting))}};
  const std::vector<Prediction> predictions = suite.predict_all(setting, options);
  std::size_t training = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].steps = predictions[i].mean_steps_at_device_clock();
    training += results[i].point.is_training ? 1 : 0;
  }
  Json row = {{"id", hash_id(to_line(what))}};
  row.update(what);
  row["us_per_step"] = fit_us_per_step(results);
  row["points"] = training;
  row["rule"] = "geometric mean of " + spec.mode + " time / steps over the points of " + spec.name +
                " with even log2 " + spec.size_axis;
  row["programs"] = spec.axis("program").values;
  row["seed"] = options.seed;
  row["replicas"] = options.replicas;
  row["commit"] = build_commit();
  row["date"] = utc_now();
  row["command"] = command;
  return row;
}

}  // namespace pnsim::experiments
