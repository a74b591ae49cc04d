// Tests which times count, with a shell script in the role of the recorded program. The offset that
// a GPU would tell is given.
#include "experiments/measure/timed_launches.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/base/temp_folder.h"

namespace pnsim::experiments {
namespace {

constexpr double kOffsetUs = 1.3;

// The command of a shell that writes the rows of the recorder: two launches, of 2 us and of `ns`.
std::string rows(const std::string& ns, const std::string& block = "128") {
  const std::string before = R"x({"kernel":"f(int)","symbol":"_Z1fi","grid":[9,1,1],"block":[)x" +
                             block + R"(,1,1],"shared_bytes":0,"time_ns":)";
  return "printf '%s\n' '" + before + "2000}' '" + before + ns +
         R"(}' '{"launches":2,"dropped_records":0}' > "$PNSIM_RECORD_FILE")";
}

class TimedProgram : public testing::Test {
 protected:
  // `serial` is run with serial records, `other` without.
  TimedLaunches times(const std::string& serial, const std::string& other, int runs = 1,
                      std::optional<double> offset_us = kOffsetUs) {
    const std::string program =
        folder_.write("program", "#!/bin/sh\nif [ -n \"${PNSIM_RECORD_SERIAL+set}\" ]; then\n" +
                                     serial + "\nelse\n" + other + "\nfi\n");
    chmod(program.c_str(), 0755);
    runs_ = {{program}, folder_.write("recorder.so", ""), folder_.path(), runs, 0};
    return timed_launches(runs_, offset_us);
  }

  const test::TempFolder folder_;
  TimedRuns runs_;
};

TEST_F(TimedProgram, HasSerialTimesWhereTheyAreShorter) {
  const TimedLaunches timed = times(rows("32300"), rows("40000"), 2);
  EXPECT_FALSE(timed.are_instrumented);
  ASSERT_EQ(timed.agreed.launches.size(), 2u);
  EXPECT_DOUBLE_EQ(timed.agreed.launches[0].time_us, 0.7) << "2 us less the offset";
  EXPECT_DOUBLE_EQ(timed.agreed.launches[1].time_us, 31);
  for (const std::string& file : files_of_runs(runs_)) EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_DOUBLE_EQ(times(rows("32300"), rows("30000")).agreed.launches[1].time_us, 30);
}

TEST_F(TimedProgram, HasInstrumentedTimesWhereSerialRunsFail) {
  for (const std::string& serial :
       {std::string("exit 9"), std::string("exit 0"), rows("1000", "64"),
        std::string(R"(echo '{"launches":0,"dropped_records":0}' > "$PNSIM_RECORD_FILE")")}) {
    const TimedLaunches timed = times(serial, rows("40000"));
    EXPECT_TRUE(timed.are_instrumented) << serial;
    ASSERT_EQ(timed.agreed.launches.size(), 2u) << serial;
    EXPECT_DOUBLE_EQ(timed.agreed.launches[1].time_us, 40) << serial;
  }
}

TEST_F(TimedProgram, HasInstrumentedTimesWithoutAnOffset) {
  const TimedLaunches timed = times("exit 9", rows("40000"), 1, std::nullopt);
  EXPECT_TRUE(timed.are_instrumented);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("serial-1.jsonl")));
}

TEST_F(TimedProgram, DoesNotInheritTheVariableOfSerialRecords) {
  const test::Environment variable("PNSIM_RECORD_SERIAL", "");
  EXPECT_DOUBLE_EQ(times("exit 9", rows("40000"), 1, std::nullopt).agreed.launches[1].time_us, 40);
}

}  // namespace
}  // namespace pnsim::experiments
