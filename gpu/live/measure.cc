#include <algorithm>
#include <chrono>
#include <cmath>

#include "gpu/live.h"
#include "gpu/live/checks.h"
#include "gpu/live/clocks.h"
#include "gpu/live/device_run.h"

namespace pnsim::gpu {
namespace {

// A warm sample never holds more replays: short programs would otherwise queue thousands.
constexpr int kMaxReplays = 200;

class WallClock {
 public:
  double elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::size_t l2_words() {
  int bytes = 0;
  PNSIM_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
  return static_cast<std::size_t>(bytes) / sizeof(std::uint32_t);
}

// One point ready to be timed: its graph, a timer, and what flushes the cache.
class Timing {
 public:
  Timing(const DeviceRun& run, Mode mode)
      : graph_(stream_.get(), [&] { run.run_all(stream_.get()); }),
        flush_(mode == Mode::kCold ? 2 * l2_words() : 0) {}

  void run_once() {
    graph_.launch(stream_.get());
    stream_.wait();
  }

  // Microseconds of one replay, over `replays` of them back to back. One more runs first, untimed:
  // by the time the device is done with it, the timed ones are queued.
  double warm_us(int replays) {
    graph_.launch(stream_.get());
    timer_.start(stream_.get());
    for (int i = 0; i < replays; ++i) graph_.launch(stream_.get());
    timer_.stop(stream_.get());
    return timer_.wait_us() / replays;
  }

  // Microseconds of one replay after twice the size of L2 was overwritten.
  double cold_us() {
    flush_.fill(0, stream_.get());
    timer_.start(stream_.get());
    graph_.launch(stream_.get());
    timer_.stop(stream_.get());
    return timer_.wait_us();
  }

 private:
  Stream stream_;
  Graph graph_;
  DeviceWords flush_;
  EventTimer timer_;
};

// Runs until the clocks are up; returns how many replays make a sample.
int warm_up(Timing& timing, const SamplingRules& rules, const WallClock& clock) {
  double us = 0;
  do {
    us = timing.warm_us(1);
  } while (clock.elapsed_s() < rules.warm_up_s);
  const double replays = std::ceil(rules.min_sample_us / std::max(us, 1.0));
  return static_cast<int>(std::clamp(replays, 1.0, double{kMaxReplays}));
}

ClockReading read_clock(const Nvml* nvml) {
  return nvml == nullptr ? ClockReading{} : nvml->read();
}

Measurement sample(Timing& timing, Mode mode, const SamplingRules& rules, const Nvml* nvml) {
  const WallClock clock;
  const int replays = warm_up(timing, rules, clock);
  SampleLog log(rules);
  ClockReading before = read_clock(nvml);
  std::optional<StopReason> stop;
  while (!stop) {
    const double us = mode == Mode::kWarm ? timing.warm_us(replays) : timing.cold_us();
    const ClockReading after = read_clock(nvml);
    log.add(us, before, after);
    before = after;
    stop = log.done(clock.elapsed_s());
  }
  return {.time = log.summarize(), .stop = *stop, .clock_note = ""};
}

}  // namespace

Measurement measure(const Point& point, Mode mode, const SamplingRules& rules, InputCache& inputs) {
  need_device();
  check_point(point);
  const PreparedInput& input = inputs.get(point.input, point.n);
  const DeviceRun run(point, input.keys);
  Timing timing(run, mode);
  timing.run_once();
  check_sorted(point, run.result(), input.sorted);
  std::string clock_note;
  const std::unique_ptr<Nvml> nvml = open_clocks(&clock_note);
  Measurement measurement = sample(timing, mode, rules, nvml.get());
  check_sorted(point, run.result(), input.sorted);
  measurement.clock_note = clock_note;
  return measurement;
}

}  // namespace pnsim::gpu
