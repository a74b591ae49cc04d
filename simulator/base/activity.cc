#include "simulator/base/activity.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <system_error>
#include <thread>
#include <vector>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kFirstLine = std::chrono::seconds(2);
constexpr auto kInterval = std::chrono::milliseconds(200);

// What the ticker reads. The mutex is also held while something else is printed.
struct State {
  std::mutex mutex;
  std::vector<const Task*> tasks;  // from the outside to the inside
  std::thread::id thread = std::this_thread::get_id();
  int pauses = 0;
  bool is_line_shown = false;
};

State& state() {
  static State only;
  return only;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::atomic<std::uint64_t> told_steps = 0;  // of all simulations of the process

std::string count_text(std::uint64_t count) { return grouped(static_cast<long long>(count)); }

void print(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void remove_line(State& now) {
  if (now.is_line_shown) print("\r\033[K");
  now.is_line_shown = false;
}

std::size_t columns_of_stderr() {
  winsize window{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
  return is_known ? window.ws_col : 80;
}

// Needs the mutex. `seconds`: since the start of the command.
std::string line_of(const State& now, double seconds) {
  if (now.tasks.empty()) return "working, " + duration_text(seconds);
  std::string text;
  for (std::size_t i = 0; i + 1 < now.tasks.size(); ++i) text += now.tasks[i]->short_text() + ", ";
  const Task& task = *now.tasks.back();
  text += task.text(seconds_since(task.start()));
  const double share = task.share();
  if (share < 0) return text + ", " + duration_text(seconds);
  constexpr std::size_t kBar = 20;
  const auto filled = static_cast<std::size_t>(share * kBar);
  return "[" + std::string(filled, '#') + std::string(kBar - filled, '.') + "] " + text;
}

}  // namespace

Task::Task(std::string what, std::uint64_t total, Parts parts)
    : what_(std::move(what)),
      total_(total),
      parts_(parts),
      start_(Clock::now()),
      steps_before_(told_steps) {
  State& now = state();
  const std::lock_guard lock(now.mutex);
  const bool is_inside = !now.tasks.empty() && now.tasks.back()->has_jobs();
  is_shown_ = std::this_thread::get_id() == now.thread && !is_inside;
  if (is_shown_) now.tasks.push_back(this);
}

Task::~Task() {
  if (!is_shown_) return;
  State& now = state();
  const std::lock_guard lock(now.mutex);
  std::erase(now.tasks, this);
}

double Task::share() const {
  const std::uint64_t done = done_, total = total_;
  if (total == 0) return -1;
  return std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
}

std::string Task::short_text() const {
  const std::uint64_t at = std::min<std::uint64_t>(done_ + 1, total_);
  return what_ + " " + count_text(at) + "/" + count_text(total_);
}

std::string Task::text(double seconds) const {
  const std::uint64_t done = done_, total = total_;
  if (total == 0) return what_ + " " + count_text(done);
  std::string text = what_ + " " + count_text(done) + "/" + count_text(total) + " (" +
                     fixed(100 * share(), 0) + " %)";
  if (done == 0) {
    const std::uint64_t steps = told_steps - steps_before_;
    return text + (steps == 0 ? "" : ", " + count_text(steps) + " steps") + ", " +
           duration_text(seconds);
  }
  if (done >= total) return text;
  const double left = seconds / static_cast<double>(done) * static_cast<double>(total - done);
  return text + ", " + duration_text(left) + " left";
}

void ToldSteps::add(std::uint64_t steps) {
  told_steps.fetch_add(steps - told_, std::memory_order_relaxed);
  told_ = steps;
}

struct Activity::Ticker {
  Ticker() : thread([this] { run(); }) {}
  ~Ticker() {
    {
      const std::lock_guard lock(mutex);
      is_over = true;
    }
    wake.notify_one();
    thread.join();
    State& now = state();
    const std::lock_guard lock(now.mutex);
    remove_line(now);
  }

  void run() {
    const Clock::time_point start = Clock::now();
    std::unique_lock lock(mutex);
    wake.wait_for(lock, kFirstLine, [this] { return is_over; });
    while (!is_over) {
      show(seconds_since(start));
      wake.wait_for(lock, kInterval, [this] { return is_over; });
    }
  }

  static void show(double seconds) {
    State& now = state();
    const std::lock_guard lock(now.mutex);
    if (now.pauses > 0) return remove_line(now);
    print("\r\033[K" + line_of(now, seconds).substr(0, columns_of_stderr() - 1));
    now.is_line_shown = true;
  }

  std::mutex mutex;
  std::condition_variable wake;
  bool is_over = false;
  std::thread thread;
};

Activity::Activity(bool is_shown) {
  state().thread = std::this_thread::get_id();
  if (!is_shown) return;
  try {
    ticker_ = std::make_unique<Ticker>();
  } catch (const std::system_error&) {
    // The system grants no further thread: the command runs without the line.
  }
}

Activity::~Activity() = default;

std::string Activity::line(double seconds) {
  State& now = state();
  const std::lock_guard lock(now.mutex);
  return line_of(now, seconds);
}

WithoutActivityLine::WithoutActivityLine() : lock_(state().mutex) { remove_line(state()); }

ActivityPause::ActivityPause() {
  State& now = state();
  const std::lock_guard lock(now.mutex);
  ++now.pauses;
  remove_line(now);
}

ActivityPause::~ActivityPause() {
  State& now = state();
  const std::lock_guard lock(now.mutex);
  --now.pauses;
}

}  // namespace pnsim
