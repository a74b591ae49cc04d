// The id of a row of a sweep: it identifies the sweep and the point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pnsim {

// Versions in the id. They change when the same input, axes and seed would give other rows.
inline constexpr int kLawVersion = 1;  // version of the law (docs/law.md)
inline constexpr int kRowVersion = 2;  // version of the keys of a row

// "0123456789abcdef-17/300": a hash of 16 digits over everything the sweep depends on, then the
// point (counted from 1) and the number of points.
struct SweepRowId {
  std::string sweep;
  std::uint64_t point = 0;  // from 0
  std::uint64_t count = 0;

  std::string text() const;
  bool operator==(const SweepRowId&) const = default;
};

// The id at the start of `row` (one line). Nothing when the line is not a row of a sweep.
std::optional<SweepRowId> row_id_of(std::string_view row);

}  // namespace pnsim
