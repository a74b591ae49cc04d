#include "experiments/measure/timed_launches.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "gpu/record.h"
#include "simulator/base/error.h"

namespace pnsim::experiments {
namespace {

std::string file_of_run(const TimedRuns& runs, int run, gpu::RecordKind kind) {
  return runs.folder + (kind == gpu::RecordKind::kSerial ? "/serial-" : "/launches-") +
         std::to_string(run + 1) + ".jsonl";
}

gpu::AgreedLaunches recorded(const TimedRuns& runs, gpu::RecordKind kind, double limit_s) {
  std::vector<std::vector<gpu::RecordedLaunch>> launches;
  for (int run = 0; run < runs.runs; ++run) {
    spdlog::info("timed run {} of {}{}", run + 1, runs.runs,
                 kind == gpu::RecordKind::kSerial ? ", with serial records" : "");
    launches.push_back(gpu::record_launches(runs.target, runs.recorder,
                                            file_of_run(runs, run, kind), limit_s, kind));
  }
  return gpu::agree(launches);
}

// Kernels that wait for kernels of other streams never end where all run one after the other.
double serial_limit_s(const TimedRuns& runs, double instrumented_s) {
  constexpr double kTimes = 10, kLeastSeconds = 60;
  const double limit_s = std::max(kLeastSeconds, kTimes * instrumented_s / runs.runs);
  return runs.limit_s > 0 ? std::min(runs.limit_s, limit_s) : limit_s;
}

void warn_of_instrumentation(const std::string& why) {
  spdlog::warn(
      "the times hold what the recorder adds to each block, in launches of many short "
      "blocks up to a third of the time. There are none without it: {}",
      why);
}

}  // namespace

std::vector<std::string> files_of_runs(const TimedRuns& runs) {
  std::vector<std::string> files;
  for (int run = 0; run < runs.runs; ++run) {
    for (const auto kind : {gpu::RecordKind::kInstrumented, gpu::RecordKind::kSerial})
      files.push_back(file_of_run(runs, run, kind));
  }
  return files;
}

TimedLaunches timed_launches(const TimedRuns& runs, std::optional<double> offset_us) {
  std::error_code none;
  for (const std::string& file : files_of_runs(runs)) std::filesystem::remove(file, none);
  const auto begin = std::chrono::steady_clock::now();
  TimedLaunches timed;
  timed.agreed = recorded(runs, gpu::RecordKind::kInstrumented, runs.limit_s);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (timed.agreed.launches.empty()) {
    fail_unavailable("no two runs made the same launches: the program's work differs by run");
  }
  if (!offset_us) return timed;
  try {
    const gpu::AgreedLaunches serial =
        recorded(runs, gpu::RecordKind::kSerial, serial_limit_s(runs, took.count()));
    gpu::AgreedLaunches without = gpu::without_instrumentation(timed.agreed, serial, *offset_us);
    if (without.launches.empty()) {
      warn_of_instrumentation("with serial records the program makes other launches");
    } else {
      timed = {std::move(without), false};
    }
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    warn_of_instrumentation(error.what());
  }
  return timed;
}

}  // namespace pnsim::experiments
