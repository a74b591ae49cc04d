#include "simulator/analysis/questions/device_table.h"

#include <algorithm>
#include <cmath>

#include "simulator/analysis/predict/folder_report.h"
#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::vector<const DeviceTableRow*> predicted_rows(const DeviceTable& table) {
  std::vector<const DeviceTableRow*> rows;
  for (const DeviceTableRow& row : table.rows) {
    if (row.error.empty()) rows.push_back(&row);
  }
  return rows;
}

// Microseconds that the order goes by; nothing without a time on every device.
std::optional<double> order_key(const DeviceTable& table, const DeviceTableRow& row) {
  const bool is_timed = std::all_of(row.on.begin(), row.on.end(),
                                    [](const OnDevice& on) { return on.us.has_value(); });
  if (row.on.empty() || !is_timed) return std::nullopt;
  const double first = *row.on.front().us;
  return table.order == DeviceTableOrder::kTime ? first : first - *row.on.back().us;
}

// The predicted rows that are shown, in their order.
std::vector<const DeviceTableRow*> shown_rows(const DeviceTable& table) {
  std::vector<const DeviceTableRow*> rows = predicted_rows(table);
  if (table.order != DeviceTableOrder::kFile) {
    std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
      return order_key(table, *a) > order_key(table, *b);  // nothing is below all
    });
  }
  if (table.most > 0 && rows.size() > table.most) rows.resize(table.most);
  return rows;
}

std::string shown_text(const DeviceTable& table) {
  const std::size_t all = predicted_rows(table).size(), shown = shown_rows(table).size();
  if (shown == all) return "";
  const char* const which = table.order == DeviceTableOrder::kTime   ? "the longest"
                            : table.order == DeviceTableOrder::kGain ? "the largest gains"
                                                                     : "the first by file name";
  return std::to_string(shown) + " of " + std::to_string(all) + " kernels are shown, " + which +
         "; the totals are of all.\n";
}

// Whether the row has times that can be compared.
bool is_timed(const DeviceTableRow& row) {
  return row.error.empty() && std::all_of(row.on.begin(), row.on.end(),
                                          [](const OnDevice& on) { return on.us.has_value(); });
}

std::vector<const DeviceTableRow*> timed_rows(const DeviceTable& table) {
  std::vector<const DeviceTableRow*> rows = predicted_rows(table);
  std::erase_if(rows, [](const DeviceTableRow* row) { return !is_timed(*row); });
  return rows;
}

// Time on the first device over time on this one: above 1 this one is faster.
double speed_of(const DeviceTableRow& row, std::size_t device) {
  return *row.on[0].us / *row.on[device].us;
}

std::string us_text(const OnDevice& on) {
  return on.us ? significant(*on.us, 4) : std::string(outcome_name(on.outcome));
}

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
  const double first = table.total_us(0), mine = table.total_us(d);
  std::string text = table.devices[d] + " takes " + significant(mine, 4) + " us in total, " +
                     table.devices[0] + " " + significant(first, 4) + " us: it is " +
                     speed_text(first / mine) + " times as fast.";
  if (rows.size() < 2) return text;
  const auto change = [&](const DeviceTableRow* row) { return *row->on[d].us - *row->on[0].us; };
  const auto most = *std::max_element(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
    return std::abs(change(a)) < std::abs(change(b));
  });
  const auto by_speed = [&](const auto* a, const auto* b) {
    return speed_of(*a, d) < speed_of(*b, d);
  };
  const auto [least, best] = std::minmax_element(rows.begin(), rows.end(), by_speed);
  return text + " The largest difference is that of " + most->file + " (" +
         significant(change(most), 3) + " us; bottleneck there: " + most->on[d].bottleneck +
         "). It gains most for " + (*best)->file + " (" + speed_text(speed_of(**best, d)) +
         " times as fast) and least for " + (*least)->file + " (" +
         speed_text(speed_of(**least, d)) + ").";
}

}  // namespace

DeviceTableOrder parse_device_table_order(const std::string& word) {
  const std::vector<std::string> known{"file", "time", "gain"};
  const auto at = std::find(known.begin(), known.end(), word);
  if (at == known.end()) fail_usage("--sort: unknown \"" + word + "\"" + suggestion(word, known));
  return static_cast<DeviceTableOrder>(at - known.begin());
}

double DeviceTable::total_us(std::size_t device) const {
  double sum = 0;
  for (const DeviceTableRow& row : rows) sum += is_timed(row) ? *row.on[device].us : 0;
  return sum;
}

std::string why_text(const DeviceTable& table) {
  std::string text;
  if (timed_rows(table).empty()) return "No kernel was predicted.";
  for (std::size_t d = 1; d < table.devices.size(); ++d) {
    text += (text.empty() ? "" : "\n") + sentence_of_device(table, d);
  }
  const std::size_t without = predicted_rows(table).size() - timed_rows(table).size();
  return without == 0 ? text
                      : text + "\nThe totals leave out " + std::to_string(without) +
                            " of the kernels: not every run of theirs came to its end.";
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
    for (const OnDevice& one : row->on) {
      on.push_back(Json{{"time_us", one.us ? Json(*one.us) : Json(nullptr)},
                        {"outcome", outcome_name(one.outcome)},
                        {"bottleneck", one.bottleneck},
                        {"warnings", to_json(one.warnings)}});
    }
    out["kernels"].push_back(Json{{"file", row->file}, {"kernel", row->kernel}, {"on", on}});
  }
  out["total_us"] = Json::array();
  for (std::size_t d = 0; d < table.devices.size(); ++d)
    out["total_us"].push_back(table.total_us(d));
  out["why"] = why_text(table);
  return out;
}

std::string text_of(const DeviceTable& table) {
  std::vector<std::string> header{"file", "kernel"};
  for (std::size_t d = 0; d < table.devices.size(); ++d) {
    header.push_back(device_title(table, d) + " us");
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
    std::vector<std::string> cells{shortened(row->file), shortened(row->kernel)};
    for (std::size_t d = 0; d < row->on.size(); ++d) {
      cells.push_back(us_text(row->on[d]));
      if (d > 0) cells.push_back(is_timed(*row) ? speed_text(speed_of(*row, d)) : "-");
      cells.push_back(row->on[d].bottleneck);
    }
    if (warns) cells.push_back(kinds_text(warnings_of(*row)));
    text.add_row(std::move(cells));
  }
  std::vector<std::string> total{"total", ""};
  for (std::size_t d = 0; d < table.devices.size(); ++d) {
    total.push_back(significant(table.total_us(d), 4));
    if (d > 0) total.push_back(speed_text(table.total_us(0) / table.total_us(d)));
    total.push_back("");
  }
  if (warns) total.push_back("");
  if (!timed_rows(table).empty()) text.add_row(std::move(total));
  std::vector<PredictionWarnings> warnings;
  for (const DeviceTableRow* row : shown) warnings.push_back(warnings_of(*row));
  return "Kernels by GPU: predicted by net " + table.net + ", " + table.mode +
         ";\n  bottleneck: the unit that limits, and how busy it is; none: no unit is near its "
         "limit, and what\n  most cycles of the schedulers go to\n\n" +
         text.text(2) + "\n" + shown_text(table) + why_text(table) + "\n" + estimates_text(table) +
         legend_of_warnings(warnings);
}

std::string csv_of(const DeviceTable& table) {
  std::string csv =
      csv_line({"file", "kernel", "device", "predicted_us", "bottleneck", "outcome", "warnings"});
  for (const DeviceTableRow* row : shown_rows(table)) {
    for (std::size_t d = 0; d < row->on.size(); ++d) {
      const OnDevice& on = row->on[d];
      csv +=
          csv_line({row->file, row->kernel, table.devices[d], on.us ? fixed(*on.us, 6) : "",
                    on.bottleneck, std::string(outcome_name(on.outcome)), kinds_text(on.warnings)});
    }
  }
  for (std::size_t d = 0; d < table.devices.size(); ++d) {
    csv += csv_line({"total", "", table.devices[d], fixed(table.total_us(d), 6), "", "", ""});
  }
  return csv;
}

}  // namespace pnsim
