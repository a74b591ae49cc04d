#include "simulator/base/ordered.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "simulator/base/start_threads.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kAheadPerThread = 64;
constexpr auto kTick = std::chrono::milliseconds(100);

class OrderedRun {
 public:
  OrderedRun(const OrderedJobs& jobs, unsigned threads)
      : jobs_(jobs),
        window_(kAheadPerThread * threads),
        next_(jobs.first),
        taken_(jobs.first),
        wanted_(threads),
        active_(threads) {}

  // One worker. `ticks`: there is no thread that watches.
  void work(bool ticks) {
    std::unique_lock lock(mutex_);
    while (may_begin(lock)) {
      if (ticks && jobs_.tick) jobs_.tick(taken_);
      const std::uint64_t job = next_++;
      lock.unlock();
      std::exception_ptr error;
      try {
        std::string result = jobs_.make(job);
        lock.lock();
        ready_.emplace(job, std::move(result));
        take_ready();
      } catch (...) {
        error = std::current_exception();
      }
      if (!lock.owns_lock()) lock.lock();
      if (error) keep_error(job, error);
      changed_.notify_all();
    }
    --active_;
    changed_.notify_all();
  }

  // Fewer have started than were wanted; none: the caller is the one worker.
  void expect_workers(std::size_t started) {
    const std::lock_guard lock(mutex_);
    active_ -= wanted_ - std::max<unsigned>(1, static_cast<unsigned>(started));
    changed_.notify_all();
  }

  // Until every worker has ended.
  void watch() {
    std::unique_lock lock(mutex_);
    while (active_ > 0) {
      changed_.wait_for(lock, kTick, [&] { return active_ == 0; });
      if (jobs_.tick) jobs_.tick(taken_);
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  bool may_begin(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [&] { return error_ || next_ >= jobs_.count || next_ < taken_ + window_; });
    return !error_ && next_ < jobs_.count;
  }

  // Keeps the error of the lowest job, so that the result does not depend on thread timing.
  void keep_error(std::uint64_t job, std::exception_ptr error) {
    if (error_ && job > error_job_) return;
    error_ = std::move(error);
    error_job_ = job;
  }

  void take_ready() {
    std::string results;
    std::uint64_t taken = taken_;
    for (auto it = ready_.begin(); it != ready_.end() && it->first == taken;
         it = ready_.erase(it)) {
      results += it->second;
      ++taken;
    }
    if (taken == taken_ || take_failed_) return;
    try {
      jobs_.take(results, taken);
      taken_ = taken;
    } catch (...) {
      take_failed_ = true;
      keep_error(taken_, std::current_exception());
    }
  }

  const OrderedJobs& jobs_;
  const std::uint64_t window_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, std::string> ready_;  // produced, not yet taken
  std::uint64_t next_, taken_;
  const unsigned wanted_;
  unsigned active_;  // workers that have not ended
  bool take_failed_ = false;
  std::exception_ptr error_;
  std::uint64_t error_job_ = 0;
};

}  // namespace

void run_in_order(const OrderedJobs& jobs) {
  if (jobs.first >= jobs.count) return;
  unsigned threads =
      jobs.threads ? jobs.threads : std::max(1u, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, jobs.count - jobs.first));
  OrderedRun run(jobs, threads);
  std::vector<Thread> others;
  if (threads ==
      1) {  // where the heap is that keep_freed_memory() and request_large_pages() are about
    const bool is_watched = start_threads(
                                1, [&] { run.watch(); }, others) == 1;
    run.work(!is_watched);
  } else {
    const std::size_t started = start_threads(
        threads, [&] { run.work(false); }, others);
    run.expect_workers(started);
    started > 0 ? run.watch() : run.work(true);
  }
  others.clear();
  run.rethrow();
}

}  // namespace pnsim
