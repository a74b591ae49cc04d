#include "simulator/base/activity.h"

#include <gmock/gmock.h>

#include <thread>

namespace pnsim {
namespace {

using testing::MatchesRegex;
using testing::StartsWith;

TEST(Activity, WithoutATaskSaysHowLongItWorks) {
  const Activity activity(false);
  EXPECT_EQ(Activity::line(12), "working, 12 s");
}

TEST(Activity, ShowsTheInnermostTaskAndThoseAroundIt) {
  const Activity activity(false);
  Task outer("experiment", 12, Task::Parts::kTasks);
  outer.add_done(2);
  EXPECT_THAT(Activity::line(3), StartsWith("[###.................] experiment 2/12 (17 %), "));
  {
    Task inner("simulating", 400);
    inner.add_done(100);
    EXPECT_THAT(Activity::line(3),
                StartsWith("[#####...............] experiment 3/12, simulating 100/400 (25 %), "));
  }
  EXPECT_THAT(Activity::line(3), StartsWith("[###.................] experiment 2/12"));
}

TEST(Activity, ShowsStepsAndTimeWhileNothingIsDone) {
  const Activity activity(false);
  Task task("replicas", 1);
  EXPECT_EQ(task.text(5), "replicas 0/1 (0 %), 5 s");
  ToldSteps told;
  told.tell(999'999);
  EXPECT_EQ(task.text(5), "replicas 0/1 (0 %), 5 s");
  told.tell(1'000'000);
  told.tell(12'000'000);
  EXPECT_EQ(task.text(5), "replicas 0/1 (0 %), 12,000,000 steps, 5 s");
  EXPECT_EQ(Task("simulating", 2).text(5), "simulating 0/2 (0 %), 5 s") << "its own steps";
}

TEST(Activity, WithoutALengthIsACount) {
  const Activity activity(false);
  Task task("markings explored:", 0);
  task.set_done(12345, 0);
  EXPECT_EQ(Activity::line(7), "markings explored: 12,345, 7 s");
}

TEST(Activity, HidesTasksOfOtherThreadsAndWithinJobs) {
  const Activity activity(false);
  Task jobs("simulating", 4);
  std::thread([] {
    Task other("replicas", 9);
    EXPECT_THAT(Activity::line(3), MatchesRegex(".*simulating 0/4.*"));
  }).join();
  Task within("replicas", 9);
  EXPECT_THAT(Activity::line(3), MatchesRegex(".*simulating 0/4.*"));
}

}  // namespace
}  // namespace pnsim
