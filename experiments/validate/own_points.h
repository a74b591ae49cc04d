// Points to validate with that are the user's: a profile of any program, and measured times.
#pragma once

#include <string>

#include "experiments/validate/validation.h"

namespace pnsim::experiments {

struct OwnFiles {
  std::string pages;   // raw page of the profile
  std::string source;  // source page of the same launches
  std::string times;   // own_times.h
};

// One warm point a profiled launch, in the order of the profile; their suite is named as the file
// of times. Notes on the pages go to the log. `device` is the profile to predict for, "" for that
// of the GPU that was profiled. Error 3 for pages or times that are not as they must be, for a row
// whose kernel or block is not the launch's, for launches of several GPUs, and for one without a
// profile.
ValidationSet own_points(const OwnFiles& files, const std::string& device);

}  // namespace pnsim::experiments
