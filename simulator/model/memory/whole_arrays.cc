#include "simulator/model/memory/whole_arrays.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/launch_sums.h"

namespace pnsim {
namespace {

constexpr double kAsCounted = 0.03;     // of the sectors of all arrays
constexpr double kEquallyOften = 0.02;  // of the executions
constexpr double kUnrolled = 1.5;       // loads of an array by a warp
constexpr std::size_t kMostArrays = 8;  // of which all choices are tried
constexpr double kWholeCount = 0.01;    // loads of a row
constexpr double kSizesInHundredths = 100;

struct Array {
  std::vector<std::size_t> rows;  // one a load
  double executions = 0, sectors = 0;
  double own = 0;  // sectors, without those that a neighbouring warp requests, too
};

// Rows of a full warp's words that begin within a sector have one sector more than they fill.
double own_share(const LoadsInOrder& row) {
  const SegmentAccess& access = *row.access;
  const double filled = access.lanes * static_cast<double>(access.bytes) / kSectorBytes;
  const double sectors = access.sectors / access.count;
  const bool is_shifted = row.coalesced && filled >= 1 && sectors <= filled + 1;
  return is_shifted ? std::min(filled / sectors, 1.0) : 1;
}

// Empty if some row has a fraction of a load.
std::vector<Array> arrays_of(const std::vector<LoadsInOrder>& loads) {
  using Kind = std::tuple<std::int64_t, long, long, long, std::size_t>;
  std::map<Kind, Array> arrays;
  for (std::size_t r = 0; r < loads.size(); ++r) {
    const SegmentAccess& access = *loads[r].access;
    const double count = std::round(access.count);
    if (count < 1 || std::abs(access.count - count) > kWholeCount) return {};
    const auto size = [&](double of_row) {
      return std::lround(kSizesInHundredths * of_row / count);
    };
    const double sectors = loads[r].executions * access.sectors / count;
    for (std::size_t place = 0; place < static_cast<std::size_t>(count); ++place) {
      Array& array = arrays[{access.bytes, size(access.sectors), size(access.tag_lookups),
                             std::lround(access.lanes), place}];
      array.rows.push_back(r);
      array.executions += loads[r].executions;
      array.sectors += sectors;
      array.own += sectors * own_share(loads[r]);
    }
  }
  std::vector<Array> out;
  for (auto& [kind, array] : arrays) out.push_back(std::move(array));
  return out;
}

bool are_unrolled(const std::vector<Array>& arrays, double warps) {
  return std::all_of(arrays.begin(), arrays.end(), [&](const Array& array) {
    return std::abs(array.executions / arrays.front().executions - 1) <= kEquallyOften &&
           array.executions >= kUnrolled * warps;
  });
}

// Which arrays miss.
struct Choice {
  std::size_t bits = 0;  // one an array; 0: no choice fits
  double own = 0;        // sectors of these arrays

  bool has(std::size_t array) const { return (bits >> array & 1) != 0; }
};

// At least one array misses.
Choice arrays_that_miss(const std::vector<Array>& arrays, double warps, double misses) {
  double sectors = 0;
  for (const Array& array : arrays) sectors += array.sectors;
  const std::size_t all = (std::size_t{1} << arrays.size()) - 1;
  double nearest = kAsCounted * sectors;
  Choice found;
  for (std::size_t bits = are_unrolled(arrays, warps) ? 1 : all; bits <= all; ++bits) {
    Choice choice{bits, 0};
    for (std::size_t i = 0; i < arrays.size(); ++i) choice.own += choice.has(i) ? arrays[i].own : 0;
    if (std::abs(choice.own - misses) >= nearest) continue;
    nearest = std::abs(choice.own - misses);
    found = choice;
  }
  return found;
}

}  // namespace

std::optional<std::vector<double>> hits_of_arrays(const std::vector<LoadsInOrder>& loads,
                                                  double warps, double misses) {
  const std::vector<Array> arrays = arrays_of(loads);
  if (arrays.empty() || arrays.size() > kMostArrays) return std::nullopt;
  const Choice missing = arrays_that_miss(arrays, warps, misses);
  if (missing.bits == 0) return std::nullopt;
  // The counted misses are a few more or less.
  const double less = std::min(share_of(misses, missing.own), 1.0);
  std::vector<double> missed(loads.size(), 0);
  double sectors = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    sectors += arrays[i].sectors;
    if (!missing.has(i)) continue;
    for (const std::size_t r : arrays[i].rows)
      missed[r] += less * own_share(loads[r]) / std::round(loads[r].access->count);
  }
  const double more = share_of(std::max(misses - missing.own, 0.0), sectors - missing.own);
  std::vector<double> hits;
  for (const double share : missed) hits.push_back((1 - share) * (1 - more));
  return hits;
}

}  // namespace pnsim
