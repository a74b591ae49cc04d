// The rows of a sweep as a table: for the terminal, for a spreadsheet, and for a plot.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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
  // marking is no end. `scale_parameters`: the parameters of a row on which its time scale depends
  // (SweepPoints::scale_parameters()).
  SweepTable(std::vector<std::string> names, std::vector<std::string> heads, bool has_goal,
             std::vector<std::string> scale_parameters = {});

  // Adds whole lines of rows (docs/sweeps.md). Throws error 3 with `origin` for other lines.
  void add(std::string_view rows, const std::string& origin);

  const std::vector<std::string>& heads() const { return heads_; }
  const std::vector<SweptPoint>& points() const { return points_; }

  // What was run: "radix_shared on net wpnm, h200; seed 1, 1 replica". Nets, devices and numbers of
  // replicas that differ from row to row are omitted.
  std::string title() const;

  // Sentences on what the rows do not show: times that are missing, with the command that fits
  // their scales; times by different scales; a single run of each point.
  std::vector<std::string> notes() const;

  // At most `most` rows are shown, and the notes. Columns without a value are omitted.
  std::string text(std::size_t most = 60) const;

  // A row per point, with all columns: a column per axis, then steps, steps_stddev, predicted_us,
  // measured_us, error_percent, outcome, steps_half_width_95.
  std::string csv() const;

 private:
  void add_row(std::string_view line, const std::string& origin);
  void add_point(const InputJson& row);
  void note_scale(const InputJson& row, const SweptPoint& point);
  std::string calibrate_note() const;

  // The scales of the rows of one net and device. Sets of more than kMostListed values are cut off.
  struct Scales {
    std::set<std::string> sources;
    bool has_missing = false;                               // a row that ended has no time
    std::map<std::string, std::set<std::int64_t>> missing;  // [parameter] its values there
  };

  // What all rows have in common; "" where they differ.
  struct Common {
    std::string model, net, device, seed, replicas;
  };
  std::vector<std::string> names_, heads_;  // [axis]
  bool has_goal_;
  std::vector<std::string> scale_parameters_;
  std::map<std::pair<std::string, std::string>, Scales> scales_;  // [net, device]
  std::vector<SweptPoint> points_;
  Common common_;
};

}  // namespace pnsim
