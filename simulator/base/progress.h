// How far a long command is: a bar on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace pnsim {

// "1,200/5,000 points (24 %), 310 points/s, 12 s left". Rate and time left speak of the points done
// since the start (`done` less `done_before`) and are left out while there are none.
std::string progress_text(std::uint64_t done, std::uint64_t done_before, std::uint64_t total,
                          double seconds);

// "under a second", "12 s", "3 min", "2.5 h", "4 days".
std::string duration_text(double seconds);

enum class ProgressStyle { kNone, kLines, kBar };

// kNone when quiet, else kBar when stderr is a terminal, else kLines.
ProgressStyle progress_style(bool quiet);

class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  using Print = std::function<void(const std::string&)>;

  // `total` points, `done_before` of them done by an earlier run. Prints to stderr.
  Progress(ProgressStyle style, std::uint64_t total, std::uint64_t done_before);
  // Prints elsewhere (tests).
  Progress(ProgressStyle style, std::uint64_t total, std::uint64_t done_before, Print print);
  // Finishes, however its scope is left.
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Call often: prints at most five times a second (bar) or every ten seconds (lines).
  void update(std::uint64_t done, Clock::time_point now = Clock::now());

  // Takes the bar away; the caller says how it ended.
  void finish();

  double seconds(Clock::time_point now = Clock::now()) const;

 private:
  ProgressStyle style_;
  std::uint64_t total_, done_before_;
  Print print_;
  Clock::time_point start_, last_;
  bool bar_is_shown_ = false;
};

}  // namespace pnsim
