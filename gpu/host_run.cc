#include "gpu/host_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <memory>

#include "gpu/input_cache.h"
#include "gpu/live_device.h"
#include "gpu/radix_cpu.h"

namespace pnsim::gpu {
namespace {

// 128 MiB, more than the caches of most CPUs
constexpr std::size_t kFlushWords = std::size_t{1} << 25;
constexpr int kMaxReplays = 10000;

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double run_us(SequentialRadixSort& sort, int replays) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < replays; ++i) sort.run();
  return us_since(start) / replays;
}

double cold_run_us(SequentialRadixSort& sort, Words& flush) {
  for (std::uint32_t& word : flush) ++word;
  return run_us(sort, 1);
}

// Returns the number of runs per sample.
int warm_up(SequentialRadixSort& sort, const SamplingRules& rules, Clock::time_point start) {
  double us = 0;
  do {
    us = run_us(sort, 1);
  } while (us_since(start) < 1e6 * rules.warm_up_s);
  const double replays = std::ceil(rules.min_sample_us / std::max(us, 0.1));
  return static_cast<int>(std::clamp(replays, 1.0, double{kMaxReplays}));
}

}  // namespace

DeviceFacts host_facts() {
  DeviceFacts facts;
  facts.name = "unknown CPU";
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    facts.name = line.substr(colon + 2);
    break;
  }
  facts.facts = {{"name", 0, "", "/proc/cpuinfo, model name", facts.name}};
  return facts;
}

Verification verify_on_host(const Point& point, InputCache& inputs) {
  const PreparedInput& input = inputs.get(point);
  SequentialRadixSort sort(input.input);
  sort.run();
  Verification verification;
  verification.passes = 1;
  if (const auto wrong = difference(sort.result(), input.expected)) {
    verification.wrong_elements = wrong->wrong_elements;
    verification.first_difference = wrong->first;
  }
  return verification;
}

Measurement measure_on_host(const Point& point, Mode mode, const SamplingRules& rules,
                            InputCache& inputs) {
  const PreparedInput& input = inputs.get(point);
  Words flush(mode == Mode::kCold ? kFlushWords : 0);
  Measurement measurement;
  measurement.clock_note = "the CPU's clock is not read";
  SampleLog log(rules);
  // The memory of earlier rounds stays allocated, so that every round gets different memory.
  std::vector<std::unique_ptr<SequentialRadixSort>> sorts;
  for (int round = 0; round < rules.rounds; ++round) {
    sorts.push_back(std::make_unique<SequentialRadixSort>(input.input));
    SequentialRadixSort& sort = *sorts.back();
    const Clock::time_point start = Clock::now();
    const int replays = mode == Mode::kWarm ? warm_up(sort, rules, start) : 1;
    log.begin_round();
    std::optional<StopReason> stop;
    while (!stop) {
      log.add(mode == Mode::kCold ? cold_run_us(sort, flush) : run_us(sort, replays), {}, {});
      stop = log.done(us_since(start) / 1e6);
    }
    measurement.stop = *stop;
    check_output(point, sort.result(), input.expected);
    measurement.checked_elements += input.expected.words.size();
  }
  measurement.time = log.summarize();
  return measurement;
}

}  // namespace pnsim::gpu
