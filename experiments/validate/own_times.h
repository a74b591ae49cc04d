// The user's table of measured times, a row a profiled launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pnsim::experiments {

struct OwnTime {
  std::string where;      // "times.csv: row 2", for messages
  std::size_t index = 0;  // of the launch in the raw page, from 0
  std::string kernel;     // its name, or a part of it
  std::string problem;    // what decides the work: rows with equal ones do the same
  std::string block;      // "256", "32x8": how it is launched
  std::string config;     // the same in the user's words; "" where there is no such column
  double us = 0;          // of one launch

  std::int64_t threads() const;  // of a block: the product of its sizes
};

// A header with the columns index, kernel, problem, block and time_us, and perhaps config, in any
// order; other columns are passed over. Rows come back in the order of their indices, 0 to
// `launches` - 1. Error 3 with the row for anything else: a column that is missing or stands twice,
// a row of another width, an empty kernel or problem, a block that is no size, a time that is not
// over 0, an index that stands twice, is beyond the launches or is missing.
std::vector<OwnTime> read_own_times(const std::string& csv_text, const std::string& origin,
                                    std::size_t launches);

}  // namespace pnsim::experiments
