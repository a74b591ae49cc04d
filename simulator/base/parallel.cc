#include "simulator/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "simulator/base/start_threads.h"

namespace pnsim {
namespace {

// Keeps the exception of the job with the lowest index.
class FirstError {
 public:
  void keep(std::size_t index, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_ || index < index_) {
      error_ = std::move(error);
      index_ = index;
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::size_t index_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(std::size_t)>& job) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  if (count == 0) return;
  std::atomic<std::size_t> next{0};
  FirstError first_error;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (...) {
        first_error.keep(i, std::current_exception());
        next = count;  // skips the remaining jobs; every index below this one has started
      }
    }
  };
  {
    std::vector<Thread> helpers;
    start_threads(std::min<std::size_t>(threads, count) - 1, work, helpers);
    work();
  }
  first_error.rethrow();
}

}  // namespace pnsim
