#include "simulator/model/memory/whole_arrays.h"

#include <algorithm>
#include <cmath>

#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/launch_sums.h"

namespace pnsim {
namespace {

constexpr double kMissesTolerance = 0.03;      // of the sectors of all arrays
constexpr double kExecutionsTolerance = 0.02;  // of the executions of another array
constexpr double kCountTolerance = 0.01;       // from a whole number of loads
constexpr double kSectorsTolerance = 0.05;     // of a load, from those of another of its array
constexpr double kUnrolled = 1.5;              // loads of an array by a warp
constexpr std::size_t kMostArrays = 4;         // with more, some of them fit nearly any number

struct Array {
  const SegmentAccess* access = nullptr;  // of its first row
  std::size_t place = 0;                  // among the loads of a row
  std::vector<std::size_t> rows;          // one a load
  double executions = 0;
};

double sectors_of_one(const SegmentAccess& access) { return access.sectors / access.count; }

bool are_of_one_kind(const SegmentAccess& a, const SegmentAccess& b) {
  return a.access_class == b.access_class && a.addresses == b.addresses &&
         a.outlives_wait == b.outlives_wait && a.bytes == b.bytes &&
         std::lround(a.lanes) == std::lround(b.lanes) &&
         std::abs(sectors_of_one(a) - sectors_of_one(b)) <= kSectorsTolerance;
}

// Each load of a row is of another array. Empty where a row has a fraction of a load, or if there
// are too many arrays.
std::vector<Array> arrays_of(const std::vector<StraightLoads>& loads) {
  std::vector<Array> arrays;
  for (std::size_t r = 0; r < loads.size(); ++r) {
    const SegmentAccess& access = *loads[r].access;
    const double count = std::round(access.count);
    if (count < 1 || count > kMostArrays || std::abs(access.count - count) > kCountTolerance)
      return {};
    for (std::size_t place = 0; place < static_cast<std::size_t>(count); ++place) {
      auto array = std::find_if(arrays.begin(), arrays.end(), [&](const Array& one) {
        return one.place == place && are_of_one_kind(*one.access, access);
      });
      if (array == arrays.end()) {
        if (arrays.size() == kMostArrays) return {};
        array = arrays.insert(arrays.end(), Array{&access, place, {}, 0});
      }
      array->rows.push_back(r);
      array->executions += loads[r].executions;
    }
  }
  return arrays;
}

// The share of a row's sectors that no earlier row of its block has requested. A row that begins
// within a sector touches one sector more than its words fill, and shares it with the row before;
// the first row of a block has none before it.
double unshared_share(const SegmentAccess& access, double rows_of_block) {
  const double filled = access.lanes * static_cast<double>(access.bytes) / kSectorBytes;
  const double sectors = sectors_of_one(access);
  if (filled < 1 || sectors <= filled || sectors > filled + 1) return 1;
  return (filled + (sectors - filled) / std::max(rows_of_block, 1.0)) / sectors;
}

double rows_of_block(const Array& array, const LoadingWarps& warps) {
  const double of_warp = warps.of_launch > 0 ? array.executions / warps.of_launch : 1;
  return warps.of_block * std::max(of_warp, 1.0);
}

bool are_unrolled(const std::vector<Array>& arrays, double warps) {
  return std::all_of(arrays.begin(), arrays.end(), [&](const Array& array) {
    return std::abs(array.executions / arrays.front().executions - 1) <= kExecutionsTolerance &&
           array.executions >= kUnrolled * warps;
  });
}

// [row] the share of its sectors that miss if the arrays of `choice`, a bit each, miss.
std::vector<double> missed_by(std::size_t choice, const std::vector<Array>& arrays,
                              const std::vector<StraightLoads>& loads, const LoadingWarps& warps) {
  std::vector<double> missed(loads.size(), 0);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (!(choice >> i & 1)) continue;
    for (const std::size_t r : arrays[i].rows) {
      const SegmentAccess& access = *loads[r].access;
      missed[r] +=
          unshared_share(access, rows_of_block(arrays[i], warps)) / std::round(access.count);
    }
  }
  return missed;
}

struct Fit {
  std::vector<double> missed;  // [row] share of its sectors
  double sectors = 0;
};

double sum_of_sectors(const std::vector<double>& shares, const std::vector<StraightLoads>& loads) {
  double sum = 0;
  for (std::size_t r = 0; r < loads.size(); ++r)
    sum += shares[r] * loads[r].executions * loads[r].access->sectors;
  return sum;
}

// nullopt if no choice of arrays fits, or if several do that differ in what a row misses.
std::optional<Fit> only_fit(const std::vector<Array>& arrays,
                            const std::vector<StraightLoads>& loads, const LoadingWarps& warps,
                            double misses) {
  const double all_sectors = sum_of_sectors(std::vector<double>(loads.size(), 1), loads);
  const std::size_t all = (std::size_t{1} << arrays.size()) - 1;
  std::optional<Fit> found;
  for (std::size_t choice = are_unrolled(arrays, warps.of_launch) ? 1 : all; choice <= all;
       ++choice) {
    Fit fit{missed_by(choice, arrays, loads, warps), 0};
    fit.sectors = sum_of_sectors(fit.missed, loads);
    const bool says_nothing = fit.sectors >= (1 - kMissesTolerance) * all_sectors;
    if (says_nothing || std::abs(fit.sectors - misses) > kMissesTolerance * all_sectors) continue;
    if (found && found->missed != fit.missed) return std::nullopt;
    found = std::move(fit);
  }
  return found;
}

}  // namespace

std::optional<std::vector<double>> hits_of_arrays(const std::vector<StraightLoads>& loads,
                                                  const LoadingWarps& warps, double misses) {
  const std::vector<Array> arrays = arrays_of(loads);
  if (arrays.empty()) return std::nullopt;
  const std::optional<Fit> fit = only_fit(arrays, loads, warps, misses);
  if (!fit) return std::nullopt;
  // The counted misses are a few more or less than those of the arrays.
  const double all_sectors = sum_of_sectors(std::vector<double>(loads.size(), 1), loads);
  const double dealt = std::min(share_of(misses, fit->sectors), 1.0);
  const double others = share_of(std::max(misses - fit->sectors, 0.0), all_sectors - fit->sectors);
  std::vector<double> hits;
  for (const double share : fit->missed) hits.push_back((1 - dealt * share) * (1 - others));
  return hits;
}

}  // namespace pnsim
