// The shards of a sweep put together: the bytes that an unsharded sweep writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pnsim {

// Points first ... last of a sweep (from 1) that no file has.
struct MissingPoints {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool operator==(const MissingPoints&) const = default;
};

struct Merged {
  std::uint64_t points = 0;             // of the whole sweep
  std::uint64_t missing = 0;            // how many
  std::vector<MissingPoints> examples;  // the first ten gaps
  std::vector<std::string> cut_off;     // files whose last row is not finished
  bool is_complete() const { return missing == 0; }
};

// Whether another process may have the files locked.
enum class FilesInUse { kRefused, kMayBe };

// Reads the files side by side, a row of each at a time, and writes `out` when no point is missing;
// else `out` stays as it was. Rows that several files have must agree to the byte. Error 3 with
// file and line for rows that disagree, come from different sweeps, are out of order or no rows; 4
// when a file is still being written; 74 when `out` cannot be written.
Merged merge_rows(const std::vector<std::string>& files, const std::string& out,
                  FilesInUse in_use = FilesInUse::kRefused);

// "points 3 to 7 and 12 (6 of 20) are missing".
std::string missing_text(const Merged& merged);

}  // namespace pnsim
