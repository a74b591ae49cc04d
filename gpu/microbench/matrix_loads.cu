// Loads and stores of 8 x 8 matrices in shared memory by a warp (ldmatrix, stmatrix): latency and
// cycles that each occupies the port.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kSteps = 64, kRounds = 32, kMostWarps = 32;

// How rows of 16 bytes lie: one after the other (no bank conflicts), or all in the same banks.
enum class Rows { kDense = 16, kSameBanks = 128 };

template <int kMatrices, bool transposed>
__device__ void load_matrices(std::uint32_t (&word)[4], std::uint32_t row) {
  if constexpr (kMatrices == 1 && !transposed) {
    PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(word[0])
                 : "r"(row)
                 : "memory");
  } else if constexpr (kMatrices == 1) {
    PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(word[0])
                 : "r"(row)
                 : "memory");
  } else if constexpr (kMatrices == 2) {
    PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(word[0]), "=r"(word[1])
                 : "r"(row)
                 : "memory");
  } else if constexpr (!transposed) {
    PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "r"(row)
                 : "memory");
  } else {
    PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "r"(row)
                 : "memory");
  }
}

template <int kMatrices>
__device__ void store_matrices(std::uint32_t row, std::uint32_t word) {
  if constexpr (kMatrices == 1) {
    PNSIM_ASM_90("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row), "r"(word)
                 : "memory");
  } else {
    PNSIM_ASM_90("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(row),
                 "r"(word)
                 : "memory");
  }
}

// The row that a lane names: 16 bytes in the part of its warp.
__device__ std::uint32_t row_of_lane(const void* shared, int pitch) {
  return shared_address(shared) + 512 * (threadIdx.x / 32) +
         static_cast<std::uint32_t>(pitch) * (threadIdx.x % 32) % (512 * kMostWarps);
}

// Every word of the matrices is 0, so that a result can be added to the address of the next load:
// the latency is that of a load and of an addition.
template <int kMatrices, bool transposed>
__global__ void chain(int rounds, std::uint32_t* sink, long long* cycles) {
  __shared__ __align__(128) std::uint32_t matrices[128 * kMostWarps];
  for (unsigned i = threadIdx.x; i < 128 * kMostWarps; i += blockDim.x) matrices[i] = 0;
  __syncthreads();
  std::uint32_t row = row_of_lane(matrices, 16), word[4] = {};
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      load_matrices<kMatrices, transposed>(word, row);
      asm volatile("add.u32 %0, %0, %1;" : "+r"(row) : "r"(word[0]));
    }
  }
  const long long end = clock64() + (row >> 31);
  sink[threadIdx.x] = row;
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

template <int kMatrices, bool transposed>
__global__ void loads(int rounds, int pitch, std::uint32_t* sink, long long* cycles) {
  __shared__ __align__(128) std::uint32_t matrices[128 * kMostWarps];
  for (unsigned i = threadIdx.x; i < 128 * kMostWarps; i += blockDim.x) matrices[i] = 0;
  std::uint32_t word[4] = {}, row[4];  // four chains, or the assembler drops loads
  for (std::uint32_t& address : row) address = row_of_lane(matrices, pitch);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      load_matrices<kMatrices, transposed>(word, row[i % 4]);
      asm volatile("add.u32 %0, %0, %1;" : "+r"(row[i % 4]) : "r"(word[0]));
    }
  }
  __syncthreads();
  const long long end = clock64();
  std::uint32_t sum = 0;
  for (const std::uint32_t address : row) sum += address;
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

template <int kMatrices>
__global__ void stores(int rounds, int pitch, std::uint32_t* sink, long long* cycles) {
  __shared__ __align__(128) std::uint32_t matrices[128 * kMostWarps];
  const std::uint32_t row = row_of_lane(matrices, pitch);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) store_matrices<kMatrices>(row, threadIdx.x);
  }
  __syncthreads();
  const long long end = clock64();
  sink[threadIdx.x] = matrices[threadIdx.x];
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// A store, then a load of the same rows, each waiting for the other.
template <int kMatrices>
__global__ void store_and_load(int rounds, std::uint32_t* sink, long long* cycles) {
  __shared__ __align__(128) std::uint32_t matrices[128 * kMostWarps];
  for (unsigned i = threadIdx.x; i < 128 * kMostWarps; i += blockDim.x) matrices[i] = 0;
  __syncthreads();
  const std::uint32_t row = row_of_lane(matrices, 16);
  std::uint32_t word[4] = {};
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      store_matrices<kMatrices>(row, word[0]);
      load_matrices<kMatrices, false>(word, row);
    }
  }
  const long long end = clock64() + (word[0] >> 31);
  sink[threadIdx.x] = word[0];
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

template <int kMatrices, bool transposed>
void add_latency(Bench& bench, const char* op, std::vector<MicroValue>& out) {
  const Sampled s = sample([&] {
    return bench.cycles_of([&] {
      chain<kMatrices, transposed>
          <<<1, 32, 0, bench.stream()>>>(kRounds, bench.sink(), bench.cycles());
    });
  });
  bench.add(out, "matrix_load_latency", {{"op", op}}, s, "cycle", 1.0 / (kSteps * kRounds));
}

template <class Launch>
void add_rate(Bench& bench, const char* op, Rows rows, std::vector<MicroValue>& out,
              const Launch& launch) {
  for (const int warps : {1, 4, 8, 16}) {
    const Sampled s = sample(
        [&] { return bench.cycles_of([&] { launch(32 * warps, static_cast<int>(rows)); }); }, 7);
    bench.add(out, "matrix_load_rate",
              {{"op", op}, {"row_pitch_bytes", "", static_cast<int>(rows)}, {"warps", "", warps}},
              s, "cycle/warp instruction", 1.0 / (warps * kSteps * kRounds));
  }
}

template <int kMatrices, bool transposed>
void add_load_rate(Bench& bench, const char* op, Rows rows, std::vector<MicroValue>& out) {
  add_rate(bench, op, rows, out, [&](int threads, int pitch) {
    loads<kMatrices, transposed>
        <<<1, threads, 0, bench.stream()>>>(kRounds, pitch, bench.sink(), bench.cycles());
  });
}

template <int kMatrices>
void add_store_rate(Bench& bench, const char* op, Rows rows, std::vector<MicroValue>& out) {
  add_rate(bench, op, rows, out, [&](int threads, int pitch) {
    stores<kMatrices>
        <<<1, threads, 0, bench.stream()>>>(kRounds, pitch, bench.sink(), bench.cycles());
  });
}

std::vector<MicroValue> run_latency(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "ldmatrix as measured here")) return out;
  add_latency<1, false>(bench, "ldmatrix_x1", out);
  add_latency<2, false>(bench, "ldmatrix_x2", out);
  add_latency<4, false>(bench, "ldmatrix_x4", out);
  add_latency<1, true>(bench, "ldmatrix_x1_trans", out);
  add_latency<4, true>(bench, "ldmatrix_x4_trans", out);
  if (!bench.has_capability(90, "stmatrix")) return out;
  const auto add = [&](const char* op, auto kernel) {
    const Sampled s = sample([&] {
      return bench.cycles_of(
          [&] { kernel<<<1, 32, 0, bench.stream()>>>(kRounds, bench.sink(), bench.cycles()); });
    });
    bench.add(out, "matrix_load_latency", {{"op", op}}, s, "cycle", 1.0 / (kSteps * kRounds));
  };
  add("stmatrix_x1_and_ldmatrix_x1", store_and_load<1>);
  add("stmatrix_x4_and_ldmatrix_x4", store_and_load<4>);
  return out;
}

std::vector<MicroValue> run_rate(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(80, "ldmatrix as measured here")) return out;
  add_load_rate<1, false>(bench, "ldmatrix_x1", Rows::kDense, out);
  add_load_rate<2, false>(bench, "ldmatrix_x2", Rows::kDense, out);
  add_load_rate<4, false>(bench, "ldmatrix_x4", Rows::kDense, out);
  add_load_rate<4, true>(bench, "ldmatrix_x4_trans", Rows::kDense, out);
  add_load_rate<4, false>(bench, "ldmatrix_x4", Rows::kSameBanks, out);
  if (!bench.has_capability(90, "stmatrix")) return out;
  add_store_rate<1>(bench, "stmatrix_x1", Rows::kDense, out);
  add_store_rate<4>(bench, "stmatrix_x4", Rows::kDense, out);
  add_store_rate<4>(bench, "stmatrix_x4", Rows::kSameBanks, out);
  return out;
}

const bool kRegistered = register_microbenchmark("matrix_load_latency", run_latency) &&
                         register_microbenchmark("matrix_load_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
