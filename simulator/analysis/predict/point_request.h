// One point of a kernel model to predict, and the parameters that its net gets.
#pragma once

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/count_changes.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {

// One point of one model to predict. All pointers must outlive the prediction.
struct PointRequest {
  const KernelModel* model = nullptr;
  const NetTemplate* net_template = nullptr;
  const DeviceProfile* device = nullptr;
  const RecordedPoint* point = nullptr;
  // --set values of the net's parameters, which take precedence, and of the counts xa, xs, xg.
  ParameterValues net_parameters;
  InstructionCounts more_per_warp;  // added to the counts of every warp; may be negative
  Heuristics heuristics = {};       // the heuristics that are on; nets that walk programs use them
  ParameterFactors factors = {};    // --set NAME*=FACTOR of these parameters and counts
};

// Values that a request gives to parameters of its net, in the order of precedence: device < model
// < request. Factors multiply them.
struct GivenParameters {
  ParameterValues values;
  ParameterFactors of_each_launch;  // factors on cycles that each launch has its own numbers of
};

// Throws error 2 for a parameter that the launches of a model fill in, and for a factor on an
// unknown parameter or on a switch.
GivenParameters given_parameters(const PointRequest& request);

// The parameters of the net that the device determines: those whose "device" names a fact.
ParameterValues device_parameters(const NetTemplate& net, const DeviceProfile& device);

// Whether a user may change the counts xa, xs and xg of a kernel model's warps on this net: by the
// number on the paper's net, by a factor on each segment where warps walk programs
// (count_changes.h).
bool takes_counts(const NetTemplate& net);

// Changes of the counts that the request makes. Error 2 for several values of one count.
CountChanges count_changes(const PointRequest& request);

// The parameters of the net for this request, without W and the counts. Precedence: template
// default < device < model < request. Throws error 2 for an unknown parameter and error 3 for a
// template that does not support kernel models.
ParameterValues net_parameters(const PointRequest& request);

// Error 3 where the problem asks for a block without threads, or of more than a block of the device
// can have.
void refuse_large_block(const Problem& problem, const DeviceProfile& device);

}  // namespace pnsim
