#include "experiments/validate/validation.h"

#include <algorithm>
#include <set>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim::experiments {
namespace {

// The model's recorded point, or null when it was not profiled.
const RecordedPoint* find_point(const KernelModel& model, const Problem& problem) {
  Problem whole = model.problem;
  for (const auto& [axis, value] : problem) whole[axis] = value;
  const auto it = std::find_if(model.points.begin(), model.points.end(),
                               [&](const RecordedPoint& p) { return p.problem == whole; });
  return it == model.points.end() ? nullptr : &*it;
}

// A point without launches and time. `problem` has all axes of the model.
ValidationPoint placed(const Spec& spec, const SuitePoint& wanted, const Problem& problem) {
  ValidationPoint out;
  out.suite = spec.name;
  out.program = wanted.program;
  out.at = problem_text(problem);
  out.axes = problem;
  out.is_training = wanted.is_training;
  out.reference = spec.reference;
  Problem rest = problem, configuration;
  for (const std::string& axis : spec.configuration()) {
    if (auto node = rest.extract(axis)) configuration.insert(std::move(node));
  }
  out.problem = problem_text(rest);
  out.configuration = problem_text(configuration);
  return out;
}

class Collector {
 public:
  Collector(const RecordedResults& recorded, std::string models, ValidationSet& out)
      : recorded_(recorded), models_(std::move(models)), out_(out) {
    if (models_ != "models") shipped_ = shipped_names(models_);
  }

  void add(const Spec& spec) {
    for (const SuitePoint& point : points_of(spec)) {
      for (const std::string& mode : out_.modes) add(spec, point, mode);
    }
  }

 private:
  const KernelModel& model_of(const std::string& program) {
    std::unique_ptr<KernelModel>& model = out_.models[program];
    if (!model) {
      model = std::make_unique<KernelModel>(load_kernel_model(find_data_file(program, {models_})));
    }
    return *model;
  }

  void add(const Spec& spec, const SuitePoint& wanted, const std::string& mode) {
    const std::string& program = wanted.program;
    const bool has_model = models_ == "models" ||
                           std::find(shipped_.begin(), shipped_.end(), program) != shipped_.end();
    if (!has_model) return skip(program, "not profiled: no model in " + models_);
    const KernelModel& model = model_of(program);
    const RecordedPoint* launches = find_point(model, wanted.problem);
    if (!launches) return skip(program, "not profiled");
    if (!seen_.insert(program + " " + problem_text(launches->problem) + " " + mode).second) {
      return;  // another spec contains it too
    }
    if (!has_programs(*launches)) {
      return skip(program, "its model has only counts, no warp programs");
    }
    const auto time = recorded_.time(program, launches->problem, mode);
    if (!time) return skip(program, "no " + mode + " time is recorded");
    ValidationPoint point = placed(spec, wanted, launches->problem);
    if (mode == "cold") {
      if (!tells_cold(*launches)) {
        return skip(program, "its misses with a cold L2 were not profiled");
      }
      out_.cold.push_back(std::make_unique<RecordedPoint>(when_cold(*launches)));
      launches = out_.cold.back().get();
    }
    point.mode = mode;
    point.model = &model;
    point.launches = launches;
    point.measured = *time;
    out_.points.push_back(std::move(point));
  }

  void skip(const std::string& program, const std::string& why) {
    const auto it = std::find_if(
        out_.skipped.begin(), out_.skipped.end(),
        [&](const SkippedPoints& row) { return row.program == program && row.why == why; });
    if (it != out_.skipped.end()) {
      ++it->points;
    } else {
      out_.skipped.push_back({program, 1, why});
    }
  }

  const RecordedResults& recorded_;
  std::string models_;
  std::vector<std::string> shipped_;  // names in another folder than "models"
  ValidationSet& out_;
  std::set<std::string> seen_;
};

[[noreturn]] void fail_without_points(const ValidationSet& set, const RecordedResults& recorded) {
  std::string text = "no point to validate with in results/" + recorded.device();
  for (const SkippedPoints& row : set.skipped) {
    text += (&row == &set.skipped.front() ? ": " : "; ") + row.program + ": " + row.why;
  }
  fail_unavailable(text +
                   "; on a machine with that GPU: experiment counts (programs), experiment measure "
                   "--mode warm|cold (times)");
}

}  // namespace

ValidationSet collect_points(const std::vector<Spec>& specs, const DeviceProfile& device,
                             const RecordedResults& recorded, const std::vector<std::string>& modes,
                             const std::string& models) {
  ValidationSet out;
  const std::string& from = recorded.device();
  out.times = {from, "recorded, " + from, "measured times are RECORDED ones: results/" + from};
  out.device = device;
  out.modes = modes;
  Collector collector(recorded, models, out);
  for (const Spec& spec : specs) {
    out.specs.push_back(spec.name);
    collector.add(spec);
  }
  if (out.points.empty()) fail_without_points(out, recorded);
  return out;
}

}  // namespace pnsim::experiments
