// Axes of sweeps and experiments, as they are typed:
//   l1=[10:200:10]    10, 20 ... 200 (the end belongs to the range when it is hit; step 1 if left
//   out) l2=[1,2,4]        a list n[pow2]=[12:24]   2^12, 2^13 ... 2^24: the values are exponents
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

  // Error 2 naming the first value that is not a whole number of 64 bits.
  std::vector<std::int64_t> integers() const;

  bool operator==(const Axis&) const = default;
};

// Error 2, quoting `text`, for bad syntax, an empty axis, a value that stands twice, a step below
// 1, an exponent outside 0 ... 62, or more than kMaxAxisValues values (said before they are made).
Axis parse_axis(std::string_view text);

// `axes` with the values of each of `overrides` in the place of the axis of that name. Error 2 with
// the nearest name for an axis that is not there, and for one that is given twice.
std::vector<Axis> with_overrides(std::vector<Axis> axes, const std::vector<Axis>& overrides);

// Points of the product. Error 2 for more than kMaxPoints.
std::uint64_t point_count(std::span<const Axis> axes);

// Position on each axis of point `index` of the product; the last axis runs fastest.
std::vector<std::size_t> point_at(std::span<const Axis> axes, std::uint64_t index);

}  // namespace pnsim
