// The rows of a sweep as a table: for the terminal, for a spreadsheet, and for a plot.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim {

// What a table shows of a row.
struct SweptPoint {
  std::vector<std::string> axes;             // [axis] the value: "20", "0.5", "wpnm"
  double steps = 0;                          // mean over the replicas
  std::optional<double> stddev, half_width;  // of the steps, and of the 95 % interval of their mean
  std::optional<double> predicted_us, measured_us;
  std::string outcome;  // "goal", "dead", "limit"
  bool ended = true;    // every run came to its end; otherwise the steps are those until then

  std::optional<double> error_percent() const;  // of the predicted time
};

class SweepTable {
 public:
  // `names` of the axes, and `heads` with their units, such as "l1 (steps)". With `has_goal` a dead
  // marking is no end.
  SweepTable(std::vector<std::string> names, std::vector<std::string> heads, bool has_goal);

  // Adds whole lines of rows (docs/sweeps.md). Throws error 3 with `origin` for other lines.
  void add(std::string_view rows, const std::string& origin);

  const std::vector<std::string>& heads() const { return heads_; }
  const std::vector<SweptPoint>& points() const { return points_; }

  // What was run: "radix_shared on net wpnm, h200; seed 1, 1 replica". Nets, devices and numbers of
  // replicas that differ from row to row are omitted.
  std::string title() const;

  // At most `most` rows are shown. Columns without a value are omitted.
  std::string text(std::size_t most = 60) const;

  // A row per point, with all columns: a column per axis, then steps, steps_stddev, predicted_us,
  // measured_us, error_percent, outcome.
  std::string csv() const;

 private:
  void add_row(std::string_view line, const std::string& origin);
  void add_point(const InputJson& row);

  // What all rows have in common; "" where they differ.
  struct Common {
    std::string model, net, device, seed, replicas;
  };
  std::vector<std::string> names_, heads_;  // [axis]
  bool has_goal_;
  std::vector<SweptPoint> points_;
  Common common_;
};

}  // namespace pnsim
