#include "simulator/base/rows.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"

namespace pnsim {

std::vector<InputJson> load_rows(const std::string& path) {
  std::vector<InputJson> rows;
  if (!std::filesystem::exists(path)) return rows;
  std::istringstream lines(read_file(path));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    const std::string where = path + ": line " + std::to_string(number);
    InputJson row = parse_json(line, where);
    if (!row.is_object() || !row.contains("id") || !row["id"].is_string()) {
      fail_input(where, "expected a JSON object with a string \"id\"");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<InputJson> recorded_rows(const std::string& device) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data_root() + "/results/" + device, ignored)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<InputJson> rows;
  std::map<std::string, std::size_t> position;
  for (const std::string& file : files) {
    for (InputJson& row : load_rows(file)) {
      const auto [it, added] = position.emplace(row["id"].get<std::string>(), rows.size());
      if (added) {
        rows.push_back(std::move(row));
      } else {
        rows[it->second] = std::move(row);
      }
    }
  }
  return rows;
}

}  // namespace pnsim
