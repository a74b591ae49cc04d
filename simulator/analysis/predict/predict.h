// Predicts the steps of every launch of a kernel model from a net template and a device profile.
#pragma once

#include <string>
#include <vector>

#include "simulator/analysis/predict/point_request.h"
#include "simulator/analysis/predict/reasons.h"
#include "simulator/analysis/runs/replicas.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/paper/waves.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// The result for one execution of a launch entry. Vectors have one number per replica.
struct LaunchPrediction {
  std::string kernel, template_arguments;
  std::int64_t repeat = 1;  // how often the program executes this entry
  std::int64_t grid = 1;
  std::int64_t block = 1;
  std::int64_t full_waves = 0;  // on the busiest SM
  bool has_tail = false;
  std::int64_t warps = 0;     // warps of the full wave
  std::vector<double> steps;  // [replica] full_waves * steps of the full wave + steps of the tail
  std::vector<double> firings, waiting_steps, idle_scheduler_steps;  // [replica] summed in this way
  Outcome outcome = Outcome::kGoal;  // the worst over waves and replicas
  // Where a step is a cycle: the clock assumed, and the device's clock over it. The clock falls
  // while tensor cores work (tensor_clock.h).
  double clock_mhz = 0;
  double slowdown = 1;
  // For nets with block slots: the number of blocks of the SM, how many of them were simulated
  // (steady.h), and the bound on the relative error of the steps from skipping the others.
  std::int64_t sm_blocks = 0, simulated_blocks = 0;
  double left_out_error = 0;
  ReasonTimes reasons;  // summed over the replicas; empty unless requested
  // [segment of the launch] cycles of the resident warps in the segment (sm/row_segments.h), summed
  // over the replicas. Empty unless reasons are requested, and for nets without such segments.
  std::vector<double> segment_cycles;

  double waves() const { return static_cast<double>(full_waves + (has_tail ? 1 : 0)); }
};

struct Prediction {
  Problem problem;
  ParameterValues net_parameters;  // the values in use: l1, l2, S ... (not W and the counts)
  ParameterValues counts;          // counts that were set, by name
  ParameterFactors factors;        // those of the request
  std::vector<LaunchPrediction> launches;
  // Sums over all launches and repeats; [replica].
  std::vector<double> steps, firings, waiting_steps, idle_scheduler_steps;
  // [replica] the steps of each launch times its slowdown: the device's clock turns them into time.
  std::vector<double> steps_at_device_clock;
  bool counts_waiting = false;  // the net declares waiting_steps
  bool counts_idle = false;     // the net declares idle_scheduler_steps
  Outcome outcome = Outcome::kGoal;
  ConflictCounts conflicts;  // of the simulated waves, each wave counted once

  double mean_steps() const;
  double mean_steps_at_device_clock() const;
};

// Predicts many points at once. Equal waves with equal streams (such as the full waves of one
// kernel at different n) are simulated only once. Launch entry i uses stream 2i for its full wave
// and 2i + 1 for its tail, so options.stream must be 0. The result does not depend on the thread
// count.
std::vector<Prediction> predict(const std::vector<PointRequest>& points, const RunOptions& options);

// What is simulated of one launch entry: instantiate() makes the net of the template and the
// values.
struct LaunchNet {
  ParameterValues values;
  std::uint32_t stream = 0;
  std::int64_t blocks = 0;     // of the SM in this simulation: with block slots all, else one wave
  std::int64_t sm_blocks = 0;  // all blocks of the busiest SM
};

// The whole launch for a net with block slots, otherwise its full wave. `launch` is a position in
// the launches of the point. Throws the errors of predict().
LaunchNet launch_net(const PointRequest& request, std::size_t launch);

// Whether all runs ended: no run was cut off or stopped before a declared goal.
bool came_to_end(Outcome worst, bool has_goal);

}  // namespace pnsim
