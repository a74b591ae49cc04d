#include "simulator/analysis/predict/folder_table.h"

#include <algorithm>
#include <cmath>

#include "simulator/analysis/predict/expected_time.h"
#include "simulator/base/short_names.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::string kernel_text(const FolderRow& row) {
  if (row.launches != 1) return std::to_string(row.launches) + " launches";
  return short_kernel(row.kernel, row.template_arguments);
}

// What --sort orders by, the largest first; nothing where the row has no such number.
std::optional<double> order_key(const FolderRow& row, FolderOrder order) {
  if (!row.predicted_us) return std::nullopt;
  if (order == FolderOrder::kTime) return *row.predicted_us * weight_of(row.stands_for);
  const std::optional<double>& real = row.measured_us ? row.measured_us : row.profiled_us;
  if (!real) return std::nullopt;
  return std::abs(*row.predicted_us / *real - 1);
}

std::string us_cell(const std::optional<double>& us) { return us ? significant(*us, 4) : "-"; }

std::string error_cell(const FolderRow& row) {
  if (!row.predicted_us || !row.measured_us) return "-";
  const double error = *row.predicted_us / *row.measured_us - 1;
  return (error >= 0 ? "+" : "") + fixed(100 * error, 1);
}

std::string of_profiled_cell(const FolderRow& row) {
  if (!row.predicted_us || !row.profiled_us) return "-";
  return fixed(100 * *row.predicted_us / *row.profiled_us, 1);
}

std::string share_cell(const FolderRow& row, const Totals& all) {
  if (!row.predicted_us || all.us <= 0) return "-";
  return fixed(100 * *row.predicted_us * weight_of(row.stands_for) / all.us, 1);
}

// A column of the table. Most columns are shown only if at least one row has a value.
struct FolderColumn {
  std::string name;
  std::string (*cell)(const FolderRow& row, const Totals& all);
  bool (*has)(const FolderRow& row);
  bool without_net_only = false;  // shown only without --net
};

const std::vector<FolderColumn>& folder_columns() {
  using Row = const FolderRow&;
  constexpr auto always = [](Row) { return true; };
  constexpr auto is_measured = [](Row row) { return row.measured_us.has_value(); };
  constexpr auto is_profiled = [](Row row) { return row.profiled_us.has_value(); };
  static const std::vector<FolderColumn> columns{
      {"file", [](Row row, const Totals&) { return short_file(row.file); }, always},
      {"kernel", [](Row row, const Totals&) { return kernel_text(row); }, always},
      {"grid",
       [](Row row, const Totals&) { return row.launches == 1 ? std::to_string(row.grid) : "-"; },
       always},
      {"block",
       [](Row row, const Totals&) { return row.launches == 1 ? std::to_string(row.block) : "-"; },
       always},
      {"steps",
       [](Row row, const Totals&) {
         return fixed(row.steps, row.steps == std::floor(row.steps) ? 0 : 1);
       },
       always},
      {"predicted us", [](Row row, const Totals&) { return us_cell(row.predicted_us); }, always},
      {"net", [](Row row, const Totals&) { return row.net; }, always, true},
      {"paper's net us", [](Row row, const Totals&) { return us_cell(row.beside_us); },
       [](Row row) { return row.beside_us.has_value(); }, true},
      {"stands for", [](Row row, const Totals&) { return launches_cell(row.stands_for); },
       [](Row row) { return row.predicted_us && row.stands_for; }},
      {"share %", share_cell, [](Row row) { return row.predicted_us.has_value(); }},
      {"measured us", [](Row row, const Totals&) { return us_cell(row.measured_us); }, is_measured},
      {"error %", [](Row row, const Totals&) { return error_cell(row); }, is_measured},
      {"profiled us", [](Row row, const Totals&) { return us_cell(row.profiled_us); }, is_profiled},
      {"% of profiled", [](Row row, const Totals&) { return of_profiled_cell(row); }, is_profiled},
      {"expected us", [](Row row, const Totals&) { return us_cell(row.expected_us); },
       [](Row row) { return row.expected_us.has_value(); }},
      {"warnings", [](Row row, const Totals&) { return kinds_text(row.warnings); },
       [](Row row) { return !row.warnings.empty(); }},
      {"outcome", [](Row row, const Totals&) { return std::string(outcome_name(row.outcome)); },
       [](Row row) { return row.outcome != Outcome::kGoal; }},
      {"bottleneck", [](Row row, const Totals&) { return row.busiest_unit; },
       [](Row row) { return !row.busiest_unit.empty(); }},
  };
  return columns;
}

}  // namespace

bool is_predicted(const FolderRow& row) { return row.error.empty(); }

Totals totals_of(const FolderReport& report) {
  Totals out;
  double expected_us = 0;
  bool all_expected = true;
  for (const FolderRow& row : report.rows) {
    if (!row.predicted_us) continue;
    ++out.rows;
    out.silent += row.stands_for ? 0 : 1;
    const double weight = weight_of(row.stands_for);
    out.us += *row.predicted_us * weight;
    out.launches += weight;
    expected_us += row.expected_us.value_or(0) * weight;
    all_expected &= row.expected_us.has_value();
    if (row.profiled_us.value_or(0) >= kLongProfiledUs)
      out.from_profile_us += row.expected_us.value_or(0) * weight;
  }
  out.launches = near_whole(out.launches);
  if (all_expected && out.rows > 0) out.expected_us = expected_us;
  return out;
}

std::vector<const FolderRow*> shown_rows(const FolderReport& report) {
  std::vector<const FolderRow*> rows;
  for (const FolderRow& row : report.rows) {
    if (is_predicted(row)) rows.push_back(&row);
  }
  const FolderView& view = report.view;
  if (view.order != FolderOrder::kFile) {
    // No key is below all keys.
    std::stable_sort(rows.begin(), rows.end(), [&](const FolderRow* a, const FolderRow* b) {
      return order_key(*a, view.order) > order_key(*b, view.order);
    });
  }
  if (view.most > 0 && rows.size() > view.most) rows.resize(view.most);
  return rows;
}

std::string rows_text(const FolderReport& report) {
  const std::vector<const FolderRow*> rows = shown_rows(report);
  const Totals all = totals_of(report);
  std::vector<const FolderColumn*> columns;
  std::vector<std::string> header;
  for (const FolderColumn& column : folder_columns()) {
    const auto has = [&](const FolderRow* row) { return column.has(*row); };
    if (column.without_net_only && report.net_was_given) continue;
    if (std::none_of(rows.begin(), rows.end(), has)) continue;
    columns.push_back(&column);
    header.push_back(column.name);
  }
  TextTable table(header);
  for (const FolderRow* row : rows) {
    std::vector<std::string> cells;
    for (const FolderColumn* column : columns) cells.push_back(column->cell(*row, all));
    table.add_row(std::move(cells));
  }
  return table.empty() ? "" : "\n" + table.text(2) + "\n";
}

}  // namespace pnsim
