// Progress of a long command: a bar on a terminal, a line from time to time otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "simulator/base/activity.h"

namespace pnsim {

// Returns "1,200/5,000 points (24 %), 310 points/s, 12 s left". Rate and remaining time count the
// points since the start (`done` - `done_before`). Both are omitted while that count is 0.
std::string progress_text(std::uint64_t done, std::uint64_t done_before, std::uint64_t total,
                          double seconds);

enum class ProgressStyle { kNone, kLines, kBar };

// kNone when quiet, else kBar when stderr is a terminal, else kLines.
ProgressStyle progress_style(bool quiet);

class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  using Print = std::function<void(const std::string&)>;

  // `total` points, of which an earlier run finished `done_before`. Prints to stderr.
  Progress(ProgressStyle style, std::uint64_t total, std::uint64_t done_before);
  // Prints through `print` instead (for tests).
  Progress(ProgressStyle style, std::uint64_t total, std::uint64_t done_before, Print print);
  // Calls finish(), also when an exception leaves the scope.
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // May be called often: it prints at most five times a second (bar) or every ten seconds (lines).
  void update(std::uint64_t done, Clock::time_point now = Clock::now());

  // Removes the bar. The caller prints the result.
  void finish();

  double seconds(Clock::time_point now = Clock::now()) const;

 private:
  ProgressStyle style_;
  std::uint64_t total_, done_before_;
  Print print_;
  Clock::time_point start_, last_;
  std::optional<ActivityPause> pause_;  // while there is a bar
  bool bar_is_shown_ = false;
};

}  // namespace pnsim
