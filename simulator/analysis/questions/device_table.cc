#include "simulator/analysis/questions/device_table.h"

#include <algorithm>
#include <cmath>

#include "simulator/analysis/predict/launch_counts.h"
#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/short_names.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr const char* kExpectedLegend =
    ";\n  expected us: the measured time, or the one found from the profile; on a GPU without"
    "\n  either, that of the first GPU that has one, times the ratio of the predictions. Where it"
    "\n  is known, \"times as fast\" goes by it; where all kernels have it, totals do, too";

std::vector<const DeviceTableRow*> predicted_rows(const DeviceTable& table) {
  std::vector<const DeviceTableRow*> rows;
  for (const DeviceTableRow& row : table.rows) {
    if (row.error.empty()) rows.push_back(&row);
  }
  return rows;
}

// Whether the row has times that can be compared.
bool is_timed(const DeviceTableRow& row) {
  return row.error.empty() && !row.on.empty() &&
         std::all_of(row.on.begin(), row.on.end(),
                     [](const OnDevice& on) { return on.us.has_value(); });
}

// The expected time where it is known, else the predicted one. Needs is_timed().
double best_us(const DeviceTableRow& row, std::size_t device) {
  return expected_us(row, device).value_or(*row.on[device].us);
}

// How often the row's times count in sums, sentences and the order.
double times_counted(const DeviceTable& table, const DeviceTableRow& row) {
  return table.rows.size() > 1 ? weight_of(row.stands_for) : 1;  // one kernel is no program
}

// Microseconds that the order goes by; nothing without a time on every device.
std::optional<double> order_key(const DeviceTable& table, const DeviceTableRow& row) {
  if (!is_timed(row)) return std::nullopt;
  const double first = best_us(row, 0);
  return times_counted(table, row) *
         (table.order == DeviceTableOrder::kTime ? first : first - best_us(row, row.on.size() - 1));
}

// The predicted rows that are shown, in their order.
std::vector<const DeviceTableRow*> shown_rows(const DeviceTable& table) {
  std::vector<const DeviceTableRow*> rows = predicted_rows(table);
  if (table.order != DeviceTableOrder::kFile) {
    // No key is below all keys.
    std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
      return order_key(table, *a) > order_key(table, *b);
    });
  }
  if (table.most > 0 && rows.size() > table.most) rows.resize(table.most);
  return rows;
}

std::string shown_text(const DeviceTable& table) {
  const std::size_t all = predicted_rows(table).size(), shown = shown_rows(table).size();
  if (shown == all) return "";
  const char* const which = table.order == DeviceTableOrder::kTime   ? "those with most time"
                            : table.order == DeviceTableOrder::kGain ? "the largest gains"
                                                                     : "the first by file name";
  return std::to_string(shown) + " of " + std::to_string(all) + " kernels are shown, " + which +
         "; the totals are of all.\n";
}

std::vector<const DeviceTableRow*> timed_rows(const DeviceTable& table) {
  std::vector<const DeviceTableRow*> rows = predicted_rows(table);
  std::erase_if(rows, [](const DeviceTableRow* row) { return !is_timed(*row); });
  return rows;
}

// Time on the first device over time on this one: above 1 this one is faster.
double speed_of(const DeviceTableRow& row, std::size_t device) {
  return best_us(row, 0) / best_us(row, device);
}

// The sum of the expected times over the rows of DeviceTable::total_us(). Nothing where one of them
// has none.
std::optional<double> total_expected_us(const DeviceTable& table, std::size_t device) {
  double sum = 0;
  for (const DeviceTableRow* row : timed_rows(table)) {
    const std::optional<double> us = expected_us(*row, device);
    if (!us) return std::nullopt;
    sum += *us * times_counted(table, *row);
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

// Whether some of several kernels say for how many launches they stand.
bool counts_launches(const DeviceTable& table) {
  const auto rows = predicted_rows(table);
  return rows.size() > 1 &&
         std::any_of(rows.begin(), rows.end(), [](const auto* row) { return row->stands_for; });
}

std::optional<double> total_launches(const DeviceTable& table) {
  if (!counts_launches(table)) return std::nullopt;
  double sum = 0;
  for (const DeviceTableRow* row : timed_rows(table)) sum += times_counted(table, *row);
  return near_whole(sum);
}

std::string launches_text(const DeviceTable& table) {
  const auto rows = timed_rows(table);
  const auto silent =
      std::count_if(rows.begin(), rows.end(), [](const auto* row) { return !row->stands_for; });
  return ";\n  " + launches_legend(static_cast<std::size_t>(silent), rows.size());
}

double total_best_us(const DeviceTable& table, std::size_t device) {
  return total_expected_us(table, device).value_or(table.total_us(device));
}

std::string us_text(const OnDevice& on) {
  return on.us ? significant(*on.us, 4) : std::string(outcome_name(on.outcome));
}

// Whether some row of the table has expected times.
bool has_expected(const DeviceTable& table) {
  const auto rows = timed_rows(table);
  return std::any_of(rows.begin(), rows.end(),
                     [](const auto* row) { return expected_us(*row, 0); });
}

std::string expected_cell(const std::optional<double>& us) {
  return us ? significant(*us, 4) : "-";
}

std::string expected_csv(const std::optional<double>& us) { return us ? fixed(*us, 6) : ""; }

std::string device_title(const DeviceTable& table, std::size_t d) {
  const bool is_estimate = d < table.estimates.size() && !table.estimates[d].empty();
  return table.devices[d] + (is_estimate ? " (estimate)" : "");
}

std::string estimates_text(const DeviceTable& table) {
  std::string text;
  for (std::size_t d = 0; d < table.estimates.size(); ++d) {
    if (table.estimates[d].empty()) continue;
    text += table.devices[d] + " is an estimate: " + table.estimates[d] + ".\n";
  }
  return text;
}

PredictionWarnings warnings_of(const DeviceTableRow& row) {
  PredictionWarnings all;
  for (const OnDevice& on : row.on) {
    for (const PredictionWarning& warning : on.warnings) {
      const auto same = [&](const PredictionWarning& other) { return other.kind == warning.kind; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(warning);
    }
  }
  return all;
}

std::string speed_text(double speed) { return fixed(speed, 2); }

std::string sentence_of_device(const DeviceTable& table, std::size_t d) {
  auto rows = timed_rows(table);
  const double first = total_best_us(table, 0), mine = total_best_us(table, d);
  const std::optional<double> launches = total_launches(table);
  const std::string of_launches = launches ? " for " + launches_cell(launches) + " launches" : "";
  std::string text = table.devices[d] + " takes " + significant(mine, 4) + " us in total" +
                     of_launches + ", " + table.devices[0] + " " + significant(first, 4) +
                     " us: it is " + speed_text(first / mine) + " times as fast.";
  if (rows.size() < 2) return text;
  const auto change = [&](const DeviceTableRow* row) {
    return (best_us(*row, d) - best_us(*row, 0)) * times_counted(table, *row);
  };
  const auto most = *std::max_element(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
    return std::abs(change(a)) < std::abs(change(b));
  });
  const auto by_speed = [&](const auto* a, const auto* b) {
    return speed_of(*a, d) < speed_of(*b, d);
  };
  const auto [least, best] = std::minmax_element(rows.begin(), rows.end(), by_speed);
  const double most_us = change(most);
  return text + " The largest difference is that of " + most->file + ", " +
         significant(std::abs(most_us), 3) + " us " + (most_us < 0 ? "less" : "more") +
         " (bottleneck there: " + most->on[d].bottleneck + "). Its best is " + (*best)->file +
         " (" + speed_text(speed_of(**best, d)) + " times as fast), its worst " + (*least)->file +
         " (" + speed_text(speed_of(**least, d)) + ").";
}

std::string mode_text(const DeviceTable& table) {
  const auto rows = predicted_rows(table);
  const bool in_place = !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const auto* row) {
    return row->is_in_place;
  });
  return table.mode == "warm" && in_place ? "each launch in its program" : table.mode;
}

// A line that says how to start from the profiled times; "" where the table does, or cannot.
std::string hint_text(const DeviceTable& table) {
  if (has_expected(table)) return "";
  const auto& listed = table.devices;
  for (const DeviceTableRow* row : timed_rows(table)) {
    if (row->profiled_on.empty()) continue;
    if (std::find(listed.begin(), listed.end(), row->profiled_on) != listed.end()) continue;
    std::string devices = row->profiled_on;
    for (const std::string& device : listed) devices += "," + device;
    return "For times that start from the profiled ones, name the profiled GPU, too: --device " +
           devices + ".\n";
  }
  return "";
}

// A line on the kernels that are not in the table, "" where all are.
std::string failed_text(const DeviceTable& table) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  std::size_t failed = 0;
  for (const DeviceTableRow& row : table.rows) {
    if (row.error.empty()) continue;
    if (++failed <= kNamed) names += (failed == 1 ? "" : ", ") + row.file;
  }
  if (failed == 0) return "";
  return "\nTable and totals leave out " + std::to_string(failed) + " of " +
         std::to_string(table.rows.size()) +
         " kernels that cannot be predicted on each of these GPUs: " + names +
         (failed > kNamed ? ", ..." : "") + ".";
}

}  // namespace

std::optional<double> expected_us(const DeviceTableRow& row, std::size_t device) {
  if (!is_timed(row) || device >= row.on.size()) return std::nullopt;
  const OnDevice& here = row.on[device];
  if (here.known_us) return here.known_us;
  for (const OnDevice& on : row.on) {
    if (on.known_us && *on.us > 0) return *on.known_us * *here.us / *on.us;
  }
  return std::nullopt;
}

DeviceTableOrder parse_device_table_order(const std::string& word) {
  const std::vector<std::string> known{"file", "time", "gain"};
  const auto at = std::find(known.begin(), known.end(), word);
  if (at == known.end()) fail_usage("--sort: unknown \"" + word + "\"" + suggestion(word, known));
  return static_cast<DeviceTableOrder>(at - known.begin());
}

double DeviceTable::total_us(std::size_t device) const {
  double sum = 0;
  for (const DeviceTableRow& row : rows)
    sum += is_timed(row) ? *row.on[device].us * times_counted(*this, row) : 0;
  return sum;
}

std::string why_text(const DeviceTable& table) {
  std::string text;
  if (timed_rows(table).empty()) return "No kernel was predicted.";
  for (std::size_t d = 1; d < table.devices.size(); ++d) {
    text += (text.empty() ? "" : "\n") + sentence_of_device(table, d);
  }
  const std::size_t without = predicted_rows(table).size() - timed_rows(table).size();
  if (without > 0)
    text += "\nThe totals leave out " + std::to_string(without) +
            " of the kernels: not every run of theirs came to its end.";
  return text + failed_text(table);
}

Json to_json(const DeviceTable& table) {
  Json out{{"net", table.net}, {"mode", table.mode}, {"devices", table.devices}};
  if (!estimates_text(table).empty()) out["estimates"] = table.estimates;
  out["kernels"] = Json::array();
  out["failed"] = Json::array();
  for (const DeviceTableRow& row : table.rows) {
    if (row.error.empty()) continue;
    out["failed"].push_back(Json{{"file", row.file}, {"error", row.error}});
  }
  for (const DeviceTableRow* row : shown_rows(table)) {
    Json on = Json::array();
    for (std::size_t d = 0; d < row->on.size(); ++d) {
      const OnDevice& one = row->on[d];
      on.push_back(Json{{"time_us", one.us ? Json(*one.us) : Json(nullptr)},
                        {"outcome", outcome_name(one.outcome)},
                        {"bottleneck", one.bottleneck},
                        {"warnings", to_json(one.warnings)}});
      if (const std::optional<double> us = expected_us(*row, d)) on.back()["expected_us"] = *us;
    }
    out["kernels"].push_back(Json{{"file", row->file}, {"kernel", row->kernel}, {"on", on}});
    if (!row->template_arguments.empty())
      out["kernels"].back()["template_arguments"] = row->template_arguments;
    if (row->stands_for) out["kernels"].back()["stands_for"] = *row->stands_for;
  }
  out["total_us"] = Json::array();
  for (std::size_t d = 0; d < table.devices.size(); ++d)
    out["total_us"].push_back(table.total_us(d));
  for (std::size_t d = 0; d < table.devices.size(); ++d) {
    if (const auto us = total_expected_us(table, d)) out["total_expected_us"].push_back(*us);
  }
  if (const auto launches = total_launches(table)) out["total_launches"] = *launches;
  out["why"] = why_text(table);
  return out;
}

std::string text_of(const DeviceTable& table) {
  const bool is_expected = has_expected(table);
  std::vector<std::string> header{"file", "kernel"};
  const bool has_counts = counts_launches(table);
  if (has_counts) header.push_back("stands for");
  for (std::size_t d = 0; d < table.devices.size(); ++d) {
    header.push_back(device_title(table, d) + " us");
    if (is_expected) header.push_back("expected us");
    if (d > 0) header.push_back("times as fast");
    header.push_back("bottleneck on " + table.devices[d]);
  }
  const auto shown = shown_rows(table);
  const bool warns = std::any_of(shown.begin(), shown.end(), [](const DeviceTableRow* row) {
    return !warnings_of(*row).empty();
  });
  if (warns) header.push_back("warnings");
  TextTable text(header);
  for (const DeviceTableRow* row : shown) {
    std::vector<std::string> cells{short_file(row->file),
                                   short_kernel(row->kernel, row->template_arguments)};
    if (has_counts) cells.push_back(launches_cell(row->stands_for));
    for (std::size_t d = 0; d < row->on.size(); ++d) {
      cells.push_back(us_text(row->on[d]));
      if (is_expected) cells.push_back(expected_cell(expected_us(*row, d)));
      if (d > 0) cells.push_back(is_timed(*row) ? speed_text(speed_of(*row, d)) : "-");
      cells.push_back(row->on[d].bottleneck);
    }
    if (warns) cells.push_back(kinds_text(warnings_of(*row)));
    text.add_row(std::move(cells));
  }
  std::vector<std::string> total{"total", ""};
  if (has_counts) total.push_back(launches_cell(total_launches(table)));
  for (std::size_t d = 0; d < table.devices.size(); ++d) {
    total.push_back(significant(table.total_us(d), 4));
    if (is_expected) total.push_back(expected_cell(total_expected_us(table, d)));
    if (d > 0) total.push_back(speed_text(total_best_us(table, 0) / total_best_us(table, d)));
    total.push_back("");
  }
  if (warns) total.push_back("");
  if (!timed_rows(table).empty()) text.add_row(std::move(total));
  std::vector<PredictionWarnings> warnings;
  for (const DeviceTableRow* row : predicted_rows(table)) warnings.push_back(warnings_of(*row));
  return "Kernels by GPU: predicted by net " + table.net + ", " + mode_text(table) +
         ";\n  bottleneck: the busiest unit, if it is busy in at least 60 % of the cycles; else "
         "none, and in\n  brackets what most cycles of the schedulers go to" +
         (is_expected ? kExpectedLegend : "") + (has_counts ? launches_text(table) : "") + "\n\n" +
         text.text(2) + "\n" + shown_text(table) + why_text(table) + "\n" + hint_text(table) +
         estimates_text(table) + legend_of_warnings(warnings);
}

std::string csv_of(const DeviceTable& table) {
  std::string csv = csv_line({"file", "kernel", "device", "predicted_us", "bottleneck", "outcome",
                              "warnings", "expected_us", "template_arguments", "stands_for"});
  for (const DeviceTableRow* row : shown_rows(table)) {
    for (std::size_t d = 0; d < row->on.size(); ++d) {
      const OnDevice& on = row->on[d];
      csv += csv_line({row->file, row->kernel, table.devices[d], on.us ? fixed(*on.us, 6) : "",
                       on.bottleneck, std::string(outcome_name(on.outcome)),
                       kinds_text(on.warnings), expected_csv(expected_us(*row, d)),
                       row->template_arguments, launches_csv(row->stands_for)});
    }
  }
  for (std::size_t d = 0; d < table.devices.size(); ++d) {
    csv += csv_line({"total", "", table.devices[d], fixed(table.total_us(d), 6), "", "", "",
                     expected_csv(total_expected_us(table, d)), "",
                     launches_csv(total_launches(table))});
  }
  return csv;
}

}  // namespace pnsim
