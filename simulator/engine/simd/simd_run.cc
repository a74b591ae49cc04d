#include "simulator/engine/simd/simd_run.h"

namespace pnsim {

SimdKind best_simd() {
#if defined(PNSIM_HAS_SIMD)
  static const bool has_avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (has_avx512) return SimdKind::kAvx512;
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return SimdKind::kAvx2;
#endif
  return SimdKind::kNone;
}

#if !defined(PNSIM_HAS_SIMD)
void run_avx512(const SimdTables&, const ReplicaRequest&, const ReplicaOut&, bool) {}
void run_avx2(const SimdTables&, const ReplicaRequest&, const ReplicaOut&, bool) {}
#endif

void run_simd(SimdKind kind, const SimdTables& tables, const ReplicaRequest& request,
              const ReplicaOut& out, bool counts_conflicts) {
  if (kind == SimdKind::kAvx512) run_avx512(tables, request, out, counts_conflicts);
  if (kind == SimdKind::kAvx2) run_avx2(tables, request, out, counts_conflicts);
}

}  // namespace pnsim
