// What a rows file holds already, held against the sweep that is to go on in it.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/analysis/sweep/sweep_points.h"

namespace pnsim {

// Points p of a sweep with p % count == index % count. (So 0/3, 1/3, 2/3 and 1/3, 2/3, 3/3 are both
// all of it.)
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;

  std::uint64_t size(std::uint64_t points) const;  // of `points`, how many are in it
  std::uint64_t point(std::uint64_t row) const;    // of its row 0, 1 ...
  bool operator==(const Shard&) const = default;
};

// "i/n", n from 1 to 10^6, i from 0 to n. Error 2.
Shard parse_shard(const std::string& text);

struct RowsDone {
  std::uint64_t rows = 0;          // whole rows: the first of the shard
  std::uint64_t bytes = 0;         // of them
  std::uint64_t cut_off = 0;       // bytes after them: a row that was not finished
  ExitCode worst = ExitCode::kOk;  // what the rows mean for the exit code
};

// Error 2 for what is no regular file (a pipe, /dev/stdout): rows cannot be read back from it.
void check_resumable(const std::string& path);

// Reads the file (none is an empty one), a row at a time, and changes nothing. Error 3 with the
// line for a row that is not the expected one: of another input, version, seed or other axes, or
// out of order. A last line that is cut off must begin as the next row does.
RowsDone rows_done(const std::string& path, const SweepPoints& points, Shard shard);

}  // namespace pnsim
