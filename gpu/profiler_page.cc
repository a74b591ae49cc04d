#include "gpu/profiler_page.h"

#include <algorithm>
#include <utility>

#include "gpu/counts.h"
#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/numbers.h"
#include "simulator/base/process.h"

namespace pnsim::gpu {

std::string run_profiler(const std::vector<std::string>& command) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  const ProcessText result = read_process(command, kMostBytes);
  const std::string known = explain_ncu_failure(result.messages + result.out);
  if (!known.empty()) fail_unavailable(known);
  if (result.exit_code != 0) {
    fail_unavailable("the profiler ended with exit code " + std::to_string(result.exit_code));
  }
  return result.out;
}

ProfilerPage::ProfilerPage(const std::string& csv, std::string origin)
    : rows_(parse_csv(csv, origin)), origin_(std::move(origin)) {
  if (rows_.size() < 3) fail_input(origin_, "expected a profiled launch, found none");
}

const std::string& ProfilerPage::text(std::size_t launch, const std::string& column) const {
  const auto found = std::find(rows_[0].begin(), rows_[0].end(), column);
  if (found == rows_[0].end()) fail_input(origin_, "the column \"" + column + "\" is missing");
  const auto place = static_cast<std::size_t>(found - rows_[0].begin());
  const std::vector<std::string>& row = rows_.at(launch + 2);
  if (row.size() <= place) {
    fail_input(origin_ + ": row " + std::to_string(launch + 3),
               "the row ends before the column " + column);
  }
  return row[place];
}

double ProfilerPage::number(std::size_t launch, const std::string& column) const {
  const std::string& cell = text(launch, column);
  std::string digits = cell;
  std::erase(digits, ',');  // of thousands
  const std::optional<double> value = parse_double(digits);
  if (!value || !(*value >= 0)) {
    fail_input(origin_ + ": row " + std::to_string(launch + 3) + ", column " + column,
               "found \"" + cell + "\", expected a number of at least 0");
  }
  return *value;
}

}  // namespace pnsim::gpu
