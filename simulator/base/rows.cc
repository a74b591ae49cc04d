#include "simulator/base/rows.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/read_line.h"

namespace pnsim {

namespace {

constexpr std::uint64_t kMaxRowsBytes = 800'000'000;  // of the rows of one file, in memory

constexpr const char* kTexts[] = {"kind", "mode",   "program", "bench", "net",
                                  "unit", "kernel", "commit",  "date",  "command"};
constexpr const char* kNumbers[] = {"median_us", "p05_us", "p95_us", "us_per_step", "value"};
constexpr const char* kObjects[] = {"axes", "input", "parameters"};
constexpr const char* kLists[] = {"kernels", "passes", "programs"};

// What the readers of rows rely on, said where the row stands.
void check_row(const InputJson& row, const std::string& where) {
  if (!row.is_object() || !row.contains("id") || !row["id"].is_string()) {
    fail_input(where, "expected a JSON object with a string \"id\"");
  }
  const JsonReader reader(row, where);
  for (const char* key : kTexts) {
    if (const auto value = reader.find(key)) value->string();
  }
  for (const char* key : kNumbers) {
    if (const auto value = reader.find(key)) value->number();
  }
  for (const char* key : kObjects) {
    const auto value = reader.find(key);
    if (value && !value->is_object()) value->fail_expected("an object");
  }
  for (const char* key : kLists) {
    const auto value = reader.find(key);
    if (value && !value->is_array()) value->fail_expected("an array");
  }
}

// With `torn_bytes` (may be null) a torn last row is not read; its size is returned there.
std::vector<InputJson> read_rows(const std::string& path, const WantedLine& is_wanted,
                                 std::vector<std::size_t>* lines, std::size_t* torn_bytes) {
  std::vector<InputJson> rows;
  if (!std::filesystem::exists(path)) return rows;
  check_file(path);
  // Reads line by line: a file may be large, and few of its lines may be wanted.
  std::vector<char> buffer(std::size_t{1} << 16);
  std::ifstream in;
  in.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  in.open(path, std::ios::binary);
  std::size_t number = 0;
  JsonMemory memory{kMaxRowsBytes, 0};
  for (std::string line; read_line(in, line, path + ": line " + std::to_string(number + 1));) {
    ++number;
    const bool has_newline = !in.eof();
    if (torn_bytes && !has_newline && is_torn_row(line)) {
      *torn_bytes = line.size();
      break;
    }
    if (line.empty() || (is_wanted && !is_wanted(line))) continue;
    const std::string where = path + ": line " + std::to_string(number);
    InputJson row = parse_json(line, where, memory);
    check_row(row, where);
    rows.push_back(std::move(row));
    if (lines) lines->push_back(number);
  }
  if (!in.is_open() || in.bad()) fail_input(path, "cannot be read");
  return rows;
}

}  // namespace

bool is_torn_row(std::string_view line) {
  if (!line.starts_with('{')) return false;
  try {
    return !InputJson::parse(line).is_object();  // never: a whole object is no torn row
  } catch (const InputJson::parse_error& error) {
    return error.byte > line.size();  // all that is there may begin a row; only its end is missing
  } catch (const InputJson::exception&) {
    return false;  // a number outside the range of doubles
  }
}

std::vector<InputJson> load_rows(const std::string& path, const WantedLine& is_wanted,
                                 std::vector<std::size_t>* lines) {
  return read_rows(path, is_wanted, lines, nullptr);
}

std::vector<InputJson> resume_rows(const OutputFile& file, std::vector<std::size_t>* lines) {
  namespace fs = std::filesystem;
  std::size_t torn_bytes = 0;
  std::vector<InputJson> rows = read_rows(file.path(), nullptr, lines, &torn_bytes);
  std::error_code failed;
  if (torn_bytes > 0 && fs::is_regular_file(file.path(), failed)) {
    const std::uintmax_t bytes = fs::file_size(file.path(), failed);
    if (!failed) fs::resize_file(file.path(), bytes - torn_bytes, failed);
    if (failed) {
      throw Error(ExitCode::kOutput, file.path() + ": the incomplete last row cannot be removed");
    }
  }
  return rows;
}

std::vector<InputJson> recorded_rows(const std::string& device, const WantedLine& is_wanted,
                                     std::span<const std::string_view> but) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data_root() + "/results/" + device, ignored)) {
    const bool is_left_out =
        std::find(but.begin(), but.end(), entry.path().filename().string()) != but.end();
    if (has_extension(entry.path().string(), ".jsonl") && !is_left_out)
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
