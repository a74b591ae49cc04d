// Recorded measurements and fitted time scales: the rows of results/<device>/*.jsonl.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

struct MeasuredTime {
  double median_us = 0;
  double p05_us = 0;  // 5th and 95th percentiles of the samples
  double p95_us = 0;
  std::string source;  // the id of the row: "results/h200 4f2a..."
};

// The time of one step of a net, for one device and one setting of the net's parameters.
struct TimeScale {
  double us_per_step = 0;
  std::string source;
  std::vector<std::string> programs = {};  // to whose times it was fitted; none: nothing is fitted
};

// The programs to which the scale was fitted: "radix_global, radix_shared".
std::string programs_text(const TimeScale& scale);

// Whether times of programs are recorded on the device. Without them no time scale can be fitted.
bool has_recorded_times(const std::string& device);

class RecordedResults {
 public:
  // Reads the rows of the device once. A device without results has no rows.
  explicit RecordedResults(const std::string& device);
  // Reads only the rows that time() needs for one program, and those that scale() needs.
  static RecordedResults of_program(const std::string& device, const std::string& program);
  // Takes rows from another source (live measurements).
  RecordedResults(const std::string& device, std::vector<InputJson> rows);

  // The measured time of this program, problem and mode ("warm" or "cold"); rows of kind "time".
  std::optional<MeasuredTime> time(const std::string& program, const Problem& problem,
                                   const std::string& mode = "warm") const;

  // The scale of this net with exactly these parameters; rows of kind "time_scale".
  std::optional<TimeScale> scale(const std::string& net, const ParameterValues& parameters) const;

  const std::string& device() const { return device_; }
  const std::vector<InputJson>& rows() const { return rows_; }

 private:
  std::string device_;
  std::vector<InputJson> rows_;
};

}  // namespace pnsim
