// The copy engine (TMA): bulk copies and boxes of a matrix between global and shared memory. Issue,
// latency at an L2 hit, and bandwidth from L2 by size, number in flight and blocks per SM.
#include "gpu/microbench/bench.cuh"
#include "gpu/ptx/async_copy.cuh"
#include "gpu/ptx/tensor_map.h"

namespace pnsim::gpu {
namespace {

// A matrix of floats that stays in L2. Bulk copies take it as bytes in a row.
constexpr unsigned kColumns = 1024, kRows = 4096;  // 16 MiB
constexpr unsigned kDataBytes = 4 * kColumns * kRows;
constexpr unsigned kMostInFlight = 8;

enum class Way { kBulk, kTensor, kBulkStore, kTensorStore };
__host__ __device__ constexpr bool is_store(Way way) {
  return way == Way::kBulkStore || way == Way::kTensorStore;
}
__host__ __device__ constexpr bool is_tensor(Way way) {
  return way == Way::kTensor || way == Way::kTensorStore;
}

struct Transfers {
  CUtensorMap map;  // boxes of box_rows x 32 floats
  char* data;
  unsigned bytes;  // of one copy: a box has bytes / 128 rows
  unsigned in_flight;
  int steps;
  long long* cycles;
  std::uint32_t* sink;
};

// Copy number i of this block; all blocks together walk through the data.
template <Way way>
__device__ void start_copy(const Transfers& t, const CUtensorMap* map, unsigned i,
                           std::uint32_t shared, std::uint32_t barrier) {
  const unsigned copies = kDataBytes / t.bytes;
  const unsigned place = (blockIdx.x * 37u + i) % copies;
  if constexpr (is_tensor(way)) {
    const unsigned rows = t.bytes / 128, strips = kColumns / 32;
    const int column = static_cast<int>(place % strips * 32);
    const int row = static_cast<int>(place / strips * rows);
    if constexpr (is_store(way)) {
      tensor_store(map, column, row, shared);
    } else {
      tensor_load(shared, map, column, row, barrier);
    }
  } else if constexpr (is_store(way)) {
    bulk_store(t.data + static_cast<std::size_t>(place) * t.bytes, shared, t.bytes);
  } else {
    bulk_load(shared, t.data + static_cast<std::size_t>(place) * t.bytes, t.bytes, barrier);
  }
}

// One thread keeps `in_flight` copies on their way and waits for the oldest.
template <Way way>
__global__ void transfers(const __grid_constant__ Transfers t) {
  extern __shared__ __align__(128) unsigned char buffers[];
  __shared__ __align__(8) std::uint64_t barriers[kMostInFlight];
  if (threadIdx.x != 0) return;
  const std::uint32_t shared = (shared_address(buffers) + 127u) & ~127u;
  const std::uint32_t barrier = shared_address(barriers);
  for (unsigned i = 0; i < t.in_flight; ++i) init_barrier(barrier + 8 * i, 1);
  publish_barriers();
  const long long begin = clock64();
  for (unsigned i = 0; i < t.in_flight; ++i) {
    arrive_with_bytes(barrier + 8 * i, t.bytes);
    start_copy<way>(t, &t.map, i, shared + i * t.bytes, barrier + 8 * i);
  }
  unsigned slot = 0, phase = 0;
#pragma unroll 1
  for (int i = 0; i < t.steps; ++i) {
    wait_for_phase(barrier + 8 * slot, phase);
    arrive_with_bytes(barrier + 8 * slot, t.bytes);
    start_copy<way>(t, &t.map, t.in_flight + static_cast<unsigned>(i), shared + slot * t.bytes,
                    barrier + 8 * slot);
    if (++slot == t.in_flight) {
      slot = 0;
      phase ^= 1;
    }
  }
  for (unsigned i = 0; i < t.in_flight; ++i) {  // the copies that are still on their way
    wait_for_phase(barrier + 8 * slot, phase);
    if (++slot == t.in_flight) {
      slot = 0;
      phase ^= 1;
    }
  }
  t.cycles[blockIdx.x] = clock64() - begin;
  t.sink[0] = buffers[0];
}

// Stores complete in groups; kPending of them stay on their way.
template <Way way, int kPending>
__global__ void stores(const __grid_constant__ Transfers t) {
  extern __shared__ __align__(128) unsigned char buffers[];
  if (threadIdx.x != 0) return;
  const std::uint32_t shared = (shared_address(buffers) + 127u) & ~127u;
  fence_for_async();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < t.steps; ++i) {
    start_copy<way>(t, &t.map, static_cast<unsigned>(i),
                    shared + static_cast<unsigned>(i) % t.in_flight * t.bytes, 0);
    commit_stores();
    wait_for_stores<kPending>();
  }
  wait_for_stores<0>();
  t.cycles[blockIdx.x] = clock64() - begin;
  t.sink[0] = buffers[0];
}

// The cycles that one thread needs to issue kCopies copies, without waiting.
template <Way way, int kCopies>
__global__ void issue(const __grid_constant__ Transfers t) {
  extern __shared__ __align__(128) unsigned char buffers[];
  __shared__ __align__(8) std::uint64_t barriers[1];
  if (!elect_one()) return;
  const std::uint32_t shared = (shared_address(buffers) + 127u) & ~127u;
  const std::uint32_t barrier = shared_address(barriers);
  init_barrier(barrier, 1);
  publish_barriers();
  long long took = 0;
  for (unsigned round = 0; round < 4; ++round) {
    arrive_with_bytes(barrier, kCopies * t.bytes);
    const long long begin = clock64();
#pragma unroll
    for (unsigned i = 0; i < kCopies; ++i) {  // fixed places: no arithmetic between the copies
      if constexpr (is_tensor(way)) {
        tensor_load(shared, &t.map, static_cast<int>(32 * i), 0, barrier);
      } else {
        bulk_load(shared, t.data + 4096 * i, t.bytes, barrier);
      }
    }
    took = clock64() - begin;
    wait_for_phase(barrier, round % 2);
  }
  t.cycles[0] = took;
  t.sink[0] = buffers[0];
}

const char* name_of(Way way) {
  switch (way) {
    case Way::kBulk:
      return "bulk_load";
    case Way::kTensor:
      return "tensor_2d_load";
    case Way::kBulkStore:
      return "bulk_store";
    case Way::kTensorStore:
      return "tensor_2d_store";
  }
  return "?";
}

// The data, and the launches over it.
class CopyEngine {
 public:
  explicit CopyEngine(Bench& bench) : bench_(bench), words_(kDataBytes / 4) {
    words_.fill(0, bench.stream());
  }

  Transfers transfers(unsigned bytes, unsigned in_flight, int steps) const {
    Transfers t{};
    t.map = tensor_map({words_.get(), kRows, kColumns, 4 * kColumns, bytes / 128, 32,
                        BoxElement::kFloat, BoxSwizzle::kNone});
    t.data = reinterpret_cast<char*>(words_.get());
    t.bytes = bytes;
    t.in_flight = in_flight;
    t.steps = steps;
    t.cycles = bench_.cycles();
    t.sink = bench_.sink();
    return t;
  }

  Sampled cycles(void (*kernel)(const Transfers), const Transfers& t, int blocks_per_sm,
                 unsigned blocks) const {
    // Shared memory is asked for so that no more blocks share an SM.
    constexpr unsigned kAlmostAll = 220u << 10;
    const unsigned least = t.in_flight * t.bytes + 128;
    const unsigned bytes =
        std::max(least, kAlmostAll / static_cast<unsigned>(blocks_per_sm) - 2048u);
    PNSIM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)));
    return sample(
        [&] {
          return bench_.cycles_of([&] { kernel<<<blocks, 32, bytes, bench_.stream()>>>(t); });
        },
        5);
  }

 private:
  Bench& bench_;
  DeviceWords words_;
};

template <Way way>
void add_latency(Bench& bench, const CopyEngine& engine, std::vector<MicroValue>& out) {
  constexpr int kSteps = 500;
  for (const unsigned bytes : {128u, 1024u, 4096u, 16384u}) {
    const Sampled s = engine.cycles(transfers<way>, engine.transfers(bytes, 1, kSteps), 1, 1);
    bench.add(out, "tma_latency", {{"op", name_of(way)}, {"bytes", "", bytes}}, s, "cycle",
              1.0 / (kSteps + 1));
  }
}

template <Way way>
void add_store_latency(Bench& bench, const CopyEngine& engine, std::vector<MicroValue>& out) {
  constexpr int kSteps = 500;
  for (const unsigned bytes : {128u, 1024u, 4096u, 16384u}) {
    const Sampled s = engine.cycles(stores<way, 0>, engine.transfers(bytes, 1, kSteps), 1, 1);
    bench.add(out, "tma_latency", {{"op", name_of(way)}, {"bytes", "", bytes}}, s, "cycle",
              1.0 / kSteps);
  }
}

template <Way way>
void add_issue(Bench& bench, const CopyEngine& engine, std::vector<MicroValue>& out) {
  constexpr int kFew = 4, kMany = 12;
  for (const unsigned bytes : {128u, 1024u, 4096u}) {
    const Transfers t = engine.transfers(bytes, 1, 0);
    const Sampled few = engine.cycles(issue<way, kFew>, t, 1, 1);
    Sampled s = engine.cycles(issue<way, kMany>, t, 1, 1);
    s.rel_mad *= s.median / (s.median - few.median);
    s.median = (s.median - few.median) / (kMany - kFew);
    bench.add(out, "tma_issue", {{"op", name_of(way)}, {"bytes", "", bytes}}, s, "cycle/copy");
  }
}

void add_bandwidth(Bench& bench, const CopyEngine& engine, Way way, void (*kernel)(const Transfers),
                   unsigned bytes, unsigned in_flight, std::vector<MicroValue>& out) {
  for (const int blocks_per_sm : {1, 2, 4}) {
    if (static_cast<unsigned>(blocks_per_sm) * (in_flight * bytes + 1536) > (220u << 10)) continue;
    const int steps = static_cast<int>((4u << 20) / bytes) / blocks_per_sm;
    Sampled s = engine.cycles(kernel, engine.transfers(bytes, in_flight, steps), blocks_per_sm,
                              static_cast<unsigned>(blocks_per_sm * bench.sms()));
    const double copies = is_store(way) ? steps : steps + static_cast<double>(in_flight);
    s.median = copies * bytes * blocks_per_sm / s.median;
    bench.add(out, "tma_bandwidth",
              {{"op", name_of(way)},
               {"bytes", "", bytes},
               {"in_flight", "", in_flight},
               {"blocks_per_sm", "", blocks_per_sm}},
              s, "byte/cycle/SM");
  }
}

constexpr const char* kWhat = "the copy engine";

std::vector<MicroValue> run_latency(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, kWhat)) return out;
  const CopyEngine engine(bench);
  add_latency<Way::kBulk>(bench, engine, out);
  add_latency<Way::kTensor>(bench, engine, out);
  add_store_latency<Way::kBulkStore>(bench, engine, out);
  add_store_latency<Way::kTensorStore>(bench, engine, out);
  return out;
}

std::vector<MicroValue> run_issue(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, kWhat)) return out;
  const CopyEngine engine(bench);
  add_issue<Way::kBulk>(bench, engine, out);
  add_issue<Way::kTensor>(bench, engine, out);
  return out;
}

std::vector<MicroValue> run_bandwidth(Bench& bench) {
  std::vector<MicroValue> out;
  if (!bench.has_capability(90, kWhat)) return out;
  const CopyEngine engine(bench);
  for (const unsigned bytes : {1024u, 4096u, 8192u, 16384u, 32768u}) {
    for (const unsigned in_flight : {1u, 2u, 4u, 8u}) {
      if (bytes * in_flight > 200u << 10) continue;
      add_bandwidth(bench, engine, Way::kBulk, transfers<Way::kBulk>, bytes, in_flight, out);
      add_bandwidth(bench, engine, Way::kTensor, transfers<Way::kTensor>, bytes, in_flight, out);
    }
    add_bandwidth(bench, engine, Way::kBulkStore, stores<Way::kBulkStore, 3>, bytes, 4, out);
    add_bandwidth(bench, engine, Way::kTensorStore, stores<Way::kTensorStore, 3>, bytes, 4, out);
  }
  return out;
}

const bool kRegistered = register_microbenchmark("tma_latency", run_latency) &&
                         register_microbenchmark("tma_issue", run_issue) &&
                         register_microbenchmark("tma_bandwidth", run_bandwidth);

}  // namespace
}  // namespace pnsim::gpu
