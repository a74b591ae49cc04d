// mutate_commands PNSIM EXPERIMENT [RUNS [FIRST]]: runs commands of both programs with mutated
// files and words, and checks how they end. Run number r is the same on every machine. Prints a
// table by command, and each finding with the folder that keeps its files. Ends with 1 for a
// finding.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "tests/fuzz/bounded_child.h"
#include "tests/fuzz/command_cases.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/target.h"

namespace pnsim::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 1'000'000'000;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

// One word removed, doubled, exchanged with another, or changed like a file.
void mutate_words(std::vector<std::string>& words, Random& random) {
  const std::size_t at = random.below(words.size());
  const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(5)) {
    case 0:
      words.erase(place);
      break;
    case 1:
      words.insert(place, std::string(*place));
      break;
    case 2:
      std::swap(words[at], words[random.below(words.size())]);
      break;
    default:
      words[at] = mutated(words[at], random);
      std::erase(words[at], '\0');  // no word of a command line has one
      // An absolute path would leave the folder.
      if (words[at].find('/') != std::string::npos) words[at] = "word";
  }
}

struct Run {
  const CommandCase* command = nullptr;
  std::vector<std::string> words;
  std::map<std::string, std::string> files;  // by name
};

Run make_run(std::uint64_t number, const std::vector<CommandCase>& cases,
             const std::map<std::string, std::string>& inputs) {
  Random random(number);
  Run run;
  run.command = &cases[number % cases.size()];
  run.words = words_of(run.command->words);
  for (const std::string& name : run.command->files) run.files[name] = inputs.at(name);
  const bool change_file = !run.files.empty() && random.below(4) != 0;
  if (change_file) {
    const std::string& name = run.command->files[random.below(run.command->files.size())];
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes)
      run.files[name] = mutated(run.files[name], random);
  }
  if (!change_file || random.below(8) == 0) mutate_words(run.words, random);
  return run;
}

// What is wrong with the end of a run; "" when nothing is.
std::string fault_of(const Run& run, const ChildResult& result, const fs::path& folder) {
  static const std::set<int> kCodes{0, 1, 2, 3, 4, 5, 74};
  if (result.hung) return "takes over a minute of processor time, or waits for ever";
  if (result.signal != 0) return "signal " + std::to_string(result.signal);
  if (!kCodes.contains(result.code)) return "exit code " + std::to_string(result.code);
  const bool says_nothing = result.code == 1
                                ? result.err.empty() && result.out.empty()
                                : result.err.find("error: ") == std::string::npos &&
                                      result.err.find("warning: ") == std::string::npos;
  if (result.code != 0 && says_nothing)
    return "exit code " + std::to_string(result.code) + " without an error or a warning";
  if (result.peak_bytes > kMostBytes)
    return "takes " + std::to_string(result.peak_bytes / 1'000'000) + " MB";
  for (const auto& [name, text] : run.files) {
    if (std::ranges::count(run.command->may_change, name) != 0) continue;
    if (text_of(folder / name) != text) return "its input " + name + " is changed";
  }
  return "";
}

struct Tally {
  std::uint64_t runs = 0, findings = 0, peak_bytes = 0;
  double seconds = 0;
  std::map<int, std::uint64_t> codes;
};

class Driver {
 public:
  Driver(std::string pnsim, std::string experiment)
      : programs_{{"pnsim", std::move(pnsim)}, {"experiment", std::move(experiment)}},
        folder_(fs::absolute("mutate_commands." + std::to_string(::getpid()))) {
    for (const InputFile& file : input_files()) inputs_[file.name] = file.text;
    for (const char* part : {"models", "results", "experiments/specs", "experiments/documents"}) {
      fs::create_directories((folder_ / "home" / part).parent_path());
      fs::copy(fs::path(PNSIM_TREE) / part, folder_ / "home" / part, fs::copy_options::recursive);
    }
    add_rows("all.jsonl", "");
    add_rows("even.jsonl", " --shard 0/2");
    add_rows("odd.jsonl", " --shard 1/2");
    home_ = home_state();
  }
  ~Driver() {
    if (findings_ == 0) fs::remove_all(folder_);
    for (const char* stream : {".out", ".err"}) fs::remove(folder_.string() + stream);
  }

  // The cases themselves must not fail; otherwise their mutations test little.
  void run_cases_unchanged() {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      Run run{&cases_[i], words_of(cases_[i].words), {}};
      for (const std::string& name : cases_[i].files) run.files[name] = inputs_.at(name);
      execute(run, "case" + std::to_string(i), true);
    }
  }
  void run(std::uint64_t number) {
    execute(make_run(number, cases_, inputs_), "run" + std::to_string(number), false);
  }

  void print_table() const {
    std::printf("%-24s %7s %8s %8s %8s  %s\n", "command", "runs", "findings", "peak MB",
                "longest s", "exit codes (runs)");
    for (const auto& [command, tally] : tallies_) {
      std::printf("%-24s %7llu %8llu %8llu %8.2f  ", command.c_str(),
                  static_cast<unsigned long long>(tally.runs),
                  static_cast<unsigned long long>(tally.findings),
                  static_cast<unsigned long long>(tally.peak_bytes / 1'000'000), tally.seconds);
      for (const auto& [code, runs] : tally.codes)
        std::printf("%d (%llu) ", code, static_cast<unsigned long long>(runs));
      std::printf("\n");
    }
  }
  std::uint64_t findings() const { return findings_; }

 private:
  void add_rows(const std::string& name, const std::string& shard) {
    std::vector<std::string> argv{programs_.at("pnsim")};
    for (const std::string& word : words_of(sweep_of_rows() + shard)) argv.push_back(word);
    inputs_[name] = run_bounded(argv, folder_.string(), (folder_ / "home").string()).out;
  }

  void execute(const Run& run, const std::string& label, bool must_work) {
    const fs::path folder = folder_ / label;
    fs::create_directories(folder);
    for (const auto& [name, text] : run.files) write(folder / name, text);
    std::vector<std::string> argv{programs_.at(run.command->program)};
    argv.insert(argv.end(), run.words.begin(), run.words.end());
    const ChildResult result = run_bounded(argv, folder.string(), (folder_ / "home").string());
    std::string fault = fault_of(run, result, folder);
    if (fault.empty() && must_work && result.code > 1) fault = "exit code of the unchanged case";
    if (fault.empty() && home_state() != home_) fault = "a shipped or recorded file is changed";
    Tally& tally = tallies_[run.command->command()];
    ++tally.runs;
    ++tally.codes[result.code];
    tally.peak_bytes = std::max(tally.peak_bytes, result.peak_bytes);
    tally.seconds = std::max(tally.seconds, result.seconds);
    if (fault.empty()) {
      fs::remove_all(folder);
      fs::remove(folder.string() + ".out");
      fs::remove(folder.string() + ".err");
      return;
    }
    ++tally.findings;
    tell(label, run, result, fault, folder);
  }

  // Size and time of every file of the data folder.
  std::map<std::string, std::pair<long long, long long>> home_state() const {
    std::map<std::string, std::pair<long long, long long>> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "home")) {
      struct stat status {};
      ::stat(entry.path().c_str(), &status);
      out[entry.path().string()] = {status.st_size, status.st_mtim.tv_nsec};
    }
    return out;
  }

  void tell(const std::string& label, const Run& run, const ChildResult& result,
            const std::string& fault, const fs::path& folder) {
    ++findings_;
    std::printf("finding in %s: %s\n  %s", label.c_str(), fault.c_str(),
                run.command->program.c_str());
    for (const std::string& word : run.words) std::printf(" '%s'", word.c_str());
    std::printf("\n  in %s\n  stderr: %s\n", folder.c_str(), result.err.substr(0, 500).c_str());
    std::fflush(stdout);
  }

  std::map<std::string, std::string> programs_;
  fs::path folder_;
  std::map<std::string, std::string> inputs_;
  std::vector<CommandCase> cases_ = command_cases();
  std::map<std::string, std::pair<long long, long long>> home_;
  std::map<std::string, Tally> tallies_;
  std::uint64_t findings_ = 0;
};

}  // namespace
}  // namespace pnsim::fuzz

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: mutate_commands PNSIM EXPERIMENT [RUNS [FIRST]]\n", stderr);
    return 2;
  }
  const std::uint64_t runs = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1000;
  const std::uint64_t first = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 0;
  pnsim::fuzz::Driver driver(std::filesystem::absolute(argv[1]).string(),
                             std::filesystem::absolute(argv[2]).string());
  driver.run_cases_unchanged();
  for (std::uint64_t number = first; number < first + runs; ++number) driver.run(number);
  driver.print_table();
  return driver.findings() == 0 ? 0 : 1;
}
