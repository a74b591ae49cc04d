// Streaming through L2 and DRAM, by footprint, kind, occupancy and number of SMs; and stores of
// partial sectors.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kFootprintLaunches = 50;  // launches per graph

enum class Kind { kRead, kWrite, kCopy };

// Each iteration, every thread accesses one float4, all threads of the grid adjacent; `rounds`
// times over the data.
template <Kind kind>
__global__ void stream(const float4* from, float4* to, std::size_t size, int rounds,
                       std::uint32_t* sink) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll 4
    for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < size;
         i += stride) {
      float4 value{1.0f, 2.0f, 3.0f, static_cast<float>(round)};
      if (kind != Kind::kWrite) value = __ldcg(from + i);
      if (kind != Kind::kRead) __stcg(to + i, value);
      sum += value.x + value.y + value.z + value.w;
    }
  }
  if (kind == Kind::kRead && sum == 1.5f) sink[0] = 1;  // never true; forces the loads
}

using StreamKernel = void (*)(const float4*, float4*, std::size_t, int, std::uint32_t*);

struct StreamKind {
  const char* name;
  StreamKernel kernel;
  int touched;  // number of times that every byte of the footprint is read or written
};
constexpr StreamKind kKinds[] = {{"read", stream<Kind::kRead>, 1},
                                 {"write", stream<Kind::kWrite>, 1},
                                 {"copy", stream<Kind::kCopy>, 1}};

struct Level {
  const char* name;
  std::size_t bytes;  // footprint of both buffers together
  int rounds;
};
// 16 MiB stay in L2 (60 MB on an H200; data may be in both halves); 2 GiB do not. The number of
// rounds makes a kernel of about half a millisecond, so that the launch overhead is negligible.
constexpr Level kLevels[] = {{"l2", 16 << 20, 256}, {"dram", std::size_t{2} << 30, 1}};

// Dynamic shared memory per block with which exactly `blocks_per_sm` blocks fit on one SM.
unsigned shared_bytes_for(int blocks_per_sm) {
  int per_sm = 0, per_block = 0;
  PNSIM_CUDA(cudaDeviceGetAttribute(&per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  PNSIM_CUDA(cudaDeviceGetAttribute(&per_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const int bytes = per_sm / blocks_per_sm - 2048;  // the system reserves 1 KiB per block
  return static_cast<unsigned>(std::clamp(bytes, 0, per_block));
}

constexpr unsigned kFullBlock = 1024;  // threads; one such block keeps an SM busy

void add_bandwidth(Bench& bench, const Level& level, const StreamKind& kind, int blocks_per_sm,
                   int sms, const DeviceWords& data, std::vector<MicroValue>& out) {
  const unsigned shared = shared_bytes_for(blocks_per_sm);
  // The blocks of a small grid go to different SMs, however many would fit on one.
  const bool is_part = sms < bench.sms();
  const int rounds = is_part ? std::max(level.rounds * sms / bench.sms(), 1) : level.rounds;
  PNSIM_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(kind.kernel),
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared)));
  const bool copies = kind.kernel == kKinds[2].kernel;
  auto* const from = reinterpret_cast<float4*>(data.get());
  const std::size_t size = level.bytes / sizeof(float4) / (copies ? 2 : 1);
  const Sampled s = sample(
      [&] {
        const double ns = bench.ns_of([&] {
          kind.kernel<<<static_cast<unsigned>(sms * blocks_per_sm), is_part ? kFullBlock : kThreads,
                        shared, bench.stream()>>>(from, copies ? from + size : from, size, rounds,
                                                  bench.sink());
        });
        return static_cast<double>(level.bytes) * rounds / ns;
      },
      5);
  bench.add(out, "bandwidth",
            {{"level", level.name},
             {"kind", kind.name},
             {"blocks_per_sm", "", blocks_per_sm},
             {"sms", "", sms}},
            s, "GB/s");
}

// One float4 per thread, in as many blocks as needed. 4 x kThreads of them are resident on an SM;
// none overlaps with the next wave.
void add_short_blocks(Bench& bench, const StreamKind& kind, const DeviceWords& data,
                      std::vector<MicroValue>& out) {
  const Level& level = kLevels[1];
  const bool copies = kind.kernel == kKinds[2].kernel;
  auto* const from = reinterpret_cast<float4*>(data.get());
  const std::size_t size = level.bytes / sizeof(float4) / (copies ? 2 : 1);
  const Sampled s = sample(
      [&] {
        const double ns = bench.ns_of([&] {
          kind.kernel<<<static_cast<unsigned>(size / kThreads), kThreads, 0, bench.stream()>>>(
              from, copies ? from + size : from, size, 1, bench.sink());
        });
        return static_cast<double>(level.bytes) / ns;
      },
      5);
  bench.add(
      out, "bandwidth",
      {{"level", level.name}, {"kind", kind.name}, {"blocks", "short"}, {"sms", "", bench.sms()}},
      s, "GB/s");
}

// One float4 per thread, launch after launch over the same data: how much of it stays in L2.
void add_footprint(Bench& bench, const StreamKind& kind, int mib, const DeviceWords& data,
                   std::vector<MicroValue>& out) {
  const bool copies = kind.kernel == kKinds[2].kernel;
  auto* const from = reinterpret_cast<float4*>(data.get());
  const std::size_t size =
      (static_cast<std::size_t>(mib) << 20) / sizeof(float4) / (copies ? 2 : 1);
  const Sampled s = sample_in_graph(
      bench,
      [&] {
        kind.kernel<<<static_cast<unsigned>(size / kThreads), kThreads, 0, bench.stream()>>>(
            from, copies ? from + size : from, size, 1, bench.sink());
      },
      kFootprintLaunches);
  bench.add(out, "l2_footprint", {{"kind", kind.name}, {"mib", "", mib}}, s, "ns/launch");
}

std::vector<MicroValue> run_l2_footprint(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords data(std::size_t{128} << 18);
  data.fill(0, bench.stream());
  for (const int mib :
       {8, 16, 24, 28, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 56, 60, 64, 72, 96, 128}) {
    add_footprint(bench, kKinds[0], mib, data, out);
    add_footprint(bench, kKinds[2], mib, data, out);
  }
  return out;
}

// One thread per line; it loads one word of each of the line's first `sectors` sectors.
__global__ void load_lines(const std::uint32_t* data, std::uint32_t lines, int sectors,
                           std::uint32_t* sink) {
  const std::size_t line = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  std::uint32_t sum = 0;
  for (int s = 0; s < sectors; ++s) sum += __ldcg(data + line * 32 + s * 8);
  if (sum == 12345u) sink[0] = 1;
}

// Launch after launch over the same lines: does one sector of each line occupy less of L2 than all
// four?
std::vector<MicroValue> run_l2_lines(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords data(std::size_t{64} << 18);
  data.fill(0, bench.stream());
  for (const int sectors : {1, 4}) {
    for (const std::uint32_t mib : {16u, 24u, 32u, 36u, 40u, 44u, 48u, 56u, 64u}) {
      const std::uint32_t lines = mib << 13;
      const Sampled s = sample_in_graph(
          bench,
          [&] {
            load_lines<<<lines / kThreads, kThreads, 0, bench.stream()>>>(data.get(), lines,
                                                                          sectors, bench.sink());
          },
          kFootprintLaunches);
      bench.add(out, "l2_lines",
                {{"sectors_of_line", "", sectors}, {"mib", "", static_cast<std::int64_t>(mib)}}, s,
                "ns/launch");
    }
  }
  return out;
}

std::vector<MicroValue> run_bandwidth(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords data(kLevels[1].bytes / 4);
  data.fill(0, bench.stream());
  for (const Level& level : kLevels) {
    for (const StreamKind& kind : kKinds) {
      for (const int blocks : {1, 2, 4, 8}) {
        add_bandwidth(bench, level, kind, blocks, bench.sms(), data, out);
      }
    }
    for (const int sms : {1, 2, 4, 8, 16, 32, 64, 96}) {
      if (sms >= bench.sms()) continue;
      for (const StreamKind& kind : kKinds) add_bandwidth(bench, level, kind, 1, sms, data, out);
    }
  }
  for (const StreamKind& kind : kKinds) add_short_blocks(bench, kind, data, out);
  return out;
}

// Stores `words` of the eight words of each sector; adjacent lanes store adjacent words. The order
// of sectors never fills a line at once. It repeats until `stores` words are stored.
__global__ void store_sectors(std::uint32_t* data, std::uint32_t sectors, std::uint32_t words,
                              std::uint32_t stores) {
  const std::uint32_t all = gridDim.x * blockDim.x;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < stores; i += all) {
    const std::uint32_t sector = (i / words) * 2654435761u & (sectors - 1);
    data[static_cast<std::size_t>(sector) * 8 + i % words] = i;
  }
}

struct StoreLevel {
  const char* name;
  std::uint32_t sectors, rounds;
};
constexpr StoreLevel kStoreLevels[] = {{"l2", 1u << 19, 256},
                                       {"dram", 1u << 25, 1}};  // 16 MiB, 1 GiB

void add_partial_store(Bench& bench, const StoreLevel& level, std::uint32_t words, int sms,
                       const DeviceWords& data, std::vector<MicroValue>& out) {
  // Share of the stores, because a single SM takes long.
  const std::uint32_t share = sms < bench.sms() ? 32 : 1;
  const std::uint32_t stores = level.sectors * level.rounds / share * words;
  const int blocks = sms < bench.sms() ? sms : 2 * sms;
  const Sampled s = sample(
      [&] {
        const double ns = bench.ns_of([&] {
          store_sectors<<<static_cast<unsigned>(blocks), kFullBlock, 0, bench.stream()>>>(
              data.get(), level.sectors, words, stores);
        });
        return stores / words / ns;
      },
      5);
  bench.add(out, "partial_store",
            {{"level", level.name},
             {"words_per_sector", "", static_cast<std::int64_t>(words)},
             {"sms", "", sms}},
            s, "sector/ns");
}

std::vector<MicroValue> run_partial_store(Bench& bench) {
  std::vector<MicroValue> out;
  DeviceWords data(std::size_t{kStoreLevels[1].sectors} * 8);
  data.fill(0, bench.stream());
  for (const StoreLevel& level : kStoreLevels) {
    for (const std::uint32_t words : {1u, 2u, 4u, 8u}) {
      add_partial_store(bench, level, words, bench.sms(), data, out);
    }
  }
  for (const std::uint32_t words : {1u, 8u}) {
    add_partial_store(bench, kStoreLevels[0], words, 1, data, out);
  }
  return out;
}

// A matrix of words with row pitch `pitch`. Each lane stores a word to another row, as a transpose
// does row by row; z times.
__global__ void store_columns(std::uint32_t* data, std::uint32_t pitch) {
  const std::uint32_t column = blockIdx.x * blockDim.x + threadIdx.x,
                      row = blockIdx.y * blockDim.y + threadIdx.y;
  data[static_cast<std::size_t>(column) * pitch + row] = column;
}

std::vector<MicroValue> run_pitched_store(Bench& bench) {
  constexpr std::uint32_t kColumns = 2048, kLanes = 32, kRows = 8,
                          kRounds = 32;  // lanes and rows per block
  std::vector<MicroValue> out;
  for (const std::uint32_t pitch : {1600u, 2048u}) {
    DeviceWords data(std::size_t{kColumns} * pitch);
    data.fill(0, bench.stream());
    const Sampled s = sample(
        [&] {
          const double ns = bench.ns_of([&] {
            store_columns<<<dim3(kColumns / kLanes, pitch / kRows, kRounds), dim3(kLanes, kRows), 0,
                            bench.stream()>>>(data.get(), pitch);
          });
          return static_cast<double>(kColumns) * pitch * kRounds / ns;
        },
        5);
    bench.add(out, "pitched_store", {{"pitch_words", "", static_cast<std::int64_t>(pitch)}}, s,
              "sector/ns");
  }
  return out;
}

// Each lane loads one word from a sector of its own, in random order.
__global__ void load_sectors(const std::uint32_t* data, std::uint32_t sectors, std::uint32_t loads,
                             std::uint32_t* sink) {
  std::uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u, sum = 0;
#pragma unroll 8
  for (std::uint32_t i = 0; i < loads; ++i) {
    at = at * 1664525u + 1013904223u;
    sum += __ldcg(data + static_cast<std::size_t>((at >> 5) & (sectors - 1)) * 8);
  }
  if (sum == 12345u) sink[0] = 1;
}

std::vector<MicroValue> run_random_sectors(Bench& bench) {
  constexpr std::uint32_t kLoads = 512;
  std::vector<MicroValue> out;
  DeviceWords data(std::size_t{1} << 29);  // 2 GiB
  data.fill(0, bench.stream());
  struct Footprint {
    const char* level;
    std::uint32_t sectors;
  };
  const auto add = [&](const Footprint& f, int blocks_per_sm, int sms, unsigned threads) {
    const auto blocks = static_cast<unsigned>(sms * blocks_per_sm);
    const std::uint32_t loads = sms < bench.sms() ? 8 * kLoads : kLoads;
    const Sampled s = sample(
        [&] {
          const double ns = bench.ns_of([&] {
            load_sectors<<<blocks, threads, 0, bench.stream()>>>(data.get(), f.sectors, loads,
                                                                 bench.sink());
          });
          return static_cast<double>(blocks) * threads * loads / ns;
        },
        5);
    bench.add(out, "random_sectors",
              {{"level", f.level}, {"blocks_per_sm", "", blocks_per_sm}, {"sms", "", sms}}, s,
              "sector/ns");
  };
  for (const Footprint& f : {Footprint{"l2", 1u << 19}, Footprint{"dram", 1u << 26}}) {
    for (const int blocks_per_sm : {1, 2, 4, 8}) add(f, blocks_per_sm, bench.sms(), kThreads);
    for (const int sms : {1, 8, 32}) add(f, 1, sms, kFullBlock);
  }
  return out;
}

// Each lane loads words of a table at hashed positions, so lanes share lines only by chance.
__global__ void load_table(const std::uint32_t* data, std::uint32_t sectors, std::uint32_t loads,
                           std::uint32_t* sink) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t sum = 0;
#pragma unroll 8
  for (std::uint32_t i = 0; i < loads; ++i) {
    std::uint32_t at = thread * loads + i;
    at = (at ^ (at >> 16)) * 0x7feb352du;
    at = (at ^ (at >> 15)) * 0x846ca68bu;
    sum += __ldcg(data + static_cast<std::size_t>((at ^ (at >> 16)) & (sectors - 1)) * 8);
  }
  if (sum == 12345u) sink[0] = 1;
}

// Tables that stay in L2, accessed by all SMs.
std::vector<MicroValue> run_random_tables(Bench& bench) {
  constexpr std::uint32_t kLoads = 512;
  constexpr int kBlocksPerSm = 8;
  std::vector<MicroValue> out;
  DeviceWords data(std::size_t{1} << 20);
  data.fill(0, bench.stream());
  const auto blocks = static_cast<unsigned>(bench.sms() * kBlocksPerSm);
  for (const std::uint32_t kib : {16u, 64u, 256u, 1024u, 4096u}) {
    const Sampled s = sample(
        [&] {
          const double ns = bench.ns_of([&] {
            load_table<<<blocks, kThreads, 0, bench.stream()>>>(data.get(), kib * 32, kLoads,
                                                                bench.sink());
          });
          return static_cast<double>(blocks) * kThreads * kLoads / ns;
        },
        5);
    bench.add(out, "random_tables", {{"table_kib", "", static_cast<std::int64_t>(kib)}}, s,
              "sector/ns");
  }
  return out;
}

const bool kRegistered = register_microbenchmark("bandwidth", run_bandwidth) &&
                         register_microbenchmark("random_sectors", run_random_sectors) &&
                         register_microbenchmark("l2_footprint", run_l2_footprint) &&
                         register_microbenchmark("l2_lines", run_l2_lines) &&
                         register_microbenchmark("partial_store", run_partial_store) &&
                         register_microbenchmark("pitched_store", run_pitched_store) &&
                         register_microbenchmark("random_tables", run_random_tables);

}  // namespace
}  // namespace pnsim::gpu
