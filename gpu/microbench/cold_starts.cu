// The start-up cost of a launch when L2 holds none of its data. Each sample is one graph, queued
// behind a kernel that reads twice the L2 size ("cold") or a kernel that waits as long ("single").
#include "gpu/live/flush.h"
#include "gpu/microbench/bench.cuh"
#include "gpu/microbench/start_kernels.cuh"

namespace pnsim::gpu {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kColdSamples = 21;

// Nanoseconds of one graph with that many launches, run alone.
Sampled sample_alone(Bench& bench, const CacheFlush* flush, int launches,
                     const std::function<void()>& launch) {
  const Graph graph(bench.stream(), [&] {
    for (int i = 0; i < launches; ++i) launch();
  });
  return sample(
      [&] {
        if (flush != nullptr) {
          flush->run(bench.stream());
        } else {
          CacheFlush::wait_as_long(bench.stream());
        }
        return bench.ns_of([&] { graph.launch(bench.stream()); });
      },
      kColdSamples);
}

template <Touch touch>
void add_alone(Bench& bench, const char* name, const CacheFlush* flush, const DeviceWords& in,
               const DeviceWords& target, std::vector<MicroValue>& out) {
  const auto blocks = static_cast<unsigned>(bench.sms());
  for (const int launches : {1, 2, 16, 96}) {
    const Sampled s = sample_alone(bench, flush, launches, [&] {
      start<touch><<<blocks, kThreads, 0, bench.stream()>>>(in.get(), target.get(), 7);
    });
    bench.add(out, "alone_start",
              {{"after", flush != nullptr ? "flush" : "wait"},
               {"touch", name},
               {"launches", "", launches}},
              s, "ns");
  }
}

std::vector<MicroValue> run_alone(Bench& bench) {
  std::vector<MicroValue> out;
  const std::size_t words = static_cast<std::size_t>(bench.sms()) * kThreads + 64;
  DeviceWords in(words), target(words);
  in.upload(std::vector<std::uint32_t>(words, 0));
  const CacheFlush flush;
  for (const CacheFlush* first : {&flush, static_cast<const CacheFlush*>(nullptr)}) {
    add_alone<Touch::kNothing>(bench, "nothing", first, in, target, out);
    add_alone<Touch::kIndex>(bench, "index", first, in, target, out);
    add_alone<Touch::kLoad>(bench, "load", first, in, target, out);
    add_alone<Touch::kStore>(bench, "store", first, in, target, out);
    add_alone<Touch::kCopy>(bench, "copy", first, in, target, out);
  }
  return out;
}

template <int instructions>
void add_cold_code(Bench& bench, const CacheFlush& flush, std::vector<MicroValue>& out) {
  auto* sink = reinterpret_cast<float*>(bench.sink());
  const Sampled s = sample_alone(bench, &flush, 1, [&] {
    straight<instructions>
        <<<static_cast<unsigned>(bench.sms()), 32, 0, bench.stream()>>>(1.0f, 1.0f, 1e-8f, sink);
  });
  bench.add(out, "cold_code", {{"instructions", "", instructions}}, s, "ns");
}

std::vector<MicroValue> run_cold_code(Bench& bench) {
  std::vector<MicroValue> out;
  const CacheFlush flush;
  add_cold_code<64>(bench, flush, out);
  add_cold_code<256>(bench, flush, out);
  add_cold_code<1024>(bench, flush, out);
  add_cold_code<4096>(bench, flush, out);
  return out;
}

const bool kRegistered = register_microbenchmark("alone_start", run_alone) &&
                         register_microbenchmark("cold_code", run_cold_code);

}  // namespace
}  // namespace pnsim::gpu
