#include "simulator/base/progress.h"

#include <unistd.h>

#include <cstdio>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr int kBarWidth = 24;
constexpr auto kBarInterval = std::chrono::milliseconds(200);
constexpr auto kLineInterval = std::chrono::seconds(10);

std::string bar(std::uint64_t done, std::uint64_t total) {
  const auto filled = static_cast<std::size_t>(total == 0 ? kBarWidth : kBarWidth * done / total);
  return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] ";
}

void print_to_stderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_text(std::uint64_t done, std::uint64_t done_before, std::uint64_t total,
                          double seconds) {
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  std::string text = grouped(static_cast<long long>(done)) + "/" +
                     grouped(static_cast<long long>(total)) + " points (" + fixed(100 * share, 0) +
                     " %)";
  if (done <= done_before || seconds <= 0) return text;
  const double rate = static_cast<double>(done - done_before) / seconds;
  return text + ", " + significant(rate, 3) + " points/s, " +
         duration_text(static_cast<double>(total - done) / rate) + " left";
}

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::kNone;
  return ::isatty(STDERR_FILENO) ? ProgressStyle::kBar : ProgressStyle::kLines;
}

Progress::Progress(ProgressStyle style, std::uint64_t total, std::uint64_t done_before)
    : Progress(style, total, done_before, print_to_stderr) {}

Progress::Progress(ProgressStyle style, std::uint64_t total, std::uint64_t done_before, Print print)
    : style_(style),
      total_(total),
      done_before_(done_before),
      print_(std::move(print)),
      start_(Clock::now()),
      last_(start_) {
  if (style_ == ProgressStyle::kBar) pause_.emplace();
}

void Progress::update(std::uint64_t done, Clock::time_point now) {
  if (style_ == ProgressStyle::kNone) return;
  const bool is_bar = style_ == ProgressStyle::kBar;
  if (now - last_ < (is_bar ? Clock::duration(kBarInterval) : Clock::duration(kLineInterval)))
    return;
  last_ = now;
  const std::string text = progress_text(done, done_before_, total_, seconds(now));
  if (!is_bar) return print_("pnsim: " + text + "\n");
  print_("\r\033[K" + bar(done, total_) + text);
  bar_is_shown_ = true;
}

void Progress::finish() {
  if (bar_is_shown_) print_("\r\033[K");
  bar_is_shown_ = false;
}

double Progress::seconds(Clock::time_point now) const {
  return std::chrono::duration<double>(now - start_).count();
}

}  // namespace pnsim
