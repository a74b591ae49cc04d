// What was measured and fitted before: rows of results/<device>/*.jsonl.
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
  double p05_us = 0;  // 5th and 95th percentile of the samples
  double p95_us = 0;
  std::string source;  // "results/h200 4f2a...": the id of the row
};

// The time of a step of a net, for one device and one setting of the net's parameters.
struct TimeScale {
  double us_per_step = 0;
  std::string source;
};

class RecordedResults {
 public:
  // Reads the rows once. A device without results has none.
  explicit RecordedResults(const std::string& device);
  // Reads what time() says of one program and what scale() says, and nothing else.
  static RecordedResults of_program(const std::string& device, const std::string& program);
  // Takes rows from elsewhere (live measurements).
  RecordedResults(const std::string& device, std::vector<InputJson> rows);

  // The row of kind "time" for this program, problem and mode ("warm" or "cold").
  std::optional<MeasuredTime> time(const std::string& program, const Problem& problem,
                                   const std::string& mode = "warm") const;

  // The row of kind "time_scale" for this net with exactly these parameters.
  std::optional<TimeScale> scale(const std::string& net, const ParameterValues& parameters) const;

  const std::string& device() const { return device_; }
  const std::vector<InputJson>& rows() const { return rows_; }

 private:
  std::string device_;
  std::vector<InputJson> rows_;
};

}  // namespace pnsim
