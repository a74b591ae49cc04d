// Axes of sweeps and experiments, in the syntax of the command line:
//   l1=[10:200:10]          10, 20 ... 200: FIRST:LAST:STEP. LAST is included when a step
//                           reaches it; an omitted step is 1.
//   l2=[1,2,4]              a list; a number may be a power: n=[2^20,2^21]
//   n[pow2]=[12:24]         2^12, 2^13 ... 2^24: the values are exponents
//   net=[wpnm,wpnm_literal], block=256
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

inline constexpr std::uint64_t kMaxAxisValues = 1'000'000;
inline constexpr std::uint64_t kMaxPoints = 10'000'000;

struct Axis {
  std::string name;
  std::vector<std::string> values;  // in order, at least one, all different; numbers in decimal

  // The values as numbers. Error 2 names the first value that is not a 64-bit integer.
  std::vector<std::int64_t> integers() const;

  bool operator==(const Axis&) const = default;
};

// Parses one axis. Error 2 quotes `text`: bad syntax, an empty axis, a repeated value, a step below
// 1, an exponent outside 0 ... 62, or more than kMaxAxisValues values (checked before they are
// created).
Axis parse_axis(std::string_view text);

// Returns `axes` with the values of each axis in `overrides` replaced. Error 2 for an unknown axis
// (with the nearest name) and for an axis that is given twice.
std::vector<Axis> with_overrides(std::vector<Axis> axes, const std::vector<Axis>& overrides);

// Number of points of the product of the axes. Error 2 for more than kMaxPoints.
std::uint64_t point_count(std::span<const Axis> axes);

// Position on each axis of point `index` of the product. The last axis varies fastest.
std::vector<std::size_t> point_at(std::span<const Axis> axes, std::uint64_t index);

}  // namespace pnsim
