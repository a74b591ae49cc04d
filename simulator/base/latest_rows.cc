#include "simulator/base/latest_rows.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/base/output.h"
#include "simulator/base/read_line.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

// "" for a line that is no row.
std::string id_of_row(const std::string& line) {
  const InputJson row = InputJson::parse(line, nullptr, false);
  const bool has_id = row.is_object() && row.contains("id") && row["id"].is_string();
  return has_id ? row["id"].get<std::string>() : "";
}

void remove_older_rows(const OutputFile& file) {
  std::vector<std::string> lines, ids;
  std::map<std::string, std::size_t> last;  // [id] the line
  std::ifstream in(file.path(), std::ios::binary);
  for (std::string line; read_line(in, line, file.path());) {
    ids.push_back(id_of_row(line));
    if (!ids.back().empty()) last[ids.back()] = lines.size();
    lines.push_back(line);
  }
  std::string kept;
  std::size_t removed = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (ids[i].empty() || last.at(ids[i]) == i) {
      kept += lines[i] + "\n";
    } else {
      ++removed;
    }
  }
  if (removed > 0) write_file_whole(file, kept);
}

}  // namespace

void store_latest_rows(const OutputFile& file, std::span<const std::string> lines) {
  std::error_code none;
  const fs::path place(file.path());
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  const bool is_special = fs::exists(place, none) && !fs::is_regular_file(place, none);
  if (is_special) {
    for (const std::string& line : lines) append_line(file, line);
    return;
  }
  const FolderLock lock(folder.string());
  for (const std::string& line : lines) append_line(file, line);
  remove_older_rows(file);
}

}  // namespace pnsim
