// The clock of the SMs while their tensor cores work for a share of the time. It falls within
// microseconds of the first product, long before temperature or mean power would lower it. The
// kernels feed the products as matrix products do: operands from shared memory, and copies from L2.
#include <unistd.h>

#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"
#include "gpu/ptx/warp_group_product.cuh"

namespace pnsim::gpu {
namespace {

constexpr int kThreads = 256;  // two warp groups, two warps of each scheduler
constexpr int kLaunches = 40, kPauseUs = 500;
constexpr double kLaunchUs = 100;
constexpr unsigned kOperandBytes = 64 * 1024;  // of a stage; the products read up to 48 KiB
constexpr int kRepeats = 4;                    // of the products of a stage in a round
constexpr unsigned kStages = 2, kCopyBytes = 24 * 1024, kCopiesPerRound = 4, kCopies = 1024;
constexpr unsigned kSharedBytes = kStages * kOperandBytes + 1024;

struct Work {
  int rounds;
  long long idle;  // cycles behind the products of a round, on average
  const std::uint32_t* operands;
  std::uint32_t* sink;
  long long* out;  // cycles and nanoseconds of block 0
};

__device__ std::uint32_t hashed(std::uint32_t i) {
  i = (i ^ 61u ^ (i >> 16)) * 9u;
  i = (i ^ (i >> 4)) * 0x27d4eb2du;
  return i ^ (i >> 15);
}

// Two halves of either sign between 1/8 and 2. The power depends on how many bits change.
__device__ std::uint32_t random_halves(std::uint32_t i) {
  const std::uint32_t bits = hashed(i);
  return (bits & 0x8fff8fffu) + 0x30003000u;
}

__global__ void fill(std::uint32_t* words, std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    words[i] = random_halves(i);
  }
}

// Products of 64 x 256 x 64 by each warp group.
struct GroupProducts {
  static constexpr double kCycles = kRepeats * 8 * 128;  // hgmma_m64n256k16_f16_cycles
#ifdef PNSIM_HAS_WGMMA
  using Product = WarpGroupProduct<HalfType, 256>;
  Product::Number d[Product::kNumbers] = {};

  __device__ void round(std::uint32_t stage) {
    constexpr std::uint32_t kBytesOfB = 256 * 128, kBytesOfA = 64 * 128;
    const std::uint64_t a = swizzled_tile(stage + kBytesOfB + threadIdx.x / 128 * kBytesOfA);
    const std::uint64_t b = swizzled_tile(stage);
    hold(d);
    begin_products();
#pragma unroll
    for (unsigned i = 0; i < 4 * kRepeats; ++i) Product::step(d, a + 2 * (i % 4), b + 2 * (i % 4));
    commit_products();
    wait_for_products<0>();
    hold(d);
  }
  __device__ float sum() const { return d[0] + d[Product::kNumbers - 1]; }
#else
  __device__ void round(std::uint32_t) {}
  __device__ float sum() const { return 0; }
#endif
};

// Products of 64 x 32 x 64 by each warp, as mma.sync with operands by ldmatrix.
struct WarpProducts {
  static constexpr double kCycles = kRepeats * 2 * 64 * 6;  // hmma_m16n8k16_f16_cycles
  float d[16][4] = {};

  static __device__ void load(std::uint32_t (&word)[4], std::uint32_t row) {
    PNSIM_ASM_80("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "r"(row)
                 : "memory");
  }
  static __device__ void product(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                 std::uint32_t b1) {
    PNSIM_ASM_80(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
  __device__ void round(std::uint32_t stage) {
    const std::uint32_t row = stage + threadIdx.x / 32 * 4096 + threadIdx.x % 32 * 16;
#pragma unroll 4
    for (unsigned step = 0; step < 4 * kRepeats; ++step) {
      const unsigned k = step % 4;
      std::uint32_t a[4][4], b[2][4];
      for (unsigned m = 0; m < 4; ++m) load(a[m], row + 512 * m + 2048 * (k % 2));
      for (unsigned n = 0; n < 2; ++n) load(b[n], (row ^ 16384) + 512 * n + 1024 * k);
      for (unsigned i = 0; i < 16; ++i)
        product(d[i], a[i / 4], b[i / 2 % 2][i % 2 * 2], b[i / 2 % 2][i % 2 * 2 + 1]);
    }
  }
  __device__ float sum() const {
    float all = 0;
    for (const auto& of : d) all += of[0] + of[3];
    return all;
  }
};

// Blocks are idle at different times and for different times, so that the load of the whole GPU is
// steady.
__device__ void rest(long long mean, std::uint32_t place) {
  constexpr std::uint32_t kGolden = 633;  // of 1024: evenly spread over the places
  const long long cycles = mean * ((place * kGolden) & 1023u) / 512;
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

template <class Products>
__global__ void __launch_bounds__(kThreads, 1) work(const __grid_constant__ Work w) {
  extern __shared__ __align__(1024) unsigned char tiles[];
  __shared__ __align__(8) std::uint64_t copied;
  const std::uint32_t base = (shared_address(tiles) + 1023u) & ~1023u;
  const std::uint32_t barrier = shared_address(&copied);
  for (unsigned i = threadIdx.x; i < kStages * kOperandBytes / 4; i += kThreads)
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(base + 4 * i), "r"(random_halves(i)) : "memory");
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    publish_barriers();
  }
  fence_for_async();
  __syncthreads();
  rest(w.idle, blockIdx.x);
  Products products;
  unsigned long long before = 0, after = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < w.rounds; ++round) {
    const std::uint32_t stage = base + round % kStages * kOperandBytes;
    if (threadIdx.x == 0) {
      if (round > 0) wait_for_phase(barrier, static_cast<unsigned>(round - 1) % 2);
      arrive_with_bytes(barrier, kCopiesPerRound * kCopyBytes);
      for (unsigned i = 0; i < kCopiesPerRound; ++i) {
        const unsigned place = (blockIdx.x * 61u + static_cast<unsigned>(round) * 4 + i) % kCopies;
        bulk_load(base + (round + 1) % kStages * kOperandBytes + i % 2 * kCopyBytes,
                  w.operands + static_cast<std::size_t>(place) * (kCopyBytes / 4), kCopyBytes,
                  barrier);
      }
    }
    products.round(stage);
    __syncthreads();
    if (w.idle > 0) rest(w.idle, blockIdx.x * 13u + static_cast<unsigned>(round));
  }
  const long long end = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  if (threadIdx.x == 0 && w.rounds > 0)
    wait_for_phase(barrier, static_cast<unsigned>(w.rounds - 1) % 2);
  w.sink[threadIdx.x] = __float_as_uint(products.sum());
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    w.out[0] = end - begin;
    w.out[1] = static_cast<long long>(after - before);
  }
}

struct Counted {
  double cycles = 0, mhz = 0;
};

template <class Products>
Counted launch(Bench& bench, const Work& w) {
  work<Products><<<static_cast<unsigned>(bench.sms()), kThreads, kSharedBytes, bench.stream()>>>(w);
  PNSIM_CUDA(cudaGetLastError());
  PNSIM_CUDA(cudaStreamSynchronize(bench.stream()));
  long long found[2] = {};
  PNSIM_CUDA(cudaMemcpy(found, w.out, sizeof found, cudaMemcpyDeviceToHost));
  return {static_cast<double>(found[0]),
          1e3 * static_cast<double>(found[0]) / static_cast<double>(found[1])};
}

// Rounds and idle cycles with which tensor cores are busy for this share of a launch of about 100
// microseconds. No rounds if they cannot be so busy.
template <class Products>
Work with_share(Bench& bench, Work w, double busy) {
  constexpr double kNearEnough = 0.03;
  w.idle = static_cast<long long>(Products::kCycles * (1 / busy - 1));
  double found = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const double round = Products::kCycles + static_cast<double>(w.idle);
    w.rounds = std::max(static_cast<int>(kLaunchUs * 1e3 * bench.cycles_per_ns() / round), 2);
    const double taken = launch<Products>(bench, w).cycles / w.rounds;
    const double too_long = taken - Products::kCycles / busy;
    found = Products::kCycles / taken;
    if (std::abs(found / busy - 1) < kNearEnough / 3) break;
    w.idle = std::max(w.idle - static_cast<long long>(too_long), 0ll);
  }
  if (std::abs(found / busy - 1) > kNearEnough) w.rounds = 0;
  return w;
}

template <class Products>
void add_clocks(Bench& bench, const Work& w, const char* products, std::vector<MicroValue>& out) {
  PNSIM_CUDA(cudaFuncSetAttribute(work<Products>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(kSharedBytes)));
  for (const int percent : {10, 20, 40, 60, 80}) {
    const Work mine = with_share<Products>(bench, w, percent / 100.0);
    if (mine.rounds == 0) {
      bench.skip(std::string(products) + ": tensor cores not busy for " + std::to_string(percent) +
                 " % of the time");
      continue;
    }
    std::vector<double> mhz;
    for (int i = 0; i < kLaunches; ++i) {
      usleep(kPauseUs);  // as between the launches of a program that also does other work
      mhz.push_back(launch<Products>(bench, mine).mhz);
    }
    bench.add(out, "product_clock",
              {{"products", products}, {"busy_percent", std::to_string(percent)}}, summary(mhz),
              "MHz");
  }
}

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, "wgmma", true)) return out;
  const DeviceWords operands(static_cast<std::size_t>(kCopies) * (kCopyBytes / 4));
  fill<<<1024, 256, 0, bench.stream()>>>(operands.get(), kCopies * (kCopyBytes / 4));
  PNSIM_CUDA(cudaGetLastError());
  const Work w{2, 0, operands.get(), bench.sink(), bench.cycles()};
  add_clocks<GroupProducts>(bench, w, "wgmma", out);
  add_clocks<WarpProducts>(bench, w, "mma", out);
  return out;
}

const bool kRegistered = register_microbenchmark("product_clock", run);

}  // namespace
}  // namespace pnsim::gpu
