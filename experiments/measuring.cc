#include "experiments/measuring.h"

#include <algorithm>
#include <set>

#include "experiments/comparison.h"
#include "gpu/catalogue.h"
#include "gpu/time_row.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

template <class T>
Axis axis_of(const std::string& name, const std::vector<T>& values) {
  Axis axis{name, {}};
  for (const T value : values) axis.values.push_back(std::to_string(value));
  return axis;
}

// The axes of one program, with the given values in the place of its own.
std::vector<Axis> axes_of(const gpu::Program& program, const std::vector<Axis>& overrides) {
  return with_overrides(
      {axis_of("n", program.n), Axis{"program", {program.name}}, axis_of("block", program.block)},
      overrides);
}

}  // namespace

std::vector<gpu::Point> catalogue_points(const std::vector<Axis>& overrides,
                                         const gpu::Input& input) {
  std::vector<std::string> programs = gpu::program_names();
  std::vector<Axis> others;
  for (const Axis& axis : overrides) {
    if (axis.name == "program") {
      programs = axis.values;
    } else {
      others.push_back(axis);
    }
  }
  with_overrides({{"n", {}}, {"program", {}}, {"block", {}}},
                 overrides);  // the names and no name twice
  std::vector<gpu::Point> points;
  for (const std::string& name : programs) {
    const std::vector<Axis> axes = axes_of(gpu::find_program(name), others);
    const std::uint64_t count = point_count(axes);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::vector<std::size_t> at = point_at(axes, i);
      const Problem problem{{"n", axes[0].integers()[at[0]]}, {"block", axes[2].integers()[at[2]]}};
      points.push_back(live_point({name, problem, false}, input));
    }
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const gpu::Point& a, const gpu::Point& b) { return a.n < b.n; });
  return points;
}

std::vector<gpu::ProfileItem> catalogue_plan(const std::vector<Axis>& overrides,
                                             const gpu::Input& input) {
  std::vector<gpu::ProfileItem> plan;
  for (const gpu::Point& point : catalogue_points(overrides, input)) {
    const gpu::Program& program = gpu::find_program(point.program);
    gpu::ProfileItem item{point, {0, program.passes - 1}};
    for (const gpu::ProfileItem& planned : gpu::profile_plan(program, input)) {
      if (planned.point.n == point.n && planned.point.block == point.block) {
        item.passes = planned.passes;
      }
    }
    plan.push_back(std::move(item));
  }
  return plan;
}

std::size_t measure_all(const MeasureJob& job,
                        const std::function<void(const std::string&)>& tell) {
  const gpu::DeviceFacts device = gpu::query_device();
  std::set<std::string> there;
  if (job.resume) {
    for (const InputJson& row : load_rows(job.file)) there.insert(row["id"].get<std::string>());
  }
  gpu::InputCache inputs;
  std::size_t measured = 0;
  for (const gpu::Point& point : job.points) {
    if (there.contains(gpu::time_row_id(point, job.mode, device.name))) continue;
    const gpu::Measurement m = gpu::measure(point, job.mode, job.rules, inputs);
    append_line(job.file, to_line(gpu::time_row(point, job.mode, m, device, job.command)));
    tell(gpu::describe(point) + " " + gpu::mode_name(job.mode) + ": " +
         significant(m.time.median_us, 5) + " us (" + std::to_string(m.time.samples) +
         " samples, " + std::to_string(m.time.rejected) + " rejected)");
    ++measured;
  }
  return measured;
}

gpu::Mode parse_mode(const std::string& name) {
  if (name == "warm") return gpu::Mode::kWarm;
  if (name == "cold") return gpu::Mode::kCold;
  const std::vector<std::string> known{"warm", "cold"};
  fail_usage("--mode " + name + ": unknown" + suggestion(name, known));
}

}  // namespace pnsim::experiments
