// Run-to-run repeatability: compares two files of rows of the same points, measured at two times.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim::experiments {

// One point that is in both files.
struct RepeatedTime {
  std::string program;
  double difference = 0;  // second / first - 1
  // Whether the difference is within its 95 % interval. The half width of this interval is the root
  // of the sum of the squares of the two rows' half widths.
  bool is_within = false;
  double half_width = 0;  // half width of the first row's interval, relative to its time
};

// Statistics over the points of one program, or of all programs.
struct Repeatability {
  std::string program;
  std::size_t points = 0;
  double within_share = 0;       // share of points within their 95 % interval
  double median_difference = 0;  // signed
  double median_size = 0;        // of the absolute differences, as the next two
  double p95_size = 0;
  double worst_size = 0;
  double median_half_width = 0;
  double p95_half_width = 0;
};

// The points with a row in both files, in the order of `second`. The last row with an id counts.
// Throws error 3 for a row without the interval ("ci95_us") and error 4 when no point is in both.
std::vector<RepeatedTime> repeated_times(const std::vector<InputJson>& first,
                                         const std::vector<InputJson>& second);

// One entry per program in order of appearance, then "all".
std::vector<Repeatability> summarize_repeats(const std::vector<RepeatedTime>& times);

// {"id","kind":"repeat","device","mode","first":{"commit","date"},"second":{..},"programs":[..]}
// from the two files and their summary.
Json repeat_row(const std::vector<InputJson>& first, const std::vector<InputJson>& second,
                const std::vector<Repeatability>& summary, const std::string& command);

std::string repeat_text(const InputJson& row);

}  // namespace pnsim::experiments
