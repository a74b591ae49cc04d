#include "experiments/measure/device_profiling.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "experiments/measure/l2_structure.h"
#include "experiments/measure/micro_facts.h"
#include "experiments/measure/micro_rounds.h"
#include "experiments/spec/device_file.h"
#include "gpu/live.h"
#include "simulator/base/error.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/process.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"
#include "simulator/model/device/device_facts.h"

namespace pnsim::experiments {
namespace {

constexpr std::size_t kRounds = 3, kMostRounds = 5;
constexpr std::size_t kMostSaid = 8;  // sentences of an error

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::string lines_of(const std::vector<std::string>& sentences) {
  std::string text;
  for (std::size_t i = 0; i < std::min(sentences.size(), kMostSaid); ++i)
    text += "\n  " + sentences[i];
  if (sentences.size() > kMostSaid)
    text += "\n  and " + std::to_string(sentences.size() - kMostSaid) + " more.";
  return text;
}

// The facts that predictions need and the profile lacks. L2's slices are counted or estimated last.
std::vector<std::string> unknown_facts(const DeviceProfile& profile) {
  std::vector<std::string> out = needed_facts();
  std::erase_if(out, [&](const std::string& key) {
    return key == "l2_slices" || profile.facts.contains(key);
  });
  return out;
}

// Runs this program in a process of its own; its data goes to `folder`/out.txt.
void run_self(const std::vector<std::string>& arguments, const std::string& folder) {
  std::vector<std::string> command{this_program(), "-q"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ProcessResult result = run_process(command, {.stdout_path = folder + "/out.txt"});
  if (result.exit_code == 0) return;
  fail_unavailable("`experiment " + arguments.front() + "` ended with exit code " +
                   std::to_string(result.exit_code) + ": " + result.output);
}

std::vector<InputJson> run_round(const std::string& folder, std::size_t round) {
  const std::string file = folder + "/round" + std::to_string(round) + ".jsonl";
  std::vector<std::string> arguments{"microbench"};
  for (const std::string& bench : benches_of_facts()) arguments.push_back(bench);
  arguments.insert(arguments.end(), {"--out", file});
  run_self(arguments, folder);
  return load_rows(file);
}

void set_slices(const std::string& folder, DeviceProfile& profile, const Tell& tell) {
  try {
    // The first launch of latency_l2 writes 8192 lines, so every slice gets sectors.
    count_l2_slices(
        {this_program(), "-q", "microbench", "latency_l2", "--out", folder + "/slices.jsonl"},
        folder, profile);
  } catch (const Error& error) {
    tell(std::string("l2_slices is estimated, because it was not counted: ") + error.what());
    estimate_l2_slices(error.what(), profile);
  }
}

class Stopwatch {
 public:
  std::string text() const {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
    return fixed(took.count(), 1) + " s";
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

ProfiledGpu profile_of_rounds(DeviceProfile of_driver,
                              const std::vector<std::vector<InputJson>>& rounds) {
  JudgedRounds judged = judge_rounds(rounds, of_driver.positive("clock_mhz"));
  ProfiledGpu out{std::move(of_driver), std::move(judged.rows), rounds.size(), {}};
  set_measured_facts(out.rows, out.profile);
  const std::vector<std::string> unknown = unknown_facts(out.profile);
  std::vector<std::string> said = judged.rejected;
  said.insert(said.end(), judged.disputed.begin(), judged.disputed.end());
  if (!unknown.empty()) {
    std::string names;
    for (std::size_t i = 0; i < std::min(unknown.size(), kMostSaid); ++i)
      names += (i == 0 ? "" : ", ") + unknown[i];
    if (unknown.size() > kMostSaid)
      names += " and " + std::to_string(unknown.size() - kMostSaid) + " more";
    fail_unavailable("the profile of " + out.profile.title + " lacks " +
                     std::to_string(unknown.size()) + " facts after " +
                     std::to_string(rounds.size()) + " rounds of microbenchmarks: " + names + "." +
                     lines_of(said) +
                     "\nStop other work on the GPU, let it cool down, reset locked clocks "
                     "(nvidia-smi -rgc), then run `experiment device` again.");
  }
  out.unused = std::move(said);
  return out;
}

DeviceProfile driver_profile(const std::string& name) {
  if (const auto reason = gpu::unavailable_reason()) fail_unavailable(*reason);
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/devices.json";
  run_self({"devices", "--json=" + file}, folder.path());
  const InputJson json = load_json(file);
  DeviceProfile profile = profile_of_facts(JsonReader(json, file).at("device"));
  if (!name.empty()) profile.name = name;
  return profile;
}

ProfiledGpu profile_gpu(const DeviceProfile& of_driver, const std::string& command,
                        const Tell& tell) {
  const TemporaryFolder folder;
  std::vector<std::vector<InputJson>> rounds;
  while (rounds.size() < kMostRounds) {
    const Stopwatch watch;
    rounds.push_back(run_round(folder.path(), rounds.size() + 1));
    tell("round " + std::to_string(rounds.size()) + " of microbenchmarks: " +
         std::to_string(rounds.back().size()) + " numbers in " + watch.text());
    if (rounds.size() < kRounds) continue;
    DeviceProfile trial = of_driver;
    set_measured_facts(judge_rounds(rounds, of_driver.positive("clock_mhz")).rows, trial);
    if (unknown_facts(trial).empty()) break;
  }
  ProfiledGpu out = profile_of_rounds(of_driver, rounds);
  for (InputJson& row : out.rows) row["command"] = command;
  set_slices(folder.path(), out.profile, tell);
  return out;
}

}  // namespace pnsim::experiments
