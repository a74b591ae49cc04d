// Runs replicas in the lanes of the processor's SIMD registers.
#pragma once

#include "simulator/engine/cuda/replica_report.h"
#include "simulator/engine/simd/simd_tables.h"

// Clang does not support "#pragma GCC target".
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PNSIM_HAS_SIMD
#endif

namespace pnsim {

// The SIMD extension of a processor; `kNone` also when this build has no code for it.
enum class SimdKind { kNone, kAvx2, kAvx512 };

SimdKind best_simd();

// Runs all replicas of the request; the results have the form of run_on_host(). Without
// `counts_conflicts` the tallies stay 0. The processor must have `kind`.
void run_simd(SimdKind kind, const SimdTables& tables, const ReplicaRequest& request,
              const ReplicaOut& out, bool counts_conflicts);

void run_avx512(const SimdTables& tables, const ReplicaRequest& request, const ReplicaOut& out,
                bool counts_conflicts);
void run_avx2(const SimdTables& tables, const ReplicaRequest& request, const ReplicaOut& out,
              bool counts_conflicts);

}  // namespace pnsim
