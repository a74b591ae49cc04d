#include "experiments/measure/measuring.h"

#include <algorithm>
#include <set>

#include "experiments/spec/comparison.h"
#include "gpu/catalogue.h"
#include "gpu/input_cache.h"
#include "gpu/time_row.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

bool has_all(const gpu::Program& program, const std::vector<Axis>& axes) {
  return std::all_of(axes.begin(), axes.end(),
                     [&](const Axis& axis) { return program.find_axis(axis.name) != nullptr; });
}

bool takes_all(const gpu::Program& program, const std::vector<Axis>& axes) {
  return std::all_of(axes.begin(), axes.end(), [&](const Axis& axis) {
    const std::vector<std::int64_t> values = axis.integers();
    return std::all_of(values.begin(), values.end(), [&](std::int64_t value) {
      return program.find_axis(axis.name)->takes(value);
    });
  });
}

template <class Test>
void keep(std::vector<std::string>& programs, Test test) {
  std::erase_if(programs, [&](const std::string& name) { return !test(gpu::find_program(name)); });
}

// "program" and the union of the axes of these programs.
std::vector<Axis> known_axes(const std::vector<std::string>& programs) {
  std::vector<Axis> known{{"program", {}}};
  std::set<std::string> names;
  for (const std::string& name : programs) {
    for (const gpu::ProgramAxis& axis : gpu::find_program(name).axes) {
      if (names.insert(axis.name).second) known.push_back({axis.name, {}});
    }
  }
  return known;
}

std::vector<Axis> own_axes(const gpu::Program& program) {
  std::vector<Axis> axes;
  for (const gpu::ProgramAxis& axis : program.axes) {
    axes.push_back({axis.name, {}});
    for (const std::int64_t value : axis.values)
      axes.back().values.push_back(std::to_string(value));
  }
  return axes;
}

// Appends the program's points, with the given values in place of its own.
void add_points(const gpu::Program& program, const std::vector<Axis>& overrides,
                const gpu::Input& input, std::vector<gpu::Point>& points) {
  const std::vector<Axis> axes = with_overrides(own_axes(program), overrides);
  std::vector<std::vector<std::int64_t>> numbers;
  for (const Axis& axis : axes) numbers.push_back(axis.integers());
  const std::uint64_t count = point_count(axes);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::vector<std::size_t> at = point_at(axes, i);
    Problem problem;
    for (std::size_t a = 0; a < axes.size(); ++a) problem[axes[a].name] = numbers[a][at[a]];
    points.push_back(live_point({program.name, problem, false}, input));
  }
}

// Sorts points so that those with the same input and result are neighbours; each input is then
// generated once. Sizes ascend within the programs of a reference, and references keep the order of
// the catalogue.
void sort_by_input(std::vector<gpu::Point>& points) {
  using Key = std::pair<std::size_t, std::vector<std::int64_t>>;
  std::vector<std::string> references;
  const auto key = [&](const gpu::Point& point) {
    const gpu::Reference& reference = *gpu::find_program(point.program).reference;
    auto it = std::find(references.begin(), references.end(), reference.name);
    if (it == references.end()) it = references.insert(references.end(), reference.name);
    Key out{static_cast<std::size_t>(it - references.begin()), {}};
    for (const char* axis : reference.axes) out.second.push_back(point.at(axis));
    return out;
  };
  std::vector<std::pair<Key, gpu::Point>> keyed;
  for (gpu::Point& point : points) keyed.emplace_back(key(point), std::move(point));
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = std::move(keyed[i].second);
}

// False when only CPU programs are to be measured.
bool needs_gpu(const std::vector<gpu::Point>& points) {
  return points.empty() || std::any_of(points.begin(), points.end(), [](const gpu::Point& point) {
           return gpu::find_program(point.program).runner != gpu::Runner::kHost;
         });
}

}  // namespace

std::vector<std::string> programs_with(const std::vector<Axis>& overrides) {
  std::vector<Axis> others;
  std::vector<std::string> programs = gpu::program_names();
  for (const Axis& axis : overrides) {
    if (axis.name == "program") {
      programs = axis.values;
    } else {
      others.push_back(axis);
    }
  }
  with_overrides(known_axes(programs), overrides);  // checks names and duplicates
  if (others.size() < overrides.size()) return programs;
  keep(programs, [&](const gpu::Program& program) { return has_all(program, others); });
  if (programs.empty()) fail_usage("no program has all of the axes given (experiment list)");
  std::vector<std::string> willing = programs;
  keep(willing, [&](const gpu::Program& program) { return takes_all(program, others); });
  return willing.empty() ? programs : willing;  // these report which values they accept
}

std::vector<gpu::Point> catalogue_points(const std::vector<Axis>& overrides,
                                         const gpu::Input& input) {
  std::vector<Axis> others = overrides;
  std::erase_if(others, [](const Axis& axis) { return axis.name == "program"; });
  std::vector<gpu::Point> points;
  for (const std::string& name : programs_with(overrides)) {
    add_points(gpu::find_program(name), others, input, points);
  }
  sort_by_input(points);
  return points;
}

std::vector<std::string> profiled_programs(const std::vector<Axis>& overrides) {
  const bool is_named = std::any_of(overrides.begin(), overrides.end(),
                                    [](const Axis& axis) { return axis.name == "program"; });
  std::vector<std::string> programs = programs_with(overrides);
  if (is_named) {
    for (const std::string& name : programs) gpu::check_profiled(name);
  }
  keep(programs, [](const gpu::Program& p) { return p.runner == gpu::Runner::kKernels; });
  return programs;
}

std::vector<gpu::ProfileItem> catalogue_plan(const std::vector<Axis>& overrides,
                                             const gpu::Input& input, bool all_passes) {
  std::vector<Axis> axes = overrides;
  std::erase_if(axes, [](const Axis& axis) { return axis.name == "program"; });
  axes.push_back({"program", profiled_programs(overrides)});
  std::vector<gpu::ProfileItem> plan;
  for (const gpu::Point& point : catalogue_points(axes, input)) {
    plan.push_back(gpu::profile_item(point, all_passes));
  }
  return plan;
}

gpu::DeviceFacts measuring_device(const std::vector<gpu::Point>& points) {
  const bool is_gpu = needs_gpu(points) || !gpu::unavailable_reason();
  return is_gpu ? gpu::query_device() : gpu::host_facts();
}

std::size_t measure_all(const MeasureJob& job, const OutputFile& out,
                        const std::function<void(const std::string&)>& tell) {
  const gpu::DeviceFacts found = measuring_device(job.points);
  const gpu::DeviceFacts host = gpu::host_facts();
  std::set<std::string> there;
  if (job.resume) {
    for (const InputJson& row : load_rows(out.path())) there.insert(row["id"].get<std::string>());
  }
  gpu::InputCache inputs;
  std::size_t measured = 0;
  for (const gpu::Point& point : job.points) {
    const bool is_host = gpu::find_program(point.program).runner == gpu::Runner::kHost;
    const gpu::DeviceFacts& device = is_host ? host : found;
    if (there.contains(gpu::time_row_id(point, job.mode, device.name))) continue;
    const gpu::Measurement m = gpu::measure(point, job.mode, job.rules, inputs);
    append_line(out, to_line(gpu::time_row(point, job.mode, m, device, job.command)));
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
  if (name == "single") return gpu::Mode::kSingle;
  const std::vector<std::string> known{"warm", "cold", "single"};
  fail_usage("--mode " + name + ": unknown" + suggestion(name, known));
}

}  // namespace pnsim::experiments
