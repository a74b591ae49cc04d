// Engines on the paper's net: steps and firings a second, beside the scan-all loop in one run.
// Run: build/cuda/engine_bench (or any Release build with PNSIM_BENCHMARKS=ON).
#include <benchmark/benchmark.h>

#include "simulator/base/data_files.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/gpu_replicas.h"
#include "simulator/engine/run.h"
#include "simulator/engine/simd_replicas.h"
#include "simulator/model/template/instantiate.h"
#include "tests/bench/scan_all.h"

namespace pnsim {
namespace {

Net paper_net(std::int64_t warps, std::int64_t l1 = 20) {
  const NetTemplate wpnm = load_net_template(data_root() + "/models/nets/wpnm.json");
  return instantiate(wpnm, {{"W", {warps}},
                            {"S", {4}},
                            {"l1", {l1}},
                            {"l2", {2}},
                            {"xa", {100}},
                            {"xs", {20}},
                            {"xg", {20}}});
}

void scan_all(benchmark::State& state) {
  const Net net = paper_net(state.range(0));
  std::uint64_t steps = 0, seed = 0;
  for (auto _ : state) steps += scan_all_steps(net, ++seed);
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

RunResult reference(const Net& net, RunId id) { return run_reference(net, id); }
RunResult incremental(const Net& net, RunId id) { return run_incremental(net, id); }
RunResult fast(const Net& net, RunId id) { return run_fast(net, id); }

template <RunResult (*run)(const Net&, RunId)>
void engine(benchmark::State& state) {
  const Net net = paper_net(state.range(0));
  std::uint64_t steps = 0, firings = 0;
  std::uint32_t replica = 0;
  for (auto _ : state) {
    const RunResult result = run(net, {.seed = 1, .replica = replica++});
    steps += result.steps;
    firings += result.firings;
  }
  using benchmark::Counter;
  state.counters["steps/s"] = Counter(static_cast<double>(steps), Counter::kIsRate);
  state.counters["firings/s"] = Counter(static_cast<double>(firings), Counter::kIsRate);
}

// One run after another with what the first ones taught, as replicas do. Arguments: W, l1.
void fast_runner(benchmark::State& state) {
  const Net net = paper_net(state.range(0), state.range(1));
  FastRunner runner(net);
  std::uint64_t steps = 0, firings = 0;
  std::uint32_t replica = 0;
  for (auto _ : state) {
    const RunResult result = runner.run({.seed = 1, .replica = replica++});
    steps += result.steps;
    firings += result.firings;
  }
  using benchmark::Counter;
  const auto instructions = static_cast<double>(state.range(0) * 140 * state.iterations());
  state.counters["steps/s"] = Counter(static_cast<double>(steps), Counter::kIsRate);
  state.counters["firings/s"] = Counter(static_cast<double>(firings), Counter::kIsRate);
  state.counters["instructions/s"] = Counter(instructions, Counter::kIsRate);
}

// Looking at the net before the first run.
void fast_runner_setup(benchmark::State& state) {
  const Net net = paper_net(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(FastRunner(net));
}

// Replicas on the GPU, transfers included. Arguments: W, l1, replicas.
void gpu_replicas(benchmark::State& state) {
  const std::string why = why_not_on_gpu();
  if (!why.empty()) return state.SkipWithError(why.c_str());
  const Net net = paper_net(state.range(0), state.range(1));
  const FastRunner runner(net);
  const GpuReplicas replicas(runner);
  GpuReplicas::Request request{.count = static_cast<std::uint32_t>(state.range(2))};
  std::uint64_t steps = 0, left = 0;
  for (auto _ : state) {
    const GpuReplicas::Runs made = replicas.run(request, nullptr);
    if (!made.fault.empty()) return state.SkipWithError(made.fault.c_str());
    for (const RunResult& run : made.runs) steps += run.steps;
    left += made.left.size();
    request.first += request.count;
  }
  using benchmark::Counter;
  state.counters["steps/s"] = Counter(static_cast<double>(steps), Counter::kIsRate);
  state.counters["left to the CPU"] = static_cast<double>(left);
}

// Replicas side by side in SIMD registers, on one thread. Arguments: W, l1, replicas.
void simd_replicas(benchmark::State& state) {
  const Net net = paper_net(state.range(0), state.range(1));
  const SimdReplicas replicas{FastRunner(net)};
  if (!replicas.why_not().empty()) return state.SkipWithError(replicas.why_not().c_str());
  SimdReplicas::Request request{.count = static_cast<std::uint32_t>(state.range(2))};
  std::uint64_t steps = 0, firings = 0;
  for (auto _ : state) {
    for (const RunResult& run : replicas.run(request, nullptr).runs) {
      steps += run.steps;
      firings += run.firings;
    }
    request.first += request.count;
  }
  using benchmark::Counter;
  const auto instructions =
      static_cast<double>(state.range(0) * 140 * state.range(2) * state.iterations());
  state.counters["steps/s"] = Counter(static_cast<double>(steps), Counter::kIsRate);
  state.counters["firings/s"] = Counter(static_cast<double>(firings), Counter::kIsRate);
  state.counters["instructions/s"] = Counter(instructions, Counter::kIsRate);
}

BENCHMARK(scan_all)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(engine<reference>)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(engine<incremental>)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(engine<fast>)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(fast_runner)
    ->ArgNames({"W", "l1"})
    ->Args({4, 20})
    ->Args({16, 20})
    ->Args({64, 20})
    ->Args({64, 400})
    ->Args({1024, 20});
BENCHMARK(simd_replicas)
    ->ArgNames({"W", "l1", "replicas"})
    ->Unit(benchmark::kMillisecond)
    ->Args({16, 20, 640})
    ->Args({64, 20, 640})
    ->Args({64, 20, 32})
    ->Args({16, 400, 640})
    ->Args({64, 400, 640});
BENCHMARK(gpu_replicas)
    ->ArgNames({"W", "l1", "replicas"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Args({16, 20, 200'000})
    ->Args({64, 20, 200'000})
    ->Args({64, 20, 20'000})
    ->Args({64, 20, 1000})
    ->Args({64, 20, 1})
    ->Args({64, 400, 50'000})
    ->Args({256, 20, 20'000});
BENCHMARK(fast_runner_setup)->ArgName("W")->Arg(64)->Arg(1024);

}  // namespace
}  // namespace pnsim

BENCHMARK_MAIN();
