// Engines on the paper's net: steps and firings a second, beside the scan-all loop in one run.
// Run: build/cuda/engine_bench (or any Release build with PNSIM_BENCHMARKS=ON).
#include <benchmark/benchmark.h>

#include "simulator/base/data_files.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/run.h"
#include "simulator/model/instantiate.h"
#include "tests/bench/scan_all.h"

namespace pnsim {
namespace {

Net paper_net(std::int64_t warps, std::int64_t l1 = 20) {
  const NetTemplate wpnm = load_net_template(data_root() + "/models/nets/wpnm.json");
  return instantiate(wpnm, {{"W", {warps}}, {"S", {4}}, {"l1", {l1}}, {"l2", {2}},
                            {"xa", {100}}, {"xs", {20}}, {"xg", {20}}});
}

void scan_all(benchmark::State& state) {
  const Net net = paper_net(state.range(0));
  std::uint64_t steps = 0, seed = 0;
  for (auto _ : state) steps += scan_all_steps(net, ++seed);
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

template <RunResult (*run)(const Net&, RunId, std::uint64_t, ConflictLog*)>
void engine(benchmark::State& state) {
  const Net net = paper_net(state.range(0));
  std::uint64_t steps = 0, firings = 0;
  std::uint32_t replica = 0;
  for (auto _ : state) {
    const RunResult result = run(net, {.seed = 1, .replica = replica++}, kDefaultMaxSteps, nullptr);
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

BENCHMARK(scan_all)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(engine<run_reference>)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(engine<run_incremental>)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(engine<run_fast>)->ArgName("W")->Arg(1)->Arg(4)->Arg(16)->Arg(64)->Arg(1024);
BENCHMARK(fast_runner)->ArgNames({"W", "l1"})->Args({4, 20})->Args({16, 20})->Args({64, 20})
    ->Args({64, 400})->Args({1024, 20});
BENCHMARK(fast_runner_setup)->ArgName("W")->Arg(64)->Arg(1024);

}  // namespace
}  // namespace pnsim

BENCHMARK_MAIN();
