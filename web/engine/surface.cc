#include "web/engine/surface.h"

#include <memory>

#include "simulator/analysis/predict/predict.h"
#include "simulator/cli/input.h"
#include "web/engine/paper_request.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxPoints = 10'000;

std::vector<std::int64_t> latencies(const JsonReader& list) {
  std::vector<std::int64_t> values;
  for (const JsonReader& item : list.items()) values.push_back(paper_number(item));
  if (values.empty()) list.fail("found an empty list, expected latencies");
  return values;
}

// The steps of rows: either of warps that are alike, or of a kernel model at its default point.
class Surface {
 public:
  explicit Surface(const JsonReader& request) : l1_(latencies(request.at("l1"))) {
    options_.seed = seed_of(request);
    options_.max_steps = max_steps_of(request);
    options_.threads = 1;
    if (const auto model = request.find("model")) {
      for (const char* name : {"W", "S", "xa", "xs", "xg"}) {
        if (const auto given = request.find(name)) {
          given->fail("found " + std::string(name) + " beside \"model\", expected one of the two");
        }
      }
      paper_net(request);  // refuses another net
      InputOptions options;
      options.input = model->string();
      options.net = request.at("net").string();
      model_ = load_model_input(options, find_input(options.input));
    } else {
      net_template_ = paper_net(request);
      values_ = paper_counts(request);
    }
  }

  std::size_t columns() const { return l1_.size(); }

  Json row(std::int64_t l2) const { return model_ ? model_row(l2) : warps_row(l2); }

 private:
  // null for a run that was cut off, because it has no number of steps.
  static Json steps_json(double steps, Outcome outcome) {
    return outcome == Outcome::kGoal ? Json(steps) : Json(nullptr);
  }

  Json warps_row(std::int64_t l2) const {
    Json steps = Json::array();
    ParameterValues values = values_;
    values["l2"] = {l2};
    for (const std::int64_t l1 : l1_) {
      values["l1"] = {l1};
      const Net net = instantiate(net_template_, values);
      const RunResult run = run_replicas(net, options_).runs.front();
      steps.push_back(steps_json(static_cast<double>(run.steps), run.outcome));
    }
    return steps;
  }

  Json model_row(std::int64_t l2) const {
    PointRequest request{&model_->model,
                         model_->net_template.get(),
                         model_->device.get(),
                         model_->point,
                         {},
                         {},
                         {},
                         {}};
    request.net_parameters["l2"] = {l2};
    std::vector<PointRequest> requests;
    for (const std::int64_t l1 : l1_) {
      request.net_parameters["l1"] = {l1};
      requests.push_back(request);
    }
    Json steps = Json::array();
    for (const Prediction& prediction : predict(requests, options_)) {
      steps.push_back(steps_json(prediction.mean_steps(), prediction.outcome));
    }
    return steps;
  }

  std::vector<std::int64_t> l1_;
  RunOptions options_;
  std::unique_ptr<ModelInput> model_;
  NetTemplate net_template_;
  ParameterValues values_;
};

void check_members(const JsonReader& request) {
  request.only({"net", "W", "S", "xa", "xs", "xg", "model", "l1", "l2", "seed", "max_steps"});
}

}  // namespace

Json surface(const JsonReader& request) {
  check_members(request);
  const Surface points(request);
  const std::vector<std::int64_t> rows = latencies(request.at("l2"));
  if (rows.size() * points.columns() > kMaxPoints) {
    request.fail("found " + std::to_string(rows.size() * points.columns()) +
                 " points, expected at most " + std::to_string(kMaxPoints));
  }
  Json out;
  out["steps"] = Json::array();
  for (const std::int64_t l2 : rows) out["steps"].push_back(points.row(l2));
  return out;
}

Json surface_row(const JsonReader& request) {
  check_members(request);
  const Surface points(request);
  if (points.columns() > kMaxPoints) {
    request.at("l1").fail("found " + std::to_string(points.columns()) +
                          " points, expected at most " + std::to_string(kMaxPoints));
  }
  Json out;
  out["steps"] = points.row(paper_number(request.at("l2")));
  return out;
}

}  // namespace pnsim
