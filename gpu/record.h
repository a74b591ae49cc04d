// Runs a program with the recorder of its kernel launches (gpu/recorder).
#pragma once

#include <string>
#include <vector>

#include "gpu/recorded_launches.h"

namespace pnsim::gpu {

// The recorder's shared library: $PNSIM_RECORDER, beside the running program, or in ../lib/pnsim of
// its folder. Error 4 with the remedy when there is none: builds without CUPTI have none.
std::string find_recorder();

// Runs `target` (a path and its arguments) with the recorder, which writes to `file`, and reads the
// file. Error 4 when the program fails, with its last lines, or launches no kernel. Error 5 when it
// runs longer than `limit_s` (0: no limit).
std::vector<RecordedLaunch> record_launches(const std::vector<std::string>& target,
                                            const std::string& recorder, const std::string& file,
                                            double limit_s = 0);

}  // namespace pnsim::gpu
