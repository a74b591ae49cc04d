// The user's table of measured times, with one row per profiled launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pnsim::experiments {

struct OwnTime {
  std::string where;        // "times.csv: row 2", for messages
  std::size_t index = 0;    // of the launch in the raw page, from 0
  std::string kernel;       // the kernel's name, or a part of it
  std::string problem;      // what determines the work: rows with equal values do the same work
  std::string block;        // block size: "256", "32x8"
  std::int64_t blocks = 0;  // of the grid; 0: not given
  std::string config;       // the configuration in the user's words; "" without such a column
  double us = 0;            // time of one launch in microseconds; 0: the launch has none
  // The time is of a profiler that adds code to kernels (gpu/record.h): each block is longer.
  bool is_instrumented = false;
  // Launches of the program that this one represents, itself included, and their measured time in
  // microseconds; 0: not said.
  double stands_for = 0, stands_for_us = 0;

  std::int64_t threads() const;  // threads per block: the product of its sizes
};

// Throws error 3 for a file that is no such table, by its header. It is read before the pages of a
// profile, which take longer.
void check_own_times(const std::string& csv_text, const std::string& origin);

// The number of rows below the header. Error 3 for a file that is no such table.
std::size_t count_own_times(const std::string& csv_text, const std::string& origin);

// Reads the table. Its header must have the columns index, kernel, problem, block and time_us in
// any order. Optional are config, grid (blocks: "4096", "64x64", or nothing), instrumented (0 or
// 1), and stands_for with stands_for_us; other columns are ignored. Without instrumented, times are
// of instrumented kernels where there is a column invocation, which earlier versions of `experiment
// profile` wrote. Cells may stand between semicolons or tabs instead of commas, and numbers then
// have decimal commas or points. Rows are returned in the order of their indices, 0 to `launches`
// - 1. A launch whose time is empty has none, as `experiment profile` writes it. Throws error 3
// with the row for: a missing or repeated column, a row of another width, an empty kernel or
// problem, an invalid block or grid, a time that is not positive, no time at all, and an index that
// is repeated, missing or too large.
std::vector<OwnTime> read_own_times(const std::string& csv_text, const std::string& origin,
                                    std::size_t launches);

}  // namespace pnsim::experiments
