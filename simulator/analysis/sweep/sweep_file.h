// Checks the existing rows of a file against the sweep that is to be continued in it.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/analysis/sweep/sweep_points.h"

namespace pnsim {

// The points p of a sweep with p % count == index % count. (So 0/3, 1/3, 2/3 and 1/3, 2/3, 3/3 are
// both the whole sweep.)
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;

  std::uint64_t size(std::uint64_t points) const;  // how many of `points` points are in the shard
  std::uint64_t point(std::uint64_t row) const;    // the point of row 0, 1 ... of the shard
  bool operator==(const Shard&) const = default;
};

// Parses "i/n" with n from 1 to 10^6 and i from 0 to n. Throws error 2 for other text.
Shard parse_shard(const std::string& text);

struct RowsDone {
  std::uint64_t rows = 0;          // complete rows: the first ones of the shard
  std::uint64_t bytes = 0;         // size of these rows
  std::uint64_t cut_off = 0;       // bytes after them, of an incomplete row
  ExitCode worst = ExitCode::kOk;  // the worst exit code of the rows
};

// Error 2 for a path that is not a regular file (a pipe, /dev/stdout): its rows cannot be read
// back.
void check_resumable(const std::string& path);

// Reads the file row by row and does not change it; a missing file counts as empty. Throws error 3
// with the line number for an unexpected row: one of another input, version, seed or axes, or out
// of order. An incomplete last line must be the beginning of the next expected row.
RowsDone rows_done(const std::string& path, const SweepPoints& points, Shard shard);

}  // namespace pnsim
