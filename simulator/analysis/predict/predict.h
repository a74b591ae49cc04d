// Kernel model + net template + device profile -> steps of every launch of a program.
#pragma once

#include <string>
#include <vector>

#include "simulator/analysis/predict/reasons.h"
#include "simulator/analysis/runs/replicas.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/paper/waves.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// One point of one model to predict. Everything pointed to outlives the prediction.
struct PointRequest {
  const KernelModel* model = nullptr;
  const NetTemplate* net_template = nullptr;
  const DeviceProfile* device = nullptr;
  const RecordedPoint* point = nullptr;
  ParameterValues net_parameters;   // --set of the net's parameters, over all else
  InstructionCounts more_per_warp;  // added to the counts of every warp (may be negative)
  Heuristics heuristics = {};       // of a net that walks programs: those that are switched on
};

// What the steps of one launch entry, made once, add up to; one number a replica.
struct LaunchPrediction {
  std::string kernel;
  std::int64_t repeat = 1;  // of this entry in the program
  std::int64_t grid = 1;
  std::int64_t block = 1;
  std::int64_t full_waves = 0;  // on the busiest SM
  bool has_tail = false;
  std::int64_t warps = 0;     // of the full wave
  std::vector<double> steps;  // [replica] full_waves * steps of the full wave + steps of the tail
  std::vector<double> firings, waiting_steps, idle_scheduler_steps;  // likewise
  Outcome outcome = Outcome::kGoal;  // the worst over waves and replicas
  // Of a net with block slots: blocks of the SM, those simulated (steady.h), and the relative error
  // of the steps that leaving out the others may bring.
  std::int64_t sm_blocks = 0, simulated_blocks = 0;
  double left_out_error = 0;
  ReasonTimes reasons;  // summed over the replicas; empty unless asked for

  double waves() const { return static_cast<double>(full_waves + (has_tail ? 1 : 0)); }
};

struct Prediction {
  Problem problem;
  ParameterValues net_parameters;  // as used: l1, l2, S ... (not W and the counts)
  std::vector<LaunchPrediction> launches;
  // Over all launches and repeats; [replica].
  std::vector<double> steps, firings, waiting_steps, idle_scheduler_steps;
  bool counts_waiting = false;  // the net declares waiting_steps
  bool counts_idle = false;     // the net declares idle_scheduler_steps
  Outcome outcome = Outcome::kGoal;
  ConflictCounts conflicts;  // of the waves as simulated, each once

  double mean_steps() const;
};

// Predicts many points at once. Equal waves of equal streams (the full waves of one kernel at
// different n, say) are simulated once. Launch entry i uses stream 2i for its full wave and 2i + 1
// for its tail. Of the options, `stream` must be 0. The result does not depend on the threads.
std::vector<Prediction> predict(const std::vector<PointRequest>& points, const RunOptions& options);

// What a device says about the net's parameters: those whose "device" names a fact.
ParameterValues device_parameters(const NetTemplate& net, const DeviceProfile& device);

// The net's parameters for this request, without W and the counts: template default < device <
// model < request. Error 2 for an unknown one, error 3 for a template that cannot take a kernel
// model.
ParameterValues net_parameters(const PointRequest& request);

}  // namespace pnsim
