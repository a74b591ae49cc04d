#include "simulator/model/memory/counted_atomics.h"

#include <algorithm>

#include "simulator/model/launch/executions.h"

namespace pnsim {

CountedAtomics counted_atomics(const Launch& launch, const DeviceFacts& facts,
                               const Heuristics& heuristics) {
  const double counted = counter_of(launch, "atomic_operations");
  if (launch.counters.contains("atomic_operations_busiest")) {
    return {counted, counter_of(launch, "atomic_operations_busiest")};
  }
  const double passed =
      counter_of(launch, "l2_atomic_sectors") + counter_of(launch, "l2_reduction_sectors");
  const double busiest = counter_of(launch, "l2_atomic_sectors_busiest") +
                         counter_of(launch, "l2_reduction_sectors_busiest");
  if (busiest <= 0 && (counted > 0 || passed <= 0)) return {counted, 0};
  if (!heuristics.on(Heuristic::kPassingAtomics)) return {counted > 0 ? counted : passed, busiest};
  // Operations are spread over all memory: those of the other partitions pass two slices.
  const double others = (facts.l2_partitions - 1) / facts.l2_partitions;
  const double operations = counted > 0 ? counted : passed / (1 + others);
  if (busiest <= 0) return {operations, 0};
  const double in_passing = (passed - operations) / facts.l2_slices;
  return {operations, std::max(busiest - in_passing, operations / facts.l2_slices)};
}

}  // namespace pnsim
