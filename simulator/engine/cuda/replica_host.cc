// The device code compiled for the host processor.
#include <algorithm>

#include "simulator/engine/cuda/replica_batch.h"
#include "simulator/engine/cuda/replica_report.h"

namespace pnsim {
namespace {

template <class Shape>
void run_replicas_here(const ReplicaHeader& header, const std::uint32_t* image,
                       const ReplicaRequest& request, const ReplicaOut& out) {
  const ReplicaTables tables(header, image);
  std::vector<std::uint32_t> state(std::size_t{state_words(header)} * kReplicaStride);
  NoWatch watch;
  for (std::uint32_t i = 0; i < request.count; ++i) {
    std::fill(state.begin(), state.end(), 0);
    run_replica<Shape>(header, tables, state.data(), request, i, out, watch,
                       [](std::uint64_t* to, std::uint32_t number) { *to += number; });
  }
}

}  // namespace

ReplicaBatch run_on_host(const ReplicaHeader& header, const std::vector<std::uint32_t>& image,
                         const ReplicaRequest& request) {
  ReplicaBatch out(header, request);
  const ReplicaOut to{out.ends.data(), out.finals.data(), out.sums.data()};
  switch (header.shape) {
    case ReplicaShape::kSmall:
      run_replicas_here<SmallShape>(header, image.data(), request, to);
      break;
    case ReplicaShape::kPaper:
      run_replicas_here<PaperShape>(header, image.data(), request, to);
      break;
    case ReplicaShape::kWide:
      run_replicas_here<WideShape>(header, image.data(), request, to);
      break;
  }
  return out;
}

}  // namespace pnsim
