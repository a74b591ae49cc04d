#include "simulator/model/memory/counted_atomics.h"

#include <algorithm>

#include "simulator/model/launch/executions.h"

namespace pnsim {

CountedAtomics counted_atomics(const Launch& launch, const DeviceProfile& device) {
  const double counted = counter_of(launch, "atomic_operations");
  if (launch.counters.contains("atomic_operations_busiest")) {
    return {counted, counter_of(launch, "atomic_operations_busiest")};
  }
  const double passed =
      counter_of(launch, "l2_atomic_sectors") + counter_of(launch, "l2_reduction_sectors");
  const double busiest = counter_of(launch, "l2_atomic_sectors_busiest") +
                         counter_of(launch, "l2_reduction_sectors_busiest");
  if (busiest <= 0 && (counted > 0 || passed <= 0)) return {counted, 0};
  const auto partitions = static_cast<double>(device.count("l2_partitions"));
  // Of operations on words all over the memory the others' part: each passes two slices.
  const double others = (partitions - 1) / partitions;
  const double operations = counted > 0 ? counted : passed / (1 + others);
  if (busiest <= 0) return {operations, 0};
  const double in_passing = (passed - operations) / device.positive("l2_slices");
  return {operations, std::max(busiest - in_passing, operations / device.positive("l2_slices"))};
}

}  // namespace pnsim
