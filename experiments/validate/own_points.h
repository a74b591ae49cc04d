// Points to validate with from the user's files: a profile of any program, and measured times.
#pragma once

#include <string>

#include "experiments/validate/validation.h"

namespace pnsim::experiments {

struct OwnFiles {
  std::string pages;             // the raw page of the profile, or ncu's report
  std::string source;            // the source page of the same launches; "": that of the report
  std::string times;             // the table of times (own_times.h)
  std::string in_place{};        // a raw page of the launches in place (in_place_page.h); "": none
  bool allow_missing = false;    // go on without columns that decide the predicted time
  double tolerance_percent = 0;  // difference of the pages' sums that is accepted
};

// One warm point per profiled launch that has a model (profile_pages.h), in the order of the
// profile; the others are skipped. Their suite has the name of the file of times. Notes on the
// pages go to the log. `device` is the profile to predict for; "" means that of the profiled GPU.
// With the profile of another GPU, `times.other_gpu` says that the errors also hold the difference
// between the GPUs; this is logged. Throws error 3 for invalid pages or times, for a row whose
// kernel or block differs from the launch's, for launches of several GPUs, and for a GPU without a
// profile.
ValidationSet own_points(const OwnFiles& files, const std::string& device);

}  // namespace pnsim::experiments
