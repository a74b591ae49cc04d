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

}  // namespace

const std::vector<Room>& rooms() {
  static const std::vector<Room> kRooms = [] {
    const std::string base = "simulator/base", net = "simulator/net", engine = "simulator/engine",
                      model = "simulator/model", analysis = "simulator/analysis",
                      cli = "simulator/cli", cuda = "simulator/engine/cuda", simd = "simulator/engine/simd";
    return std::vector<Room>{
        {base, {base}},
        {net, {net, base}},
        {engine, {engine, cuda, simd, net, base}},
        {model, {model, net, base}},
        {analysis, {analysis, engine, model, net, base}},
        {cli, {cli, analysis, engine, model, net, base}},
        // Within gpu the host's headers do not know the device's code.
        {"gpu", {"gpu", base}},
        {"gpu/kernels", {"gpu/kernels", "gpu", base}},
        {"gpu/live", {"gpu/live", "gpu/kernels", "gpu", base}},
        {"gpu/microbench", {"gpu/microbench", "gpu/live", "gpu", base}},
        {"experiments", {"experiments", cli, analysis, engine, model, net, base, "gpu"}},
    };
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
