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
  static const std::regex kInclude(R"(^\s*#\s*include\s*"([^"]+)\")");
  if (line.find("include") == std::string::npos) return "";  // most lines; a regex is slow
  std::smatch match;
  if (!std::regex_search(line, match, kInclude)) return "";
  const std::string header = match[1];
  const Room* room = room_of(file);
  if (!room) return "lies in no room that may include anything";
  const std::vector<std::string>& allowed = room->may_include;
  if (std::find(allowed.begin(), allowed.end(), folder_of(header)) != allowed.end()) return "";
  return "includes " + header + ", which " + room->folder + " may not";
}

std::vector<std::string> with(std::vector<std::string> folders,
                              const std::vector<std::string>& more) {
  folders.insert(folders.end(), more.begin(), more.end());
  return folders;
}

}  // namespace

const std::vector<Room>& rooms() {
  static const std::vector<Room> kRooms = [] {
    const std::string base = "simulator/base", net = "simulator/net", engine = "simulator/engine",
                      cli = "simulator/cli", cuda = "simulator/engine/cuda",
                      simd = "simulator/engine/simd";
    const std::vector<std::string> all_model{
        "simulator/model/template", "simulator/model/device", "simulator/model/launch",
        "simulator/model/sass",     "simulator/model/derive", "simulator/model/memory",
        "simulator/model/cost",     "simulator/model/sm",     "simulator/model/paper"};
    const std::vector<std::string> all_analysis{
        "simulator/analysis/exact", "simulator/analysis/runs",      "simulator/analysis/pictures",
        "simulator/analysis/check", "simulator/analysis/baselines", "simulator/analysis/predict",
        "simulator/analysis/sweep", "simulator/analysis/questions"};
    std::vector<Room> rooms{
        {base, {base}},
        {net, {net, base}},
        {engine, {engine, cuda, simd, net, base}},
        {cli, with(all_analysis, with(all_model, {cli, engine, net, base}))},
        // Within gpu the host's headers do not know the device's code.
        {"gpu", {"gpu", base}},
        {"gpu/kernels", {"gpu/kernels", "gpu", base}},
        {"gpu/live", {"gpu/live", "gpu/kernels", "gpu", base}},
        {"gpu/microbench", {"gpu/microbench", "gpu/live", "gpu", base}},
    };
    const auto add = [&](const std::string& house, const char* name,
                         std::vector<std::string> neighbours,
                         const std::vector<std::string>& below) {
      for (std::string& room : neighbours) room = house + "/" + room;
      neighbours.push_back(house + "/" + name);
      rooms.push_back({house + "/" + name, with(below, neighbours)});
    };
    const std::vector<std::string> below_model{net, base};
    const std::string model = "simulator/model";
    add(model, "template", {}, below_model);
    add(model, "device", {}, below_model);
    add(model, "launch", {"template", "device"}, below_model);
    add(model, "sass", {"launch"}, below_model);
    add(model, "derive", {"sass", "launch"}, below_model);
    add(model, "memory", {"launch", "device"}, below_model);
    add(model, "cost", {"memory", "launch", "device"}, below_model);
    add(model, "sm", {"cost", "memory", "launch", "device", "template"}, below_model);
    add(model, "paper", {"launch", "template"}, below_model);
    const std::vector<std::string> below_analysis = with(all_model, {engine, net, base});
    const std::string analysis = "simulator/analysis";
    add(analysis, "exact", {}, below_analysis);
    add(analysis, "runs", {}, below_analysis);
    add(analysis, "pictures", {}, below_analysis);
    add(analysis, "check", {}, below_analysis);
    add(analysis, "baselines", {}, below_analysis);
    add(analysis, "predict", {"runs", "baselines"}, below_analysis);
    add(analysis, "sweep", {"predict", "runs"}, below_analysis);
    add(analysis, "questions", {"sweep", "predict", "runs"}, below_analysis);
    const std::vector<std::string> below_experiments =
        with(all_analysis, with(below_analysis, {"gpu"}));
    const std::string experiments = "experiments";
    add(experiments, "spec", {}, below_experiments);
    add(experiments, "measure", {"spec"}, below_experiments);
    add(experiments, "run", {"measure", "spec"}, below_experiments);
    add(experiments, "report", {"run", "spec"}, below_experiments);
    add(experiments, "validate", {"report", "run", "spec"}, below_experiments);
    add(experiments, "tables", {"spec"}, below_experiments);
    add(experiments, "cli", {"tables", "validate", "report", "run", "measure", "spec"},
        below_experiments);
    return rooms;
  }();
  return kRooms;
}

std::vector<std::string> source_files(const fs::path& root) {
  return files_below(root, {"simulator", "gpu", "experiments"});
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
