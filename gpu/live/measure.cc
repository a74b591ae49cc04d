#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "gpu/catalogue.h"
#include "gpu/input_cache.h"
#include "gpu/live.h"
#include "gpu/live/checks.h"
#include "gpu/live/clocks.h"
#include "gpu/live/device_run.h"
#include "gpu/live/flush.h"
#include "gpu/live_device.h"

namespace pnsim::gpu {
namespace {

// Upper limit of replays per warm sample; otherwise short programs would queue thousands.
constexpr int kMaxReplays = 200;
// Launches in a graph: the initial number, to estimate the time of the program, and the maximum.
// The gap between two graphs is longer than a short kernel.
constexpr std::size_t kFewLaunches = 64, kMaxLaunches = 512;

class WallClock {
 public:
  double elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Number of copies of the program in a graph with that many launches.
int copies_in(std::size_t launches, const Point& point) {
  const std::size_t of_pass = std::max<std::size_t>(shapes_of_launches(point).size(), 1);
  const std::size_t of_run = of_pass * find_program(point.program).passes;
  return static_cast<int>(std::max<std::size_t>(launches / of_run, 1));
}

// One point ready to be timed: its graph, a timer, and the cache flush.
class Timing {
 public:
  Timing(const DeviceRun& run, Mode mode, int copies)
      : mode_(mode),
        copies_(copies),
        graph_(stream_.get(),
               [&] {
                 for (int i = 0; i < copies; ++i) run.run_all(stream_.get());
               }),
        flush_(mode == Mode::kCold ? std::make_unique<CacheFlush>() : nullptr) {}

  void run_once() {
    graph_.launch(stream_.get());
    stream_.wait();
  }

  // Microseconds per run, over `replays` graphs back to back. One untimed graph runs first; while
  // the device executes it, the timed graphs are queued.
  double warm_us(int replays) {
    graph_.launch(stream_.get());
    timer_.start(stream_.get());
    for (int i = 0; i < replays; ++i) graph_.launch(stream_.get());
    timer_.stop(stream_.get());
    return timer_.wait_us() / replays / copies_;
  }

  // Microseconds of one replay. It is queued while the flush runs, or a wait of the same length
  // when the caches are not flushed.
  double alone_us() {
    if (flush_) {
      flush_->run(stream_.get());
    } else {
      CacheFlush::wait_as_long(stream_.get());
    }
    timer_.start(stream_.get());
    graph_.launch(stream_.get());
    timer_.stop(stream_.get());
    return timer_.wait_us();
  }

  double sample_us(int replays) { return mode_ == Mode::kWarm ? warm_us(replays) : alone_us(); }

  // Number of graphs that last this long.
  int replays_of(double sample_us, double run_us) const {
    const double replays = std::ceil(sample_us / std::max(run_us * copies_, 1.0));
    return static_cast<int>(std::clamp(replays, 1.0, double{kMaxReplays}));
  }

 private:
  Mode mode_;
  int copies_;
  Stream stream_;
  Graph graph_;
  std::unique_ptr<CacheFlush> flush_;  // cold samples only
  EventTimer timer_;
};

// Runs until the clocks have risen; returns the number of replays per sample.
int warm_up(Timing& timing, const SamplingRules& rules, const WallClock& clock) {
  double us = 0;
  do {
    us = timing.warm_us(1);
  } while (clock.elapsed_s() < rules.warm_up_s);
  return timing.replays_of(rules.min_sample_us, us);
}

ClockReading read_clock(const Nvml* nvml) {
  return nvml == nullptr ? ClockReading{} : nvml->read();
}

StopReason sample_round(Timing& timing, const SamplingRules& rules, const Nvml* nvml,
                        SampleLog& log) {
  const WallClock clock;
  const int replays = warm_up(timing, rules, clock);
  log.begin_round();
  ClockReading before = read_clock(nvml);
  std::optional<StopReason> stop;
  while (!stop) {
    const double us = timing.sample_us(replays);
    const ClockReading after = read_clock(nvml);
    log.add(us, before, after);
    before = after;
    stop = log.done(clock.elapsed_s());
  }
  return *stop;
}

// Number of copies of the program in its graph. Warm: until the graph lasts as long as a sample or
// has kMaxLaunches. Cold and single: one.
int copies_of(const Point& point, Mode mode, const DeviceRun& run, double sample_us) {
  if (mode != Mode::kWarm) return 1;
  const int few = copies_in(kFewLaunches, point), most = copies_in(kMaxLaunches, point);
  const double us = Timing(run, mode, few).warm_us(1);
  return static_cast<int>(std::clamp(std::ceil(sample_us / std::max(us, 0.1)),
                                     static_cast<double>(few), static_cast<double>(most)));
}

// Runs once and compares the output; returns the number of compared elements.
std::uint64_t check_run(const Point& point, DeviceRun& run, Timing& timing,
                        const Expected& expected) {
  run.poison_targets();  // detects a replay that did nothing
  timing.run_once();
  check_output(point, run.result(), expected);
  return expected.compared();
}

}  // namespace

Measurement measure_on_device(const Point& point, Mode mode, const SamplingRules& rules,
                              InputCache& inputs) {
  need_device();
  const PreparedInput& input = inputs.get(point);
  Measurement measurement;
  const std::unique_ptr<Nvml> nvml = open_clocks(&measurement.clock_note);
  SampleLog log(rules);
  // The memory of earlier rounds stays allocated, so that every round gets different memory.
  std::vector<std::unique_ptr<DeviceRun>> runs;
  SamplingRules of_round = rules;
  of_round.warm_up_s /= rules.rounds;
  int copies = 1;
  for (int round = 0; round < rules.rounds; ++round) {
    runs.push_back(std::make_unique<DeviceRun>(point, input));
    if (round == 0) copies = copies_of(point, mode, *runs.back(), rules.min_sample_us);
    Timing timing(*runs.back(), mode, copies);
    measurement.checked_elements += check_run(point, *runs.back(), timing, input.expected);
    measurement.stop = sample_round(timing, round == 0 ? rules : of_round, nvml.get(), log);
    measurement.checked_elements += check_run(point, *runs.back(), timing, input.expected);
  }
  measurement.time = log.summarize();
  return measurement;
}

}  // namespace pnsim::gpu
