#include "experiments/measure/program_pages.h"

#include <algorithm>
#include <cstdio>

#include "simulator/analysis/predict/launch_counts.h"
#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::size_t column_of(const Rows& rows, const std::string& name, const std::string& file) {
  const auto found = std::find(rows.front().begin(), rows.front().end(), name);
  if (found == rows.front().end()) fail_input(file, "column \"" + name + "\" is missing");
  return static_cast<std::size_t>(found - rows.front().begin());
}

gpu::Extent extent_of(const std::string& cell, const std::string& where) {
  long long x = 0, y = 0, z = 0;
  int end = 0;
  const int count = std::sscanf(cell.c_str(), "(%lld, %lld, %lld)%n", &x, &y, &z, &end);
  if (count != 3 || static_cast<std::size_t>(end) != cell.size()) {
    fail_input(where, "found size \"" + cell + "\", expected (x, y, z)");
  }
  return {x, y, z};
}

std::string block_text(const gpu::Extent& block) {
  return std::to_string(block[0]) + "x" + std::to_string(block[1]) + "x" + std::to_string(block[2]);
}

}  // namespace

void check_page(const std::string& file, PageKind kind) {
  const std::string page = page_of(read_file(file));
  if (!begins_as(page, kind)) fail_other_page(page, file, kind);
}

std::vector<gpu::PageLaunch> launches_of_page(const std::string& raw_csv) {
  const Rows rows = parse_csv(page_of(read_file(raw_csv)), raw_csv);
  if (rows.size() < 3) fail_input(raw_csv, "found no launch, expected at least one");
  const std::size_t name = column_of(rows, "Kernel Name", raw_csv);
  const std::size_t grid = column_of(rows, "Grid Size", raw_csv);
  const std::size_t block = column_of(rows, "Block Size", raw_csv);
  std::vector<gpu::PageLaunch> launches;
  for (std::size_t row = 2; row < rows.size(); ++row) {  // row 1 has the units
    const std::string where = raw_csv + ": row " + std::to_string(row - 1);
    if (rows[row].size() != rows.front().size()) fail_input(where, "a row of another width");
    launches.push_back(
        {rows[row][name], extent_of(rows[row][grid], where), extent_of(rows[row][block], where)});
  }
  return launches;
}

std::string times_table(const std::vector<gpu::PageLaunch>& page,
                        const std::vector<std::optional<gpu::RecordedLaunch>>& launches,
                        bool are_instrumented) {
  std::string text = csv_line({"index", "kernel", "problem", "block", "time_us", "invocation",
                               "grid", "instrumented", "stands_for", "stands_for_us"});
  const std::vector<gpu::StoodFor> stood_for = gpu::stood_for(launches);
  constexpr double kLeastUs = 1e-3;  // a time of less is none
  for (std::size_t i = 0; i < page.size(); ++i) {
    const bool has_time =
        launches[i] && launches[i]->time_us >= kLeastUs && stood_for[i].us >= kLeastUs;
    const std::optional<gpu::RecordedLaunch> launch = has_time ? launches[i] : std::nullopt;
    // Nothing tells whether two launches do the same work, so each is a problem of its own.
    text += csv_line({std::to_string(i), gpu::kernel_base_name(page[i].kernel),
                      "launch " + std::to_string(i), block_text(page[i].block),
                      launch ? significant(launch->time_us, 7) : "",
                      launch ? std::to_string(launch->invocation) : "", block_text(page[i].grid),
                      are_instrumented ? "1" : "0",
                      launches_csv(launch ? std::optional(stood_for[i].launches) : std::nullopt),
                      launch ? significant(stood_for[i].us, 7) : ""});
  }
  return text;
}

}  // namespace pnsim::experiments
