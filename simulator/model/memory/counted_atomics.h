// Operations of atomics in L2, as the profiler counted them: lanes that meet in a word are one
// each.
#pragma once

#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

struct CountedAtomics {
  double operations = 0;  // of the launch; 0: not known
  double busiest = 0;     // of those, in the slice of L2 with most of them; 0: not known
};

// By the counters atomic_operations and atomic_operations_busiest. Where a page has instead what
// passes the slices (l2_atomic_sectors, l2_reduction_sectors and both _busiest), operations on
// their way to another partition of L2 (`l2_partitions` of the device) are counted there and here:
// they are taken off, from each slice its share of them.
CountedAtomics counted_atomics(const Launch& launch, const DeviceProfile& device);

}  // namespace pnsim
