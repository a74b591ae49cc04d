// The points of a sweep: the axes applied to an input, and the run of each point.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/analysis/sweep/best_blocks.h"
#include "simulator/base/axis.h"

namespace pnsim {

// The input of a sweep: a net; or a template (one entry in `templates`); or a kernel model with its
// templates and devices.
struct SweepInput {
  std::string input;    // as typed by the user; the "model" key in the rows of nets
  std::string content;  // a hash of every file that is read
  std::optional<Net> net;
  std::optional<KernelModel> model;
  std::vector<NetTemplate> templates;  // [value of the axis "net"], or the only template
  std::vector<DeviceProfile> devices;  // [value of the axis "device"], or the only one, or empty
  std::vector<std::string> until;      // --until of nets and templates
  Problem problem;                     // --set values of the model's axes
  ParameterValues parameters;          // --set values of the net's parameters and of counts
  ParameterFactors factors;            // --set factors of the same
};

// A row of a sweep as written, with its exit code.
struct SweptRow {
  std::string line;  // including the newline
  ExitCode code = ExitCode::kOk;
  bool ended = true;                     // came_to_end() of its runs
  std::optional<BestBlocks::Row> shape;  // set for a kernel model that is swept over "block"
};

class SweepPoints {
 public:
  // An axis "l1*" has factors on the parameter l1. Throws error 2 for an axis that the input does
  // not have (naming the nearest), for an axis that is given twice or also set, for text where a
  // number is expected, and for too many points; error 3 for a value out of range; error 4 for a
  // point of a kernel model that was not recorded.
  SweepPoints(SweepInput input, std::vector<Axis> axes, PointOptions options);
  ~SweepPoints();

  std::uint64_t count() const { return count_; }
  const std::vector<Axis>& axes() const { return axes_; }
  // The names of the axes with their units: "l1 (steps)", "xg* (factor)", "n".
  std::vector<std::string> axis_heads() const;
  // The parameters of a kernel model's nets on which a time scale depends and that are not those of
  // the device. Empty for other inputs.
  std::vector<std::string> scale_parameters() const;
  bool has_goal() const;  // a dead marking then does not count as an end

  // The beginning of the row of this point, {"id":"...","axes":{...}; known without a run.
  std::string head(std::uint64_t point) const;

  // Runs the point with `threads` threads for its replicas. May be called from several threads.
  SweptRow run(std::uint64_t point, unsigned threads) const;

 private:
  enum class AxisKind { kProblem, kParameter, kFactor, kNet, kDevice };
  struct Settings;

  AxisKind kind_of(const Axis& axis) const;
  bool is_changeable(const std::string& parameter) const;  // by an axis, on every net
  void check_factor_axis(const std::string& axis) const;
  std::vector<std::string> known_axes() const;
  void check_axes() const;
  void check_values() const;
  // The parameters of the net as used, without those that a launch fills in.
  ParameterValues parameters_of(const Settings& settings) const;
  void check_recorded() const;
  std::string hash() const;
  Json axes_json(std::uint64_t point) const;
  Settings settings_at(std::uint64_t point) const;
  Json run_net(const Settings& settings, const PointOptions& options, ExitCode& code) const;
  Json run_model(const Settings& settings, const PointOptions& options, SweptRow& out) const;
  std::optional<BestBlocks::Row> shape_of(std::uint64_t point, const Json& row, bool ended) const;

  SweepInput input_;
  std::vector<Axis> axes_;
  PointOptions options_;
  std::uint64_t count_ = 0;
  std::vector<AxisKind> kinds_;                             // [axis]
  std::vector<std::vector<std::int64_t>> numbers_;          // [axis][value]; empty for text axes
  std::vector<std::vector<double>> factors_;                // [axis][value]; empty for other axes
  std::vector<std::unique_ptr<RecordedResults>> recorded_;  // [device]
  std::string hash_;
};

}  // namespace pnsim
