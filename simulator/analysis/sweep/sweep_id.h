// The id of a row of a sweep: which sweep, and which of its points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pnsim {

// Numbers in an id that change when the same input, axes and seed would give other rows.
inline constexpr int kLawVersion = 1;  // the steps: docs/law.md
inline constexpr int kRowVersion = 2;  // the keys of a row

// "0123456789abcdef-17/300": 16 digits, a hash of everything the sweep depends on; then the point,
// counted from 1, of how many.
struct SweepRowId {
  std::string sweep;
  std::uint64_t point = 0;  // from 0
  std::uint64_t count = 0;

  std::string text() const;
  bool operator==(const SweepRowId&) const = default;
};

// The id that a row (one line) begins with; nothing when it is not a row of a sweep.
std::optional<SweepRowId> row_id_of(std::string_view row);

}  // namespace pnsim
