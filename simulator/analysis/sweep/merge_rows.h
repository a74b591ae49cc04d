// Merges the shards of a sweep into the bytes that the sweep without shards would write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pnsim {

// The points first ... last of a sweep (counted from 1), which are in no file.
struct MissingPoints {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool operator==(const MissingPoints&) const = default;
};

struct Merged {
  std::uint64_t points = 0;             // number of points of the whole sweep
  std::uint64_t missing = 0;            // number of missing points
  std::vector<MissingPoints> examples;  // the first ten gaps
  std::vector<std::string> cut_off;     // files whose last row is incomplete
  bool is_complete() const { return missing == 0; }
};

// Whether other processes may hold locks on the files.
enum class FilesInUse { kRefused, kMayBe };

// Reads the files side by side, one row of each at a time. Writes `out` when no point is missing
// and leaves it unchanged otherwise. Rows that are in several files must be identical. Throws error
// 3 with file and line for rows that differ, belong to different sweeps, are out of order or are
// malformed; error 4 when another process is writing a file; error 74 when `out` cannot be written.
Merged merge_rows(const std::vector<std::string>& files, const std::string& out,
                  FilesInUse in_use = FilesInUse::kRefused);

// Example: "points 3 to 7 and 12 (6 of 20) are missing".
std::string missing_text(const Merged& merged);

}  // namespace pnsim
