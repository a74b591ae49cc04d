#include "gpu/record.h"

#include <cstdlib>
#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/process.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libpnsim_recorder.so";

std::string last_part(const std::string& text) {
  constexpr std::size_t kMostBytes = 400;
  return text.size() <= kMostBytes ? text : "..." + text.substr(text.size() - kMostBytes);
}

}  // namespace

std::string find_recorder() {
  std::error_code ignored;
  if (const char* given = std::getenv("PNSIM_RECORDER")) {
    if (fs::is_regular_file(given, ignored)) return fs::absolute(given).string();
    fail_unavailable("PNSIM_RECORDER: " + std::string(given) + " is no file");
  }
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& place : {folder / kLibrary, folder / "../lib/pnsim" / kLibrary}) {
    if (fs::is_regular_file(place, ignored)) return fs::weakly_canonical(place, ignored).string();
  }
  fail_unavailable(std::string(kLibrary) + " was not found beside " + folder.string() +
                   "/experiment: build with the CUDA Toolkit and its CUPTI (./pnsim.sh demo), or "
                   "name the library in PNSIM_RECORDER");
}

std::vector<RecordedLaunch> record_launches(const std::vector<std::string>& target,
                                            const std::string& recorder, const std::string& file,
                                            double limit_s, RecordKind kind) {
  std::error_code none;
  fs::remove(file, none);  // of an earlier run
  // The program may change its directory.
  std::vector<std::string> command = {"/usr/bin/env", "-u", "PNSIM_RECORD_SERIAL",
                                      "CUDA_INJECTION64_PATH=" + recorder,
                                      "PNSIM_RECORD_FILE=" + fs::absolute(file).string()};
  if (kind == RecordKind::kSerial) command.push_back("PNSIM_RECORD_SERIAL=1");
  // env would take a path such as lr=0.1/program for a variable.
  if (target.front().find('=') != std::string::npos)
    command.insert(command.end(), {"/bin/sh", "-c", "exec \"$0\" \"$@\""});
  command.insert(command.end(), target.begin(), target.end());
  const ProcessResult result = run_process(command, {.limit_s = limit_s});
  if (result.exit_code != 0) {
    fail_unavailable(target.front() + " ended with exit code " + std::to_string(result.exit_code) +
                     ": " + last_part(result.output));
  }
  if (!fs::exists(file)) {
    fail_unavailable(target.front() +
                     " ended without using CUDA: nothing can be profiled. A script that starts "
                     "other programs must be replaced by the program itself");
  }
  std::vector<RecordedLaunch> launches = read_recorded_launches(read_file(file), file);
  if (launches.empty()) fail_unavailable(target.front() + " launched no kernel");
  return launches;
}

std::vector<RecordedLaunch> record_microbenchmark(const std::string& microbenchmark,
                                                  const std::string& recorder, RecordKind kind) {
  constexpr double kLimitSeconds = 60;
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "experiment";
  if (!fs::exists(program)) fail_unavailable("there is no " + program.string());
  const TemporaryFolder folder;
  return record_launches({program.string(), "microbench", "-q", "--out",
                          folder.path() + "/rows.jsonl", microbenchmark},
                         recorder, folder.path() + "/launches.jsonl", kLimitSeconds, kind);
}

double serial_offset_us(const std::string& recorder) {
  const std::vector<RecordedLaunch> serial = record_microbenchmark("kernel_time", recorder,
                                                                   RecordKind::kSerial),
                                    instrumented = record_microbenchmark("kernel_time", recorder);
  if (serial.size() != instrumented.size()) fail_unavailable("the recorder missed launches");
  std::vector<double> longer;
  for (std::size_t i = 0; i < serial.size(); ++i)
    longer.push_back(serial[i].time_us - instrumented[i].time_us);
  constexpr double kMostUs = 20;
  const double offset_us = median(std::move(longer));
  if (!(offset_us > 0 && offset_us < kMostUs)) {
    fail_unavailable("serial records of launches seem to be " + fixed(offset_us, 2) +
                     " us longer than instrumented ones, expected over 0 and below " +
                     fixed(kMostUs, 0));
  }
  return offset_us;
}

}  // namespace pnsim::gpu
