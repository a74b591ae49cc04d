#include "simulator/analysis/sweep/sweep_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "simulator/analysis/sweep/row_check.h"
#include "simulator/analysis/sweep/sweep_id.h"
#include "simulator/base/error.h"
#include "simulator/base/read_line.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kMaxShards = 1'000'000;

std::string where(const std::string& path, std::uint64_t line) {
  return path + ": line " + std::to_string(line);
}

[[noreturn]] void fail_other_sweep(const std::string& path, std::uint64_t line,
                                   const std::string& found, const std::string& expected) {
  const auto id = row_id_of(found);
  if (id && id->text() == row_id_of(expected)->text()) {
    fail_input(where(path, line),
               "found the expected id " + id->text() +
                   ", but other axes than those of the point, or no result behind them: the line "
                   "was changed after it was written; remove it and the lines behind it, and "
                   "--resume runs their points again. The file is left as it is");
  }
  const std::string shown = id ? "a row with id " + id->text() : "\"" + found.substr(0, 40) + "\"";
  fail_input(where(path, line),
             "found " + shown + ", expected id " + row_id_of(expected)->text() +
                 ": these rows come from another input, version, seed, shard or other axes; the "
                 "file is left as it is");
}

// The exit code that a written row implies. The quotes identify a key, because quotes inside text
// are escaped.
ExitCode code_of(const std::string& row, bool dead_is_an_end) {
  if (row.find(R"("outcome":"limit")") != std::string::npos) return ExitCode::kLimit;
  const bool is_dead = row.find(R"("outcome":"dead")") != std::string::npos;
  const bool is_imprecise = row.find(R"("reached":false)") != std::string::npos;
  return (is_dead && !dead_is_an_end) || is_imprecise ? ExitCode::kCheckFailed : ExitCode::kOk;
}

// Checks an incomplete row. A killed process may leave a part of a row, a crashed machine zeros.
void check_cut_off(const std::string& path, std::uint64_t line, std::string text,
                   const std::string& head) {
  text.erase(text.find_last_not_of('\0') + 1);
  const std::size_t common = std::min(text.size(), head.size());
  if (text.compare(0, common, head, 0, common) != 0) fail_other_sweep(path, line, text, head);
}

}  // namespace

std::uint64_t Shard::size(std::uint64_t points) const {
  const std::uint64_t first = index % count;
  return first >= points ? 0 : (points - first + count - 1) / count;
}

std::uint64_t Shard::point(std::uint64_t row) const { return index % count + row * count; }

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, shard.index);
  if (error == std::errc() && slash != end && *slash == '/') {
    const auto [last, error2] = std::from_chars(slash + 1, end, shard.count);
    if (error2 == std::errc() && last == end && shard.count >= 1 && shard.count <= kMaxShards &&
        shard.index <= shard.count) {
      return shard;
    }
  }
  constexpr std::size_t kMostShown = 60;
  const std::string shown = text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
  fail_usage("--shard " + shown +
             ": expected i/n with i from 1 to n, such as 1/4, 2/4, 3/4, 4/4 (0/4 is 4/4)");
}

void check_resumable(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none) || std::filesystem::is_regular_file(path, none)) return;
  fail_usage(
      "--resume: " + path +
      " is not a regular file, and rows cannot be read back from it: name a file with -o, or "
      "leave --resume out");
}

RowsDone rows_done(const std::string& path, const SweepPoints& points, Shard shard) {
  RowsDone done;
  const std::uint64_t expected = shard.size(points.count());
  check_resumable(path);
  SweepRowCheck check;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; read_line(in, line, where(path, done.rows + 1));) {
    const std::uint64_t number = done.rows + 1;
    if (done.rows == expected) fail_input(where(path, number), "found a row after the last point");
    const std::string head = points.head(shard.point(done.rows));
    if (in.eof()) {  // no newline: the row is incomplete
      check_cut_off(path, number, line, head);
      done.cut_off = line.size();
      return done;
    }
    if (!line.starts_with(head)) fail_other_sweep(path, number, line, head);
    if (line.ends_with('\r')) {
      fail_input(where(path, number),
                 "ends in CR LF, as programs on Windows write, expected LF alone: convert the file "
                 "(sed -i 's/\\r$//' FILE)");
    }
    check.check(line, where(path, number));
    done.worst = std::max(done.worst, code_of(line, !points.has_goal()));
    done.bytes += line.size() + 1;
    ++done.rows;
  }
  return done;
}

}  // namespace pnsim
