#include "simulator/base/progress.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ProgressText, SaysRateAndTimeLeftOfThisRun) {
  EXPECT_EQ(progress_text(0, 0, 50, 3), "0/50 points (0 %)");
  EXPECT_EQ(progress_text(1200, 0, 5000, 10), "1,200/5,000 points (24 %), 120 points/s, 32 s left");
  EXPECT_EQ(progress_text(1200, 1000, 5000, 10),
            "1,200/5,000 points (24 %), 20.0 points/s, 3 min left");
  EXPECT_EQ(progress_text(0, 0, 0, 1), "0/0 points (100 %)");
}

TEST(DurationText, HasAUnitThatFits) {
  EXPECT_EQ(duration_text(0.2), "under a second");
  EXPECT_EQ(duration_text(42), "42 s");
  EXPECT_EQ(duration_text(600), "10 min");
  EXPECT_EQ(duration_text(9000), "2.5 h");
  EXPECT_EQ(duration_text(10 * 86400), "10 days");
}

struct Printed {
  std::string text;
  Progress::Print print = [this](const std::string& more) { text += more; };
};

TEST(Progress, PrintsALineNowAndThen) {
  Printed printed;
  Progress progress(ProgressStyle::kLines, 100, 0, printed.print);
  const auto start = Progress::Clock::now();
  for (int ms = 0; ms < 25'000; ms += 100) progress.update(50, start + milliseconds(ms));
  EXPECT_EQ(std::count(printed.text.begin(), printed.text.end(), '\n'), 2) << printed.text;
  EXPECT_EQ(printed.text.find('\r'), std::string::npos) << "a bar needs a terminal";
  progress.finish();
  EXPECT_EQ(std::count(printed.text.begin(), printed.text.end(), '\n'), 2);
}

TEST(Progress, DrawsABarOnATerminalAndTakesItAway) {
  Printed printed;
  Progress progress(ProgressStyle::kBar, 100, 0, printed.print);
  progress.update(50, Progress::Clock::now() + seconds(1));
  EXPECT_NE(printed.text.find("[############............] 50/100"), std::string::npos);
  progress.finish();
  EXPECT_TRUE(printed.text.ends_with("\r\033[K"));
}

TEST(Progress, TakesTheBarAwayWhenItsScopeIsLeftByAnError) {
  Printed printed;
  try {
    Progress progress(ProgressStyle::kBar, 100, 0, printed.print);
    progress.update(50, Progress::Clock::now() + seconds(1));
    throw std::runtime_error("full");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(printed.text.ends_with("\r\033[K"));
}

TEST(Progress, SaysNothingWhenQuiet) {
  Printed printed;
  Progress progress(ProgressStyle::kNone, 100, 0, printed.print);
  progress.update(50, Progress::Clock::now() + seconds(100));
  progress.finish();
  EXPECT_EQ(printed.text, "");
  EXPECT_EQ(progress_style(true), ProgressStyle::kNone);
}

}  // namespace
}  // namespace pnsim
