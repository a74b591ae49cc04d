// Points to validate with from the user's files: a profile of any program, and measured times.
#pragma once

#include <string>

#include "experiments/validate/own_launches.h"
#include "experiments/validate/validation.h"

namespace pnsim::experiments {

// One warm point per profiled launch that has a model (own_launches.h), in the order of the
// profile; the others are skipped. Their suite has the name of the file of times. Notes on the
// pages go to the log. `device` is the profile to predict for; "" means that of the profiled GPU.
// With the profile of another GPU, `times.other_gpu` says that the errors also hold the difference
// between the GPUs; this is logged. Throws error 3 for invalid pages or times, for a row whose
// kernel or block differs from the launch's, for launches of several GPUs, and for a GPU without a
// profile.
ValidationSet own_points(const OwnFiles& files, const std::string& device);

}  // namespace pnsim::experiments
