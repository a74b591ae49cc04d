// Operations of atomics in L2, as the profiler counted them: lanes that access the same word are
// one operation each.
#pragma once

#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/heuristics.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {

struct CountedAtomics {
  double operations = 0;  // of the launch; 0: not known
  double busiest = 0;     // of those, in the slice of L2 with most of them; 0: not known
};

// From the counters atomic_operations and atomic_operations_busiest. Some pages have only the
// sectors that pass the slices (l2_atomic_sectors, l2_reduction_sectors, and both _busiest). These
// count an operation twice if it crosses to the other partition of L2. The second counts are
// subtracted, spread evenly over the slices.
CountedAtomics counted_atomics(const Launch& launch, const DeviceFacts& facts,
                               const Heuristics& heuristics);

}  // namespace pnsim
