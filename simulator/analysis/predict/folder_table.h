// The rows of a folder's report: their order, what their times count, and their table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/folder_rows.h"

namespace pnsim {

// Whether the row has a prediction.
bool is_predicted(const FolderRow& row);

// How often a time counts: as often as it stands for launches, or once where that is not known.
double weight_of(const std::optional<double>& stands_for);

// Sums over the rows with a predicted time.
struct Totals {
  std::size_t rows = 0,
              silent = 0;       // silent: rows that do not say for how many launches they stand
  double us = 0, launches = 0;  // a row counts as often as it stands for, a silent one once
  std::optional<double> expected_us;  // nothing where a row has none
  double from_profile_us = 0;         // the part of expected_us that comes from profiled times
  bool counts_launches() const { return silent < rows; }
};
Totals totals_of(const FolderReport& report);

// A sum of parts with 6 digits: the whole number that it is near to, if there is one.
double near_whole(double launches);

// "1,234", "6.5"; "-" for nothing.
std::string launches_cell(const std::optional<double>& launches);
// "1234", "6.500000"; "" for nothing.
std::string launches_csv(const std::optional<double>& launches);
// What a column of launches means. `silent` of `all` rows have none.
std::string launches_legend(std::size_t silent, std::size_t all);

// The predicted rows that are shown, in their order.
std::vector<const FolderRow*> shown_rows(const FolderReport& report);

// The table of these rows; "" without rows.
std::string rows_text(const FolderReport& report);

}  // namespace pnsim
