// Compiled for any x86-64; called only on a processor with AVX2.
#include "simulator/engine/simd/simd_run.h"

#if defined(PNSIM_HAS_SIMD)

#include <immintrin.h>

// Applies up to the end of the file, where the templates are compiled.
#pragma GCC target("avx2")

#include "simulator/engine/simd/simd_group_ends.h"
#include "simulator/engine/simd/words_avx2.h"
#include "simulator/engine/simd/words_twice.h"

namespace pnsim {

void run_avx2(const SimdTables& tables, const ReplicaRequest& request, const ReplicaOut& out,
              bool counts_conflicts) {
  std::uint32_t next = 0;
  using Words = Twice<Avx2>;
  const bool is_pair = tables.header.lane_count > 32, is_small = tables.is_small();
  if (is_pair && is_small)
    SimdGroup<Words, true, true>(tables, request, out, counts_conflicts).run(next);
  else if (is_pair)
    SimdGroup<Words, true, false>(tables, request, out, counts_conflicts).run(next);
  else if (is_small)
    SimdGroup<Words, false, true>(tables, request, out, counts_conflicts).run(next);
  else
    SimdGroup<Words, false, false>(tables, request, out, counts_conflicts).run(next);
}

}  // namespace pnsim

#endif
