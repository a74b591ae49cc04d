#include "experiments/measure/counts_import.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "gpu/catalogue.h"
#include "simulator/base/error.h"
#include "simulator/model/launch/executions.h"
#include "simulator/model/memory/cold_launch.h"
#include "simulator/net/net.h"

namespace pnsim::experiments {
namespace {

constexpr const char* kManifestKeys[] = {"index", "program", "pass", "kernel",
                                         "grid",  "threads", "input"};

// All other keys of a manifest row are axes of the problem.
Problem problem_of(const JsonReader& row) {
  Problem problem;
  for (const auto& [key, value] : row.members()) {
    if (std::find(std::begin(kManifestKeys), std::end(kManifestKeys), key) ==
        std::end(kManifestKeys)) {
      problem[key] = value.integer(0, kMaxTokens);
    }
  }
  return problem;
}

void check_same(const JsonReader& row, const char* key, std::int64_t found) {
  const std::int64_t expected = row.at(key).integer(0, kMaxTokens);
  if (found != expected) {
    row.fail(std::string(key) + ": the raw page has " + std::to_string(found) + ", the manifest " +
             std::to_string(expected));
  }
}

ProfiledPass joined(const JsonReader& row, ProfiledLaunch launch) {
  check_same(row, "index", launch.id);
  check_same(row, "grid", launch.launch.grid);
  check_same(row, "threads", launch.launch.block);
  if (row.at("kernel").string() != launch.kernel) {
    row.at("kernel").fail_expected("\"" + launch.kernel + "\", the kernel of the raw page");
  }
  ProfiledPass out;
  out.program = row.at("program").string();
  const bool is_name =
      !out.program.empty() && std::all_of(out.program.begin(), out.program.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
      });
  if (!is_name) row.at("program").fail_expected("a program's name: letters, digits and _");
  out.problem = problem_of(row);
  out.input = Json(row.at("input").value());
  out.pass = static_cast<std::uint32_t>(row.at("pass").integer(0, 1'000'000));
  out.launch = std::move(launch);
  return out;
}

std::vector<ProfiledPass> with_source(std::vector<ProfiledPass> passes, const CountsFiles& files) {
  if (files.source.empty()) return passes;
  std::vector<ProfiledLaunch> launches;
  for (const ProfiledPass& pass : passes) launches.push_back(pass.launch);
  SourceCheck check = check_against_source(launches, read_file(files.source), files.source);
  refuse_faults(add_programs(launches, check.tables));
  for (std::size_t i = 0; i < passes.size(); ++i) {
    passes[i].launch = std::move(launches[i]);
    passes[i].source = std::move(check.launches[i]);
    passes[i].source_sums = check.sums[i];
  }
  return passes;
}

bool same_shape_and_counts(const ProfiledLaunch& a, const ProfiledLaunch& b) {
  return a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
         a.launch.resident_blocks == b.launch.resident_blocks && a.totals == b.totals;
}

using Launches = std::vector<const ProfiledLaunch*>;

// Groups the launches by pass, in launch order.
std::map<std::uint32_t, Launches> by_pass(const std::vector<ProfiledPass>& passes) {
  std::map<std::uint32_t, Launches> out;
  for (const ProfiledPass& p : passes) out[p.pass].push_back(&p.launch);
  return out;
}

void check_same_kernels(const Launches& first, const Launches& other, const std::string& where) {
  const bool same = std::equal(
      first.begin(), first.end(), other.begin(), other.end(),
      [](const ProfiledLaunch* a, const ProfiledLaunch* b) { return a->kernel == b->kernel; });
  if (!same) fail_input(where, "the passes do not launch the same kernels");
}

// The positions in `passes` that belong to one point, in order of appearance.
struct PointGroup {
  std::string program;
  Problem problem;
  std::vector<ProfiledPass> passes;
};

std::vector<PointGroup> group_points(const std::vector<ProfiledPass>& passes) {
  std::vector<PointGroup> groups;
  for (const ProfiledPass& p : passes) {
    // Pages list point after point, so the group is nearly always the last one.
    const auto it = std::find_if(groups.rbegin(), groups.rend(), [&](const PointGroup& g) {
      return g.program == p.program && g.problem == p.problem;
    });
    if (it != groups.rend()) {
      it->passes.push_back(p);
    } else {
      groups.push_back({p.program, p.problem, {p}});
    }
  }
  return groups;
}

const gpu::Program* in_catalogue(const std::string& name) {
  for (const gpu::Program& program : gpu::catalogue()) {
    if (program.name == name) return &program;
  }
  return nullptr;
}

void set_default_point(KernelModel& model) {
  model.problem = model.points.front().problem;
  const gpu::Program* program = in_catalogue(model.name);
  if (!program) return;
  Problem wanted;
  for (const gpu::ProgramAxis& axis : program->axes) wanted[axis.name] = axis.default_value;
  for (const RecordedPoint& point : model.points) {
    if (point.problem == wanted) model.problem = wanted;
  }
}

void sort_points(KernelModel& model) {
  const auto key = [](const RecordedPoint& point) {
    std::vector<std::int64_t> values;  // the size axis comes first
    if (const auto n = point.problem.find("n"); n != point.problem.end())
      values.push_back(n->second);
    for (const auto& [axis, value] : point.problem) values.push_back(value);
    return values;
  };
  std::stable_sort(model.points.begin(), model.points.end(),
                   [&](const RecordedPoint& a, const RecordedPoint& b) { return key(a) < key(b); });
}

}  // namespace

std::vector<ProfiledPass> read_counts(const CountsFiles& files) {
  std::vector<ProfiledLaunch> launches = read_ncu_raw(read_file(files.raw), files.raw);
  std::istringstream lines(read_file(files.manifest));
  std::vector<ProfiledPass> out;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    const std::string where = files.manifest + ": line " + std::to_string(number);
    const InputJson row = parse_json(line, where);
    if (out.size() == launches.size()) fail_input(where, "the raw page has no launch for this row");
    out.push_back(joined(JsonReader(row, where), std::move(launches[out.size()])));
  }
  if (out.size() == launches.size()) return with_source(std::move(out), files);
  fail_input(files.manifest, "found " + std::to_string(out.size()) +
                                 " rows, expected one for each of the " +
                                 std::to_string(launches.size()) + " launches of " + files.raw);
}

RecordedPoint point_of(const std::vector<ProfiledPass>& passes) {
  const auto launches = by_pass(passes);
  const Launches& first = launches.begin()->second;
  const Launches& last = launches.rbegin()->second;
  const std::string where = passes[0].program + " " + problem_text(passes[0].problem);
  for (const auto& [pass, other] : launches) check_same_kernels(first, other, where);
  const std::int64_t count = std::int64_t{launches.rbegin()->first} + 1;
  RecordedPoint point{passes[0].problem, {}};
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool same = same_shape_and_counts(*first[i], *last[i]);
    point.launches.push_back(first[i]->launch);
    point.launches.back().repeat = same ? count : count - count / 2;
    if (same) continue;
    point.launches.push_back(last[i]->launch);
    point.launches.back().repeat = count / 2;
  }
  return point;
}

std::vector<KernelModel> models_of(const std::vector<ProfiledPass>& passes,
                                   const std::string& device, const Json& provenance) {
  std::vector<KernelModel> models;
  for (const PointGroup& group : group_points(passes)) {
    auto it = std::find_if(models.begin(), models.end(),
                           [&](const KernelModel& m) { return m.name == group.program; });
    if (it == models.end()) {
      KernelModel model;
      model.name = group.program;
      const gpu::Program* program = in_catalogue(group.program);
      model.description = program ? program->summary : "counts of " + group.program;
      model.net = "wpnm";
      model.device = device;
      model.provenance = provenance;
      model.provenance["input"] = group.passes[0].input;
      it = models.insert(models.end(), std::move(model));
    }
    it->points.push_back(point_of(group.passes));
  }
  for (KernelModel& model : models) {
    sort_points(model);
    set_default_point(model);
  }
  return models;
}

namespace {

// The cold counters of the old point remain valid when its first launch is unchanged.
void keep_cold_counters(const RecordedPoint& old, RecordedPoint& fresh) {
  if (!tells_cold(old)) return;
  const Launch& from = old.launches[0];
  Launch& to = fresh.launches.at(0);
  if (from.kernel != to.kernel || from.grid != to.grid || from.block != to.block) return;
  for (const char* counted : {"executed_instructions", "l1_load_sectors", "l1_store_sectors"}) {
    if (counter_of(from, counted) != counter_of(to, counted)) return;  // the code or data changed
  }
  for (const char* name : {kColdMissSectors, kColdReadBytes})
    to.counters[name] = from.counters.at(name);
}

}  // namespace

KernelModel merged(const KernelModel& old, KernelModel fresh) {
  const std::size_t measured = fresh.points.size();
  for (const RecordedPoint& point : old.points) {
    const auto it =
        std::find_if(fresh.points.begin(), fresh.points.end(),
                     [&](const RecordedPoint& p) { return p.problem == point.problem; });
    if (it == fresh.points.end()) {
      fresh.points.push_back(point);
    } else {
      keep_cold_counters(point, *it);
    }
  }
  if (fresh.points.size() > measured) fresh.provenance["other_points"] = old.provenance;
  const bool is_told = std::any_of(fresh.points.begin(), fresh.points.end(), tells_cold);
  if (is_told && old.provenance.contains("cold")) fresh.provenance["cold"] = old.provenance["cold"];
  sort_points(fresh);
  set_default_point(fresh);
  return fresh;
}

}  // namespace pnsim::experiments
