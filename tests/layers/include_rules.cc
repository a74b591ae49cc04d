#include "tests/layers/include_rules.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace pnsim::test {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cc" || extension == ".cu" || extension == ".cuh";
}

std::vector<std::string> files_below(const fs::path& root,
                                     const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file() && is_source(entry.path())) {
        files.push_back(fs::relative(entry.path(), root).generic_string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/')); }

// The room of a file; nullptr when it lies in none.
const Room* room_of(const std::string& file) {
  const Room* best = nullptr;
  for (const Room& room : rooms()) {
    if (!file.starts_with(room.folder + "/")) continue;
    if (!best || room.folder.size() > best->folder.size()) best = &room;
  }
  return best;
}

// What is wrong with one line of a file; "" when nothing is.
std::string fault_of_line(const std::string& line, const std::string& file) {
  const std::string header = included_header(line);
  if (header.empty()) return "";
  const Room* room = room_of(file);
  if (!room) return "lies in no room that may include anything";
  const std::vector<std::string>& allowed = room->may_include;
  if (std::find(allowed.begin(), allowed.end(), folder_of(header)) != allowed.end()) return "";
  return "includes " + header + ", which " + room->folder + " may not";
}

// One row a room: the rooms whose headers it may include besides its own. Names are relative to
// simulator, but for gpu, experiments and web; NAME/* are all rooms of the table below NAME.
struct Row {
  const char* room;
  const char* may_include;
};

constexpr Row kTable[] = {
    {"base", ""},
    {"net", "base"},
    {"engine", "engine/cuda engine/simd net base"},
    // A net template, a kernel model and a device become a net.
    {"model/template", "net base"},
    {"model/device", "net base"},
    {"model/launch", "model/template model/device net base"},
    {"model/sass", "model/launch net base"},
    {"model/derive", "model/launch model/sass net base"},
    {"model/memory", "model/device model/launch net base"},
    {"model/cost", "model/device model/launch model/memory net base"},
    {"model/sm", "model/template model/device model/launch model/memory model/cost net base"},
    {"model/paper", "model/template model/launch net base"},
    // Nets are run and examined.
    {"analysis/exact", "engine model/* net base"},
    {"analysis/runs", "engine model/* net base"},
    {"analysis/pictures", "engine model/* net base"},
    {"analysis/check", "engine model/* net base"},
    {"analysis/baselines", "engine model/* net base"},
    {"analysis/predict", "analysis/runs analysis/baselines engine model/* net base"},
    {"analysis/sweep", "analysis/runs analysis/predict engine model/* net base"},
    {"analysis/questions", "analysis/runs analysis/predict analysis/sweep engine model/* net base"},
    {"help", "base"},
    {"cli", "help analysis/* engine model/* net base"},
    // The host's headers of gpu know nothing of the device's code.
    {"gpu", "base"},
    {"gpu/ptx", "base"},
    {"gpu/kernels", "gpu gpu/ptx base"},
    {"gpu/live", "gpu gpu/kernels base"},
    {"gpu/microbench", "gpu gpu/live gpu/ptx base"},
    // Simulator and GPU meet; simulator/cli is no library.
    {"experiments/spec", "gpu help analysis/* engine model/* net base"},
    {"experiments/measure", "experiments/spec gpu help analysis/* engine model/* net base"},
    {"experiments/run",
     "experiments/spec experiments/measure gpu help analysis/* engine model/* net base"},
    {"experiments/report",
     "experiments/spec experiments/run gpu help analysis/* engine model/* net base"},
    {"experiments/validate",
     "experiments/spec experiments/run experiments/report gpu help analysis/* engine model/* net "
     "base"},
    {"experiments/tables", "experiments/spec gpu help analysis/* engine model/* net base"},
    // The page runs the command itself.
    {"web/engine", "cli help analysis/* engine model/* net base"},
    {"experiments/cli", "experiments/* gpu help analysis/* engine model/* net base"},
};

std::string folder_named(const std::string& name) {
  const bool is_top =
      name.starts_with("gpu") || name.starts_with("experiments") || name.starts_with("web");
  return is_top ? name : "simulator/" + name;
}

// The folders that a word of the second column stands for.
std::vector<std::string> folders_named(const std::string& word) {
  if (!word.ends_with("/*")) return {folder_named(word)};
  const std::string prefix = word.substr(0, word.size() - 1);
  std::vector<std::string> folders;
  for (const Row& row : kTable) {
    if (std::string_view(row.room).starts_with(prefix)) folders.push_back(folder_named(row.room));
  }
  return folders;
}

Room room_in(const Row& row) {
  Room room{folder_named(row.room), {folder_named(row.room)}};
  std::istringstream words(row.may_include);
  for (std::string word; words >> word;) {
    for (std::string& folder : folders_named(word)) room.may_include.push_back(std::move(folder));
  }
  return room;
}

}  // namespace

std::string included_header(const std::string& line) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*"([^"]+)\")");
  if (line.find("include") == std::string::npos) return "";  // most lines; a regex is slow
  std::smatch match;
  return std::regex_search(line, match, kInclude) ? match[1].str() : "";
}

const std::vector<Room>& rooms() {
  static const std::vector<Room> kRooms = [] {
    std::vector<Room> rooms;
    for (const Row& row : kTable) rooms.push_back(room_in(row));
    return rooms;
  }();
  return kRooms;
}

std::vector<std::string> source_files(const fs::path& root) {
  return files_below(root, {"simulator", "gpu", "experiments", "web"});
}

std::vector<std::string> test_files(const fs::path& root) { return files_below(root, {"tests"}); }

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> include_faults(const fs::path& root) {
  std::vector<std::string> faults;
  for (const std::string& file : source_files(root)) {
    std::ifstream in(root / file);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::string fault = fault_of_line(line, file);
      if (!fault.empty()) faults.push_back(file + ":" + std::to_string(number) + ": " + fault);
    }
  }
  return faults;
}

std::vector<std::string> long_files(const fs::path& root, std::size_t limit) {
  std::vector<std::string> files = source_files(root), faults;
  for (const std::string& file : test_files(root)) files.push_back(file);
  for (const std::string& file : files) {
    const std::string text = text_of(root / file);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (lines <= limit) continue;
    faults.push_back(file + ": " + std::to_string(lines) + " lines, expected at most " +
                     std::to_string(limit));
  }
  return faults;
}

}  // namespace pnsim::test
