// The partitions and slices of a GPU's L2, from microbenchmarks or from the profiler.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/model/device/device_profile.h"

namespace pnsim::experiments {

// Sets l2_partitions from the row of l2_sides: 2 when the latencies of two SMs, by line, have a
// correlation of -0.5 or less. Without it, from the rows of latency_l2, which sorts lines into a
// near and a far group: 2 when both groups hold a quarter of the lines and lie apart by six times
// the deviation within them, else 1. Without these rows nothing is set. Returns the number of facts
// set.
std::size_t set_l2_partitions(const std::vector<InputJson>& rows, DeviceProfile& profile);

// Sets l2_slices to random_l2_sector_rate / (0.857 * clock), rounded: the ratio of the H100 and the
// H200, whose slices were counted. The source says that this is an estimate, and `why` the slices
// were not counted. Throws error 3 when one of the two facts is missing.
void estimate_l2_slices(const std::string& why, DeviceProfile& profile);

// Counts the slices with Nsight Compute: a launch of `target`, a program and its arguments, is
// profiled, and the sectors of all slices are divided by their mean. `folder` takes the files.
// Throws error 4 when the profiler is missing or may not read the counters.
void count_l2_slices(const std::vector<std::string>& target, const std::string& folder,
                     DeviceProfile& profile);

// The slices by a raw page with the columns lts__t_sectors.sum and .avg: one launch. Throws error 3
// for another page.
double slices_on_page(const std::string& csv, const std::string& origin);

}  // namespace pnsim::experiments
