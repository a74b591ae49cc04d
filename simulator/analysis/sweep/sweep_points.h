// The points of a sweep: axes laid over an input, and the run of each point.
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

// What is swept: a net, a template (one entry in `templates`), or a kernel model with its templates
// and devices.
struct SweepInput {
  std::string input;    // as given: "model" in the rows of nets
  std::string content;  // a hash of every file that is read
  std::optional<Net> net;
  std::optional<KernelModel> model;
  std::vector<NetTemplate> templates;  // [value of the axis "net"], or the one that is used
  std::vector<DeviceProfile> devices;  // [value of the axis "device"], or the one, or none
  std::vector<std::string> until;      // --until, of nets and templates
  Problem problem;                     // --set, axes of the model
  ParameterValues parameters;          // --set, parameters of the net
};

// A row of a sweep as it is written, and what it means for the exit code.
struct SweptRow {
  std::string line;  // with its newline
  ExitCode code = ExitCode::kOk;
  bool ended = true;                     // see came_to_end
  std::optional<BestBlocks::Row> shape;  // of a kernel model that is swept over "block"
};

class SweepPoints {
 public:
  // Error 2 for an axis that the input does not have (with the nearest name), that is given twice
  // or also set, for text where a number must stand, and for too many points; 3 for a value out of
  // its range; 4 for a point of a kernel model that was not recorded.
  SweepPoints(SweepInput input, std::vector<Axis> axes, PointOptions options);
  ~SweepPoints();

  std::uint64_t count() const { return count_; }
  bool has_goal() const;  // a dead marking is then not an end

  // How the row of this point begins: {"id":"...","axes":{...}, -- known without running it.
  std::string head(std::uint64_t point) const;

  // Runs the point; safe to call from several threads. `threads` run its replicas.
  SweptRow run(std::uint64_t point, unsigned threads) const;

 private:
  enum class AxisKind { kProblem, kParameter, kNet, kDevice };
  struct Settings;

  AxisKind kind_of(const Axis& axis) const;
  std::vector<std::string> known_axes() const;
  void check_axes() const;
  void check_values() const;
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
  std::vector<std::unique_ptr<RecordedResults>> recorded_;  // [device]
  std::string hash_;
};

}  // namespace pnsim
