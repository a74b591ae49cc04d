#include "experiments/validation.h"

#include <algorithm>
#include <set>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/cold_launch.h"

namespace pnsim::experiments {
namespace {

// The model's own point, or null when it was not profiled there.
const RecordedPoint* find_point(const KernelModel& model, const Problem& problem) {
  Problem whole = model.problem;
  for (const auto& [axis, value] : problem) whole[axis] = value;
  const auto it = std::find_if(model.points.begin(), model.points.end(),
                               [&](const RecordedPoint& p) { return p.problem == whole; });
  return it == model.points.end() ? nullptr : &*it;
}

bool has_programs(const RecordedPoint& point) {
  return std::none_of(point.launches.begin(), point.launches.end(),
                      [](const Launch& launch) { return launch.segments.empty(); });
}

class Collector {
 public:
  Collector(const RecordedResults& recorded, ValidationSet& out) : recorded_(recorded), out_(out) {}

  void add(const Spec& spec) {
    for (SuitePoint& point : points_of(spec)) {
      const KernelModel& model = model_of(point.program);
      for (const std::string& mode : out_.modes) add({&spec, point, mode, &model, nullptr, {}});
    }
  }

 private:
  const KernelModel& model_of(const std::string& program) {
    std::unique_ptr<KernelModel>& model = out_.models[program];
    if (!model) {
      model = std::make_unique<KernelModel>(load_kernel_model(find_data_file(program, {"models"})));
    }
    return *model;
  }

  void add(ValidationPoint point) {
    const std::string& program = point.point.program;
    point.launches = find_point(*point.model, point.point.problem);
    if (!point.launches) return leave_out(program, "not profiled");
    point.point.problem = point.launches->problem;
    if (!seen_.insert(program + " " + problem_text(point.point.problem) + " " + point.mode)
             .second) {
      return;  // another spec has it as well
    }
    if (!has_programs(*point.launches)) {
      return leave_out(program, "its model has counts alone, not the programs of its warps");
    }
    const auto time = recorded_.time(program, point.point.problem, point.mode);
    if (!time) return leave_out(program, "no " + point.mode + " time is recorded");
    point.measured = *time;
    if (point.mode == "cold") {
      if (!tells_cold(*point.launches)) {
        return leave_out(program, "nobody counted what it misses when L2 is cold");
      }
      out_.cold.push_back(std::make_unique<RecordedPoint>(when_cold(*point.launches)));
      point.launches = out_.cold.back().get();
    }
    out_.points.push_back(std::move(point));
  }

  void leave_out(const std::string& program, const std::string& why) {
    const auto it =
        std::find_if(out_.left_out.begin(), out_.left_out.end(),
                     [&](const LeftOut& row) { return row.program == program && row.why == why; });
    if (it != out_.left_out.end()) {
      ++it->points;
    } else {
      out_.left_out.push_back({program, 1, why});
    }
  }

  const RecordedResults& recorded_;
  ValidationSet& out_;
  std::set<std::string> seen_;
};

[[noreturn]] void fail_without_points(const ValidationSet& set, const RecordedResults& recorded) {
  std::string text = "no point to validate with in results/" + recorded.device();
  for (const LeftOut& row : set.left_out) {
    text += (&row == &set.left_out.front() ? ": " : "; ") + row.program + ": " + row.why;
  }
  fail_unavailable(text +
                   "; on a machine with that GPU: experiment counts (programs), experiment measure "
                   "--mode warm|cold (times)");
}

}  // namespace

std::string ValidationPoint::work() const {
  Problem rest = point.problem;
  for (const std::string& axis : spec->configuration()) rest.erase(axis);
  return point.program + " " + mode + " " + problem_text(rest);
}

ValidationSet collect_points(const std::vector<Spec>& specs, const DeviceProfile& device,
                             const RecordedResults& recorded,
                             const std::vector<std::string>& modes) {
  ValidationSet out;
  out.device = device;
  out.modes = modes;
  Collector collector(recorded, out);
  for (const Spec& spec : specs) {
    out.specs.push_back(std::make_unique<Spec>(spec));
    collector.add(*out.specs.back());
  }
  if (out.points.empty()) fail_without_points(out, recorded);
  return out;
}

}  // namespace pnsim::experiments
