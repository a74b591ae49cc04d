#include "experiments/validate/program_sums.h"

#include <algorithm>
#include <cmath>

#include "experiments/report/report_cells.h"
#include "experiments/spec/statistics.h"
#include "simulator/analysis/predict/expected_time.h"
#include "simulator/analysis/predict/launch_counts.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

double error_of(double us, const ProgramSum& sum) { return us / sum.us - 1; }

// "1 launch", "1,234 launches".
std::string launches_of(double launches) {
  return launches_cell(launches) + (launches == 1 ? " launch" : " launches");
}

// Whether the expected times (expected_time.h) are known: of launches in their program, on their
// GPU.
bool has_expected(const Validation& v) {
  return v.set.device.name == v.set.times.device &&
         std::all_of(v.set.points.begin(), v.set.points.end(),
                     [](const ValidationPoint& point) { return is_in_place(*point.launches); });
}

// [point] by the profiler, of short launches by the first predictor.
std::vector<double> expected_times(const Validation& v) {
  std::vector<double> us = profiled_times(v.set);
  for (std::size_t i = 0; i < us.size(); ++i)
    us[i] = unprofiled_us(v.set.device, us[i]).value_or(v.predicted[0].us[i]);
  return us;
}

ProgramSum sum_of(const Validation& v) {
  std::vector<RepresentedLaunches> launches;
  const std::vector<double> expected_us = expected_times(v);
  for (std::size_t i = 0; i < v.set.points.size(); ++i) {
    const ValidationPoint& point = v.set.points[i];
    launches.push_back({point.stands_for, point.stands_for_us, point.measured_us(), {}});
    for (const Predicted& predicted : v.predicted)
      launches.back().predicted_us.push_back(predicted.us[i]);
    launches.back().predicted_us.push_back(expected_us[i]);
  }
  return program_sum(launches);
}

ErrorSummary errors_of(const std::vector<const RecordedProgram*>& programs,
                       double (*us)(const ProgramSum&)) {
  std::vector<double> errors;
  for (const RecordedProgram* program : programs) {
    const double error = error_of(us(program->sum), program->sum);
    if (!std::isnan(error)) errors.push_back(std::abs(error));
  }
  return summarize(errors);
}

Json recorded_json(const RecordedProgram& program) {
  const ProgramSum& sum = program.sum;
  return {{"kind", program.kind},
          {"program", program.name},
          {"points", sum.points},
          {"launches", sum.launches},
          {"measured_us", sum.us},
          {"from_measured_points_us", sum.from_measured_us},
          {"first_us", number_or_null(sum.predicted_us[0])},
          {"now_us", number_or_null(sum.predicted_us[1])}};
}

}  // namespace

ProgramSum program_sum(std::span<const RepresentedLaunches> launches) {
  ProgramSum out;
  for (const RepresentedLaunches& of : launches) {
    if (!(of.launches > 0)) continue;
    ++out.points;
    out.launches += of.launches;
    out.us += of.us;
    out.from_measured_us += of.launches * of.measured_us;
    out.predicted_us.resize(of.predicted_us.size());
    for (std::size_t p = 0; p < of.predicted_us.size(); ++p)
      out.predicted_us[p] += of.launches * of.predicted_us[p];
  }
  return out;
}

namespace {

// What the table of times has, but the sum does not.
std::string left_out_text(const Validation& v, const ProgramSum& sum) {
  constexpr double kRounding = 1e-6;
  const std::size_t uncounted = v.set.points.size() - sum.points;
  const double us = v.set.represented_us - sum.us;
  std::string text;
  if (us > kRounding * v.set.represented_us) {
    text += "  (" + launches_of(v.set.represented_launches - sum.launches) + ", which took " +
            significant(us, 4) + " us, are in no sum: the skipped ones)\n";
  }
  if (uncounted > 0)
    text += "  (" + std::to_string(uncounted) + " of the points do not say what they represent)\n";
  return text;
}

}  // namespace

Section program_section(const Validation& v) {
  const ProgramSum sum = sum_of(v);
  if (sum.points == 0) return {"", ""};
  TextTable table({"time of each point", "sum us", "error %"});
  const auto add = [&](const std::string& name, double us) {
    table.add_row({name, significant(us, 4), signed_percent(error_of(us, sum))});
  };
  add("measured, of these points", sum.from_measured_us);
  for (std::size_t p = 0; p < v.predicted.size(); ++p) {
    if (!v.predicted[p].is_ablation) add(v.predicted[p].name, sum.predicted_us[p]);
  }
  if (has_expected(v)) add("expected", sum.predicted_us.back());
  const std::string left_out = left_out_text(v, sum);
  return {"The program, by its profiled kinds of launches (" + v.set.times.brief + ")",
          "  " + std::to_string(sum.points) +
              (sum.points == 1 ? " point represents " : " points represent ") +
              launches_of(sum.launches) + ", which took " + significant(sum.us, 4) +
              " us together\n" + left_out + table.text(2) +
              "  (a sum is the times of the points, each multiplied by the launches that it "
              "represents;\n   the first row shows the error that comes from measuring only these "
              "points)\n"};
}

Json program_json(const Validation& v) {
  const ProgramSum sum = sum_of(v);
  if (sum.points == 0) return nullptr;
  Json out = {{"points", sum.points},
              {"launches", sum.launches},
              {"measured_us", sum.us},
              {"from_measured_points_us", sum.from_measured_us},
              {"predicted_us", Json::object()}};
  for (std::size_t p = 0; p < v.predicted.size(); ++p)
    out["predicted_us"][v.predicted[p].name] = sum.predicted_us[p];
  if (has_expected(v)) out["expected_us"] = sum.predicted_us.back();
  return out;
}

std::string program_sums_table(const std::vector<RecordedProgram>& programs, Json& json) {
  std::vector<std::pair<std::string, std::vector<const RecordedProgram*>>> by_kind;
  for (const RecordedProgram& program : programs) {
    auto kind = std::find_if(by_kind.begin(), by_kind.end(),
                             [&](const auto& of) { return of.first == program.kind; });
    if (kind == by_kind.end()) kind = by_kind.insert(kind, {program.kind, {}});
    kind->second.push_back(&program);
    json.push_back(recorded_json(program));
  }
  TextTable table(
      {"kind", "predictor", "programs", "launches", "mean %", "median %", "p90 %", "worst %"});
  for (const auto& [kind, of_kind] : by_kind) {
    double launches = 0;
    for (const RecordedProgram* program : of_kind) launches += program->sum.launches;
    const auto add = [&](const char* predictor, double (*us)(const ProgramSum&)) {
      const ErrorSummary e = errors_of(of_kind, us);
      if (e.points == 0) return;
      table.add_row({kind, predictor, std::to_string(e.points), fixed(launches, 0), percent(e.mean),
                     percent(e.median), percent(e.p90), percent(e.worst)});
    };
    add("first", [](const ProgramSum& sum) { return sum.predicted_us[0]; });
    add("now", [](const ProgramSum& sum) { return sum.predicted_us[1]; });
    add("measured", [](const ProgramSum& sum) { return sum.from_measured_us; });
  }
  return table.empty() ? "" : table.text(2);
}

}  // namespace pnsim::experiments
