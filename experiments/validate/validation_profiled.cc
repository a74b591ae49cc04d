// The measured times of validation_report.h beside the times under the profiler.
#include <cmath>
#include <limits>

#include "experiments/report/report_cells.h"
#include "experiments/validate/validation_report.h"
#include "simulator/base/stats.h"

namespace pnsim::experiments {
namespace {

// Short launches take less than half of their profiled time back to back (0.44 at the least of 97
// launches of PyTorch); the recorded ones of this repository take at most 1.10 times theirs.
constexpr double kLeastOfProfiled = 0.4, kMostOfProfiled = 1.2;

std::string range_text(const std::vector<double>& ratios) {
  const auto at = [&](double q) { return fixed(quantile(ratios, q), 2); };
  return "  measured / profiled time of " + std::to_string(ratios.size()) +
         (ratios.size() == 1 ? " point: " : " points: ") + at(0) + " to " + at(1) + ", median " +
         at(0.5) + ", 5 to 95 %: " + at(0.05) + " to " + at(0.95) + "\n";
}

}  // namespace

std::vector<double> profiled_times(const ValidationSet& set) {
  std::vector<double> out;
  for (const ValidationPoint& point : set.points) {
    const Json& provenance = point.model->provenance;
    const bool is_profiled = provenance.is_object() && provenance.contains("profiled_us") &&
                             provenance.at("profiled_us").is_number();
    out.push_back(is_profiled ? provenance.at("profiled_us").get<double>()
                              : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

Section profiled_section(const Validation& v) {
  const std::vector<double> profiled = profiled_times(v.set);
  TextTable table({"program", "at", "measured us", "profiled us", "measured / profiled"});
  std::vector<double> ratios;
  for (std::size_t i = 0; i < profiled.size(); ++i) {
    if (std::isnan(profiled[i])) continue;
    const ValidationPoint& point = v.set.points[i];
    const double ratio = point.measured_us() / profiled[i];
    ratios.push_back(ratio);
    if (ratio >= kLeastOfProfiled && ratio <= kMostOfProfiled) continue;
    table.add_row({shortened_name(point.program), point.at, significant(point.measured_us(), 4),
                   significant(profiled[i], 4), fixed(ratio, 2)});
  }
  if (ratios.empty()) return {"", ""};
  std::string text = range_text(ratios);
  if (!table.empty()) {
    text +=
        "  These times and the profile disagree: other data lay in the caches under the profiler, "
        "or the\n  times are of other launches. A prediction follows the profile.\n" +
        table.text(2);
  }
  return {"Measured and profiled times (" + v.set.times.brief + ")", text};
}

}  // namespace pnsim::experiments
