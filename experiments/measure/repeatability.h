// How well times come again: two files of rows of the same points, measured one after the other.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim::experiments {

// One point in both files.
struct RepeatedTime {
  std::string program;
  double difference = 0;  // second / first - 1
  // Whether the difference is within the 95 % interval of a difference: the root of the sum of the
  // squares of the half widths that the two rows state.
  bool is_within = false;
  double half_width = 0;  // of the first row's interval, over its time
};

// Of one program, or of all.
struct Repeatability {
  std::string program;
  std::size_t points = 0;
  double within_share = 0;
  double median_difference = 0;  // with its sign
  double median_size = 0;        // of the differences without their signs
  double p95_size = 0;
  double worst_size = 0;
  double median_half_width = 0;
  double p95_half_width = 0;
};

// Points with a row in both, in the order of `second`; of rows with one id the last one counts.
// Error 3 for a row without the interval ("ci95_us"), error 4 when no point is in both.
std::vector<RepeatedTime> repeated_times(const std::vector<InputJson>& first,
                                         const std::vector<InputJson>& second);

// A program each in order of appearance, then "all".
std::vector<Repeatability> summarize_repeats(const std::vector<RepeatedTime>& times);

// {"id","kind":"repeat","device","mode","first":{"commit","date"},"second":{..},"programs":[..]}
// from the two files and what is said of them.
Json repeat_row(const std::vector<InputJson>& first, const std::vector<InputJson>& second,
                const std::vector<Repeatability>& summary, const std::string& command);

std::string repeat_text(const InputJson& row);

}  // namespace pnsim::experiments
