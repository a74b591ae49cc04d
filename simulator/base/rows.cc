#include "simulator/base/rows.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"

namespace pnsim {

std::vector<InputJson> load_rows(const std::string& path, const WantedLine& is_wanted) {
  std::vector<InputJson> rows;
  if (!std::filesystem::exists(path)) return rows;
  check_file(path);
  // Reads line by line: a file may be large, and few of its lines may be wanted.
  std::vector<char> buffer(std::size_t{1} << 16);
  std::ifstream in;
  in.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  in.open(path, std::ios::binary);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || (is_wanted && !is_wanted(line))) continue;
    const std::string where = path + ": line " + std::to_string(number);
    InputJson row = parse_json(line, where);
    if (!row.is_object() || !row.contains("id") || !row["id"].is_string()) {
      fail_input(where, "expected a JSON object with a string \"id\"");
    }
    rows.push_back(std::move(row));
  }
  if (!in.is_open() || in.bad()) fail_input(path, "cannot be read");
  return rows;
}

std::vector<InputJson> resume_rows(const std::string& path) {
  std::error_code no_file;
  if (std::filesystem::is_regular_file(path, no_file)) {
    const std::string text = read_file(path);
    const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    std::error_code failed;
    if (whole < text.size()) std::filesystem::resize_file(path, whole, failed);
    if (failed) {
      throw Error(ExitCode::kOutput, path + ": the incomplete last row cannot be removed");
    }
  }
  return load_rows(path);
}

std::vector<InputJson> recorded_rows(const std::string& device, const WantedLine& is_wanted,
                                     std::span<const std::string_view> but) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data_root() + "/results/" + device, ignored)) {
    const bool is_left_out =
        std::find(but.begin(), but.end(), entry.path().filename().string()) != but.end();
    if (entry.path().extension() == ".jsonl" && !is_left_out)
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<InputJson> rows;
  std::map<std::string, std::size_t> position;
  for (const std::string& file : files) {
    for (InputJson& row : load_rows(file, is_wanted)) {
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
