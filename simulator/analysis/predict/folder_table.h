// The rows of a folder's report: their order, what their times count, and their table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/folder_rows.h"
#include "simulator/analysis/predict/launch_counts.h"

namespace pnsim {

// Whether the row has a prediction.
bool is_predicted(const FolderRow& row);

// Sums over the rows with a predicted time.
struct Totals {
  std::size_t rows = 0;
  std::size_t silent = 0;             // rows that do not say for how many launches they stand
  double us = 0, launches = 0;        // a row counts as often as it stands for, a silent one once
  std::optional<double> expected_us;  // nothing where a row has none
  double from_profile_us = 0;         // the part of expected_us that comes from profiled times
  bool counts_launches() const { return silent < rows; }
};
Totals totals_of(const FolderReport& report);

// The predicted rows that are shown, in their order.
std::vector<const FolderRow*> shown_rows(const FolderReport& report);

// The table of these rows; "" without rows.
std::string rows_text(const FolderReport& report);

}  // namespace pnsim
