// Tests `experiment profile` with a shell script in the role of the program and another in that of
// the profiler. The pages are real ones; the rows of the program are those of the page's launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "simulator/base/csv.h"
#include "tests/base/temp_folder.h"
#include "tests/cli/child.h"
#include "tests/cli/program.h"
#include "tests/cli/running.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

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
    text += "{\"kernel\":\"" + cell(row, "Kernel Name") + "\",\"symbol\":\"" +
            cell(row, "Kernel Name") + "\",\"grid\":" + json_extent(cell(row, "Grid Size")) +
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

  ProgramResult profile(const std::string& arguments) { return profile_into("/out", arguments); }

  ProgramResult profile_into(const std::string& out, const std::string& arguments) {
    setenv("PNSIM_RECORDER", (folder_ + "/recorder.so").c_str(), 1);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (folder_ + ":" + path).c_str(), 1);
    ProgramResult result = run_program("profile -o " + folder_ + out + " " + arguments);
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
  EXPECT_THAT(file_text(folder_ + "/calls"), HasSubstr("--kernel-id ::regex:^("));
  EXPECT_THAT(file_text(folder_ + "/calls"), HasSubstr("--filter-mode per-launch-config"));
  EXPECT_THAT(file_text(folder_ + "/calls"), HasSubstr("/program --flag"));
  const auto raw = parse_csv(file_text(folder_ + "/out/raw.csv"), "raw"),
             printed = parse_csv(file_text(kOwnRaw), "printed");
  ASSERT_EQ(raw.size(), printed.size());
  for (std::size_t row = 0; row < raw.size(); ++row) {
    EXPECT_EQ(raw[row].back(), row == 0 ? "pnsim__stands_for" : row == 1 ? "" : "1");
    EXPECT_EQ(std::vector<std::string>(raw[row].begin(), raw[row].end() - 1), printed[row]);
  }
  const auto in_place = parse_csv(file_text(folder_ + "/out/raw_in_place.csv"), "in place");
  EXPECT_EQ(in_place[0].back(), "pnsim__other_kernels_before");
  EXPECT_EQ(in_place[2].back(), "") << "the first launch of a kernel";
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/out/in_place.csv"));
  const std::string out = folder_ + "/out/";
  const ProgramResult judged =
      run_program("validate -q --device h200 --pages " + out + "raw.csv --source " + out +
                  "source.csv --times " + out + "times.csv --out " + folder_ + "/judged");
  EXPECT_EQ(judged.code, 0) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("vector_add"));
  EXPECT_THAT(judged.out, HasSubstr("5 points represent 5 launches, which took "));
}

// Where no GPU measures what serial records add, the times are of instrumented kernels, and say so.
TEST_F(ProfiledProgram, ItsTimesSayThatTheyAreOfInstrumentedKernels) {
  const ProgramResult result = profile(program());
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the times hold what the recorder adds to each block"));
  const auto times = parse_csv(file_text(folder_ + "/out/times.csv"), "times");
  ASSERT_EQ(times[0].size(), 10u);
  EXPECT_EQ(times[0][7], "instrumented");
  EXPECT_EQ(times[1][7], "1");
  EXPECT_EQ(times[0][8], "stands_for");
  EXPECT_EQ(times[1][8], "1");
  EXPECT_EQ(times[0][9], "stands_for_us");
  EXPECT_EQ(times[1][9], times[1][4]);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/out/serial-1.jsonl"));
}

TEST_F(ProfiledProgram, MayHaveAnEqualsSignInItsPath) {
  std::filesystem::create_directories(folder_ + "/lr=0.1");
  std::filesystem::rename(folder_ + "/program", folder_ + "/lr=0.1/program");
  const ProgramResult result = profile("-- " + folder_ + "/lr=0.1/program /bin/false");
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(ProfiledProgram, MayBeProfiledAgainAfterItFailed) {
  const std::string program_text = file_text(folder_ + "/program");
  ASSERT_EQ(profile(program()).code, 0);
  write_script(folder_ + "/program", "exit 9\n");
  EXPECT_EQ(profile(program()).code, 4);
  write_text(folder_ + "/program", program_text);
  const ProgramResult again = profile(program());
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(ProfiledProgram, ReplacesNoRowsOfTheUser) {
  for (const std::string name : {"launches-1.jsonl", "launches-2.jsonl", "serial-1.jsonl"}) {
    std::filesystem::remove_all(folder_ + "/out");
    std::filesystem::create_directories(folder_ + "/out");
    write_text(folder_ + "/out/" + name, "of the user");
    EXPECT_EQ(profile(program()).code, 2) << name;
    EXPECT_EQ(file_text(folder_ + "/out/" + name), "of the user");
  }
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

// Another program with the same folder: neither the rows nor the report of the first one count.
TEST_F(ProfiledProgram, FilesOfAnEarlierRunAreNotTakenForItsOwn) {
  ASSERT_EQ(profile(program()).code, 0);
  ASSERT_TRUE(std::filesystem::exists(folder_ + "/out/times.csv"));
  write_script(folder_ + "/ncu", "exit 3\n");
  EXPECT_EQ(profile(program()).code, 4);
  for (const char* file : {"raw.csv", "source.csv", "times.csv", "raw_in_place.csv"})
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/out/" + file)) << file;
  write_script(folder_ + "/program", "true\n");
  EXPECT_THAT(profile(program()).err, HasSubstr("ended without using CUDA"));
}

TEST_F(ProfiledProgram, MayChangeItsDirectory) {
  write_script(folder_ + "/program",
               "cd /; cp " + folder_ + "/rows.jsonl \"$PNSIM_RECORD_FILE\"\n");
  const std::string relative = std::filesystem::relative(folder_ + "/out").string();
  setenv("PNSIM_RECORDER", (folder_ + "/recorder.so").c_str(), 1);
  const test::Environment path("PATH", folder_ + ":" + std::getenv("PATH"));
  const ProgramResult result = run_program("profile -o " + relative + " " + program());
  unsetenv("PNSIM_RECORDER");
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(ProfiledProgram, ThatHangsIsEndedAfterTheTimeLimit) {
  write_script(folder_ + "/program", "echo $$ > " + folder_ + "/pid; exec sleep 1000\n");
  const ProgramResult program_hangs = profile("--time-limit 0.3 " + program());
  EXPECT_EQ(program_hangs.code, 5) << program_hangs.err;
  EXPECT_THAT(program_hangs.err, HasSubstr("ran longer than the limit of 0.300 s and was ended"));
  EXPECT_FALSE(is_running(std::stoi(file_text(folder_ + "/pid"))));
  SetUp();
  write_script(folder_ + "/ncu", "exec sleep 1000\n");
  EXPECT_EQ(profile("--time-limit 1 " + program()).code, 5) << "the profiler hangs";
  EXPECT_EQ(profile("--time-limit 0 " + program()).code, 2);
}

TEST_F(ProfiledProgram, OutputsReplaceNoOtherFiles) {
  ASSERT_EQ(profile(program()).code, 0);
  EXPECT_EQ(profile(program()).code, 0) << "its own files are replaced";
  for (const std::string name : {"raw.csv", "source.csv", "times.csv"}) {
    std::filesystem::remove_all(folder_ + "/out");
    std::filesystem::create_directories(folder_ + "/out");
    write_text(folder_ + "/out/" + name, "of the user");
    const ProgramResult result = profile(program());
    EXPECT_EQ(result.code, 2) << name << result.err;
    EXPECT_THAT(result.err,
                HasSubstr(name + " exists and is not of an earlier experiment profile"));
    EXPECT_EQ(file_text(folder_ + "/out/" + name), "of the user");
  }
}

TEST_F(ProfiledProgram, IsNotOverwrittenItself) {
  std::filesystem::create_directories(folder_ + "/out");
  for (const std::string name : {"launches-1.jsonl", "program.ncu-rep", "raw.csv"}) {
    std::filesystem::remove_all(folder_ + "/out");
    std::filesystem::create_directories(folder_ + "/out");
    const std::string path = folder_ + "/out/" + name;
    std::filesystem::copy_file(folder_ + "/program", path);
    const ProgramResult result = profile("-- " + path);
    EXPECT_EQ(result.code, 2) << name << result.err;
    EXPECT_EQ(file_text(path), file_text(folder_ + "/program")) << name;
  }
}

TEST_F(ProfiledProgram, TheDataFolderIsNoFolderForResults) {
  std::filesystem::create_directories(folder_ + "/home/models/nets");
  setenv("PNSIM_HOME", (folder_ + "/home").c_str(), 1);
  for (const std::string out : {"/home", "/home/models", "/home/../home/models/nets"}) {
    const ProgramResult result = profile_into(out, program());
    EXPECT_EQ(result.code, 2) << out << result.err;
    EXPECT_THAT(result.err, HasSubstr(out == "/home" ? "data folder" : "among the shipped files"));
  }
  unsetenv("PNSIM_HOME");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/home/raw.csv"));
}

// What ncu prints for the pages; the fake one has no other use.
void print_pages(const std::string& folder, const std::string& raw, const std::string& source) {
  write_script(folder + "/ncu", "case \"$*\" in *'--page raw'*) cat " + raw +
                                    ";; *'--page source'*) cat " + source + ";; esac\n");
}

TEST_F(ProfiledProgram, LaunchesThatThePageLacksAreCounted) {
  std::istringstream lines(file_text(kOwnRaw));
  std::string fewer;
  int count = 0;
  for (std::string line; count < 4 && std::getline(lines, line); ++count) fewer += line + "\n";
  write_text(folder_ + "/fewer.csv", fewer);
  print_pages(folder_, folder_ + "/fewer.csv", kOwnSource);
  const ProgramResult result = profile(program());
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("profiled 2 of the 5 launches that were chosen"));
}

TEST_F(ProfiledProgram, OtherPagesThanTheExpectedOnesAreExplained) {
  print_pages(folder_, kOwnRaw, kOwnRaw);
  const ProgramResult twice = profile(program());
  EXPECT_EQ(twice.code, 3) << twice.err;
  EXPECT_THAT(twice.err, HasSubstr("source.csv"));
  EXPECT_THAT(twice.err, HasSubstr("this is a raw page"));
  write_text(folder_ + "/none", "==PROF== Connected\n==WARNING== No kernels were profiled.\n");
  print_pages(folder_, folder_ + "/none", kOwnSource);
  const ProgramResult none = profile(program());
  EXPECT_EQ(none.code, 4) << none.err;
  EXPECT_THAT(none.err, HasSubstr("the profiler saw no kernel"));
  write_text(folder_ + "/header",
             "\"ID\",\"Kernel Name\",\"Grid Size\",\"Block Size\"\n\"\",\"\",\"\",\"\"\n");
  print_pages(folder_, folder_ + "/header", kOwnSource);
  EXPECT_THAT(profile(program()).err, HasSubstr("found no launch"));
}

TEST_F(ProfiledProgram, MessagesAfterThePagesDoNoHarm) {
  for (const auto& [name, page] : {std::pair{"/r", kOwnRaw}, std::pair{"/s", kOwnSource}}) {
    write_text(folder_ + name, "==PROF== Connected to process 7\n" + file_text(page) +
                                   "==PROF== Disconnected from process 7\n");
  }
  print_pages(folder_, folder_ + "/r", folder_ + "/s");
  const ProgramResult result = profile(program());
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string out = folder_ + "/out/";
  EXPECT_EQ(run_program("validate -q --device h200 --pages " + out + "raw.csv --source " + out +
                        "source.csv --times " + out + "times.csv --out " + folder_ + "/judged")
                .code,
            0);
}

TEST_F(ProfiledProgram, ASignalEndsItAndTheProfiler) {
  const std::string sleeper = "sleep 1000 & echo $! > " + folder_ + "/pid.part; mv " + folder_ +
                              "/pid.part " + folder_ + "/pid; wait\n";
  for (const std::string who : {"/program", "/ncu"}) {
    write_script(folder_ + who, sleeper);
    std::filesystem::remove(folder_ + "/pid");
    for (const int signal : {SIGINT, SIGTERM}) {
      std::filesystem::remove(folder_ + "/pid");
      const test::Environment recorder("PNSIM_RECORDER", folder_ + "/recorder.so");
      const test::Environment path("PATH", folder_ + ":" + std::getenv("PATH"));
      Child child({"profile", "-o", folder_ + "/out", "--", folder_ + "/program"},
                  folder_ + "/log");
      ASSERT_TRUE(wait_for_bytes(folder_ + "/pid", 2));
      child.send(signal);
      EXPECT_EQ(child.wait(), 128 + signal) << file_text(folder_ + "/log");
      EXPECT_FALSE(is_running(std::stoi(file_text(folder_ + "/pid")))) << who;
    }
    write_script(folder_ + "/program", "cp " + folder_ + "/rows.jsonl \"$PNSIM_RECORD_FILE\"\n");
  }
}

TEST_F(ProfiledProgram, NeedsTheRecorder) {
  std::filesystem::remove(folder_ + "/recorder.so");
  const ProgramResult result = profile(program());
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.err, HasSubstr("PNSIM_RECORDER: "));
}

}  // namespace
}  // namespace pnsim::experiments
