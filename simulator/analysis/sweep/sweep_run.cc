#include "simulator/analysis/sweep/sweep_run.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "simulator/base/ordered.h"

namespace pnsim {
namespace {

unsigned thread_count(unsigned threads) {
  return threads ? threads : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

unsigned threads_a_point(unsigned threads, std::uint64_t points) {
  if (threads == 0) threads = thread_count(0);
  return points >= threads ? 1
                           : static_cast<unsigned>(threads / std::max<std::uint64_t>(points, 1));
}

ExitCode run_sweep(const SweepPoints& points, const SweepRun& run, const RowsDone& done,
                   const std::function<void(const std::string& rows)>& append) {
  OrderedJobs jobs;
  jobs.first = done.rows;
  jobs.count = run.shard.size(points.count());
  jobs.threads = thread_count(run.threads);
  const unsigned inner = threads_a_point(jobs.threads, jobs.count - jobs.first);
  std::atomic<ExitCode> worst = done.worst;
  Progress progress(run.progress, jobs.count, done.rows);
  jobs.make = [&](std::uint64_t row) {
    SweptRow swept = points.run(run.shard.point(row), inner);
    if (run.best_blocks && swept.shape) run.best_blocks->add(*swept.shape);
    ExitCode before = worst;
    while (before < swept.code && !worst.compare_exchange_weak(before, swept.code)) {
    }
    return std::move(swept.line);
  };
  jobs.take = [&](const std::string& rows, std::uint64_t) { append(rows); };
  jobs.tick = [&](std::uint64_t rows) {
    progress.update(rows);
    if (run.tick) run.tick(rows);
  };
  run_in_order(jobs);
  return worst;
}

ExitCode run_sweep(const SweepPoints& points, const SweepRun& run, const RowsDone& done,
                   RowFile& file) {
  if (done.cut_off > 0) file.cut(done.bytes);
  const ExitCode worst =
      run_sweep(points, run, done, [&](const std::string& rows) { file.append(rows); });
  file.sync();
  return worst;
}

double estimated_seconds(const SweepPoints& points, const SweepRun& run, const RowsDone& done) {
  const std::uint64_t count = run.shard.size(points.count());
  const std::uint64_t left = count - done.rows;
  if (left == 0) return 0;
  const auto start = Progress::Clock::now();
  for (const std::uint64_t row : {done.rows, done.rows + left / 2, count - 1}) {
    points.run(run.shard.point(row), 1);
  }
  const std::chrono::duration<double> took = Progress::Clock::now() - start;
  const auto threads = std::min<std::uint64_t>(thread_count(run.threads), left);
  return took.count() / 3 * static_cast<double>(left) / static_cast<double>(threads);
}

}  // namespace pnsim
