// What a command is doing: on a terminal, one line on stderr from its third second on.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace pnsim {

// A part of the work. The innermost one is shown with its share and the time left; those around it
// as "what 3/12". Made on the thread of the command; elsewhere, and within a task of jobs, it is
// not shown.
class Task {
 public:
  enum class Parts { kJobs, kTasks };

  // `total`: 0 when it is not known.
  Task(std::string what, std::uint64_t total, Parts parts = Parts::kJobs);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  // Called by any thread.
  void add_done(std::uint64_t count = 1) { done_ += count; }
  void set_done(std::uint64_t done, std::uint64_t total) {
    done_ = done;
    total_ = total;
  }

  // "simulating 120/1,333 (9 %), 34 s left", or "simulating 120". While none is done, the steps of
  // all simulations since the task began, and its time: "replicas 0/1 (0 %), 12,000,000 steps, 5
  // s".
  std::string text(double seconds) const;
  std::string short_text() const;  // "experiment 3/12"
  double share() const;            // of `total`; negative when that is not known
  bool has_jobs() const { return parts_ == Parts::kJobs; }
  std::chrono::steady_clock::time_point start() const { return start_; }

 private:
  std::string what_;
  std::atomic<std::uint64_t> done_ = 0, total_;
  Parts parts_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t steps_before_;
  bool is_shown_ = false;
};

// The steps of one simulation, for the line. Without them a long run of one replica would look like
// a program that hangs.
class ToldSteps {
 public:
  // `steps` that the simulation has done so far. May be called often.
  void tell(std::uint64_t steps) {
    if (steps - told_ >= kInterval) add(steps);
  }

 private:
  static constexpr std::uint64_t kInterval = 1'000'000;
  void add(std::uint64_t steps);

  std::uint64_t told_ = 0;
};

// Shows the line while it lives. One per process.
class Activity {
 public:
  // `is_shown`: stderr is a terminal, and the command is not quiet.
  explicit Activity(bool is_shown);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  // The line after this time, without the control characters of a terminal. For tests.
  static std::string line(double seconds);

 private:
  struct Ticker;
  std::unique_ptr<Ticker> ticker_;
};

// Removes the line while something else is printed. It comes back by itself.
class WithoutActivityLine {
 public:
  WithoutActivityLine();

 private:
  std::unique_lock<std::mutex> lock_;
};

// No line while it lives: the command shows a bar of its own.
class ActivityPause {
 public:
  ActivityPause();
  ~ActivityPause();
  ActivityPause(const ActivityPause&) = delete;
  ActivityPause& operator=(const ActivityPause&) = delete;
};

}  // namespace pnsim
