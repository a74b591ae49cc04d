#include "simulator/analysis/predict/launch_counts.h"

#include <cmath>

#include "simulator/base/table.h"

namespace pnsim {

double weight_of(const std::optional<double>& stands_for) { return stands_for.value_or(1); }

double near_whole(double launches) {
  constexpr double kRounding = 1e-3;  // of many parts with 6 digits
  const double whole = std::round(launches);
  return std::abs(launches - whole) < kRounding ? whole : launches;
}

std::string launches_cell(const std::optional<double>& launches) {
  if (!launches) return "-";
  const double tenths = std::round(10 * *launches) / 10;
  return tenths == std::floor(tenths) ? grouped(std::llround(tenths)) : fixed(tenths, 1);
}

std::string launches_csv(const std::optional<double>& launches) {
  if (!launches) return "";
  return fixed(*launches, *launches == std::floor(*launches) ? 0 : 6);
}

std::string launches_text(double launches) {
  return launches == 1 ? "1 launch of its program: itself"
                       : launches_cell(launches) +
                             " launches of its program, which have its kernel, grid, block and "
                             "shared memory";
}

std::string launches_legend(std::size_t silent, std::size_t all) {
  return "stands for: how many launches of its program the profiled launch represents; " +
         (silent == 0 ? std::string("sums, shares and order\n  count them all")
                      : std::to_string(silent) + " of " + std::to_string(all) +
                            " models\n  do not say it and count once");
}

}  // namespace pnsim
