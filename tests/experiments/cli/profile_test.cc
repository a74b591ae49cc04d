// Tests `experiment profile` with a shell script in the role of the program and another in that of
// the profiler. The pages are real ones; the rows of the program are those of the page's launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "simulator/base/csv.h"
#include "tests/cli/program.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

void write_script(const std::string& path, const std::string& body) {
  write_text(path, "#!/bin/sh\n" + body);
  chmod(path.c_str(), 0755);
}

// "(4, 1, 1)" as "[4,1,1]".
std::string json_extent(std::string cell) {
  cell.front() = '[';
  cell.back() = ']';
  return cell;
}

// What the recorder would write for the launches of the page. Different sizes of shared memory make
// each launch a kind of its own, so that all are profiled.
std::string recorded_rows_of(const std::string& raw_page, int time_ns) {
  const auto rows = parse_csv(file_text(raw_page), raw_page);
  const auto cell = [&](std::size_t row, const std::string& name) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin();
    return rows[row][static_cast<std::size_t>(at)];
  };
  std::string text;
  for (std::size_t row = 2; row < rows.size(); ++row) {
    text += "{\"kernel\":\"" + cell(row, "Kernel Name") +
            "\",\"grid\":" + json_extent(cell(row, "Grid Size")) +
            ",\"block\":" + json_extent(cell(row, "Block Size")) +
            ",\"shared_bytes\":" + std::to_string(row) + ",\"time_ns\":" + std::to_string(time_ns) +
            "}\n";
  }
  return text + "{\"launches\":" + std::to_string(rows.size() - 2) + ",\"dropped_records\":0}\n";
}

// A folder with the program, the profiler on PATH, and a file in the role of the recorder.
class ProfiledProgram : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch_folder();
    write_text(folder_ + "/recorder.so", "");
    write_text(folder_ + "/rows.jsonl", recorded_rows_of(kOwnRaw, 2000));
    write_script(folder_ + "/program", "cp " + folder_ + "/rows.jsonl \"$PNSIM_RECORD_FILE\"\n");
    write_script(folder_ + "/ncu", "echo \"$@\" >> " + folder_ +
                                       "/calls\n"
                                       "case \"$*\" in *'--page raw'*) cat " +
                                       kOwnRaw + ";; *'--page source'*) cat " + kOwnSource +
                                       ";; esac\n");
  }

  ProgramResult profile(const std::string& arguments) {
    setenv("PNSIM_RECORDER", (folder_ + "/recorder.so").c_str(), 1);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (folder_ + ":" + path).c_str(), 1);
    ProgramResult result = run_program("profile -o " + folder_ + "/out " + arguments);
    setenv("PATH", path.c_str(), 1);
    unsetenv("PNSIM_RECORDER");
    return result;
  }

  std::string program() const { return "-- " + folder_ + "/program --flag"; }

  std::string folder_;
};

TEST_F(ProfiledProgram, GivesPagesAndTimesThatValidateReads) {
  const ProgramResult result = profile(program());
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("profiled 5 of 5 launches"));
  EXPECT_THAT(result.out, HasSubstr("which take 100.0 % of the kernel time"));
  EXPECT_THAT(file_text(folder_ + "/calls"), HasSubstr("--kernel-id :::^("));
  EXPECT_THAT(file_text(folder_ + "/calls"), HasSubstr("/program --flag"));
  EXPECT_EQ(file_text(folder_ + "/out/raw.csv"), file_text(kOwnRaw));
  const std::string out = folder_ + "/out/";
  const ProgramResult judged =
      run_program("validate -q --device h200 --pages " + out + "raw.csv --source " + out +
                  "source.csv --times " + out + "times.csv --out " + folder_ + "/judged");
  EXPECT_EQ(judged.code, 0) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("vector_add"));
}

TEST_F(ProfiledProgram, IsRefusedWhenItsRunsDiffer) {
  write_script(folder_ + "/program", "n=$(cat " + folder_ + "/n 2>/dev/null); echo \"x$n\" > " +
                                         folder_ +
                                         "/n\n"
                                         "sed \"s/\\[/[1$(printf %s \"$n\" | wc -c)/\" " +
                                         folder_ + "/rows.jsonl > \"$PNSIM_RECORD_FILE\"\n");
  const ProgramResult result = profile(program());
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the program's work differs by run"));
}

TEST_F(ProfiledProgram, IsNamedWhenItFails) {
  write_script(folder_ + "/program", "echo no such device >&2; exit 9\n");
  const ProgramResult failed = profile(program());
  EXPECT_EQ(failed.code, 4);
  EXPECT_THAT(failed.err, HasSubstr("/program ended with exit code 9: no such device"));
  write_script(folder_ + "/program", "true\n");
  EXPECT_THAT(profile(program()).err, HasSubstr("ended without using CUDA"));
  EXPECT_EQ(profile("").code, 2);
  EXPECT_THAT(profile("").err, HasSubstr("experiment profile -- ./program"));
  EXPECT_THAT(profile("-- no_such_program_here").err, HasSubstr("is not on PATH"));
  EXPECT_THAT(profile("-- ./no_such_program").err, HasSubstr("no such program"));
  EXPECT_EQ(profile("--most 0 " + program()).code, 2);
}

TEST_F(ProfiledProgram, NeedsTheRecorder) {
  std::filesystem::remove(folder_ + "/recorder.so");
  const ProgramResult result = profile(program());
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("PNSIM_RECORDER: "));
}

}  // namespace
}  // namespace pnsim::experiments
