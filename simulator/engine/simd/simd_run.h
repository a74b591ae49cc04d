// Replicas in the lanes of this processor's SIMD registers.
#pragma once

#include "simulator/engine/cuda/replica_report.h"
#include "simulator/engine/simd/simd_tables.h"

// Clang does not read "#pragma GCC target".
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PNSIM_HAS_SIMD
#endif

namespace pnsim {

// What a processor has; `kNone` also where this build has no code for it.
enum class SimdKind { kNone, kAvx2, kAvx512 };

SimdKind best_simd();

// All replicas of the request, results as run_on_host() fills them. Without `counts_conflicts` the
// tallies stay 0. `kind` must be one that the processor has.
void run_simd(SimdKind kind, const SimdTables& tables, const ReplicaRequest& request,
              const ReplicaOut& out, bool counts_conflicts);

void run_avx512(const SimdTables& tables, const ReplicaRequest& request, const ReplicaOut& out,
                bool counts_conflicts);
void run_avx2(const SimdTables& tables, const ReplicaRequest& request, const ReplicaOut& out,
              bool counts_conflicts);

}  // namespace pnsim
