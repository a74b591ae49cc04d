// Stores of all blocks to the same few lines, which lie in few slices of L2. The time of a request
// is the time of a launch over the requests of the busiest slice, which the profiler counts.
#include "gpu/microbench/bench.cuh"
#include "gpu/slice_requests.h"

namespace pnsim::gpu {
namespace {

constexpr unsigned kLineWords = 32;
constexpr unsigned kWarps = 32;         // of a block
constexpr unsigned kBlocksPerSm = 256;  // in all
constexpr unsigned kLines[] = {32, 64, 128};
constexpr unsigned kMostLines = 128;

// The first `lanes` lanes of each warp store a word each in one line. The warps of a block store in
// different lines, so L1 merges no stores of a block.
__device__ void store_in_lines(std::uint32_t* words, unsigned lines, unsigned lanes) {
  const unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (lane < lanes) __stcg(words + warp % lines * kLineWords + lane, warp);
}

__global__ void hot_words(std::uint32_t* words, unsigned lines) { store_in_lines(words, lines, 1); }
__global__ void hot_whole_lines(std::uint32_t* words, unsigned lines) {
  store_in_lines(words, lines, kLineWords);
}

struct Part {
  const char* name;
  const char* kernel;
  void (*function)(std::uint32_t*, unsigned);
};
constexpr Part kParts[] = {{"word", "hot_words", hot_words},
                           {"line", "hot_whole_lines", hot_whole_lines}};

std::vector<MicroValue> run(Bench& bench) {
  std::vector<MicroValue> out;
  const DeviceWords words(std::size_t{kMostLines} * kLineWords);
  const unsigned blocks = static_cast<unsigned>(bench.sms()) * kBlocksPerSm;
  for (const Part& part : kParts) {
    for (const unsigned lines : kLines) {
      const Sampled s = sample(
          [&] {
            return bench.ns_of([&] {
              part.function<<<blocks, 32 * kWarps, 0, bench.stream()>>>(words.get(), lines);
            });
          },
          5);
      bench.add(out, "hot_lines", {{"part", part.name}, {"lines", "", lines}}, s,
                "ns/store of a warp", 1.0 / (double{kWarps} * blocks));
    }
  }
  return out;
}

// The stores are those of hot_lines, under the profiler: the mean of its launches.
std::vector<MicroValue> run_counted(Bench& bench) {
  std::vector<MicroValue> out;
  std::string why;
  const std::vector<SliceRequests> launches = slice_requests("hot_lines", "hot_", &why);
  if (!why.empty()) bench.skip(why);
  for (const Part& part : kParts) {
    std::vector<double> each;
    for (const SliceRequests& launch : launches) {
      if (launch.kernel.find(part.kernel) != std::string::npos && launch.of_busiest > 0)
        each.push_back(launch.ns / launch.of_busiest);
    }
    if (each.empty()) {
      if (why.empty()) bench.skip(std::string("the profiler shows no launch of ") + part.kernel);
      continue;
    }
    Sampled s = summary(each);
    s.median = 0;  // the number of lines makes the differences, so their mean
    for (const double ns : each) s.median += ns / static_cast<double>(each.size());
    bench.add(out, "busiest_slice", {{"part", part.name}}, s, "ns/request");
  }
  return out;
}

const bool kRegistered = register_microbenchmark("hot_lines", run) &&
                         register_microbenchmark("busiest_slice", run_counted);

}  // namespace
}  // namespace pnsim::gpu
