#include "simulator/analysis/sweep/sweep_ranks.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "simulator/analysis/sweep/merge_rows.h"
#include "simulator/base/error.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

constexpr auto kPoll = std::chrono::milliseconds(100);

std::optional<unsigned> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text) return std::nullopt;
  unsigned value = 0;
  const char* end = text + std::strlen(text);
  const auto [last, error] = std::from_chars(text, end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

class RankRun {
 public:
  RankRun(const SweepPoints& points, const SweepRun& run, Ranks ranks, const std::string& rows)
      : points_(points), run_(run), ranks_(ranks), rows_(rows), codes_(ranks.size) {}

  ExitCode run() {
    if (is_whole()) return code_of_whole();
    refuse_other_sizes();
    while (!all_shards_done()) wait();
    return is_whole() ? code_of_whole() : merge();
  }

 private:
  // For another process. The rows of this rank's own shard are written.
  void wait() const {
    std::this_thread::sleep_for(kPoll);
    if (run_.tick) run_.tick(Shard{ranks_.rank, ranks_.size}.size(points_.count()));
  }

  bool is_whole() const { return fs::exists(rows_); }

  // A rows file has its final name only when it is complete, or when a single process made it.
  ExitCode code_of_whole() const {
    const RowsDone done = rows_done(rows_, points_, {});
    if (done.rows == points_.count() && done.cut_off == 0) return done.worst;
    fail_usage(rows_ + " has " + std::to_string(done.rows) + " of " +
               std::to_string(points_.count()) + " rows, made by a single process: let " +
               "`pnsim sweep --resume` complete it, or name another file with -o");
  }

  void refuse_other_sizes() const {
    const fs::path rows(rows_);
    const fs::path folder = rows.has_parent_path() ? rows.parent_path() : fs::path(".");
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const std::string name = entry.path().filename().string();
      const std::string start = rows.filename().string() + ".";
      const std::size_t of = name.rfind("-of-");
      if (!name.starts_with(start) || of == std::string::npos) continue;
      if (name.substr(of + 4) == std::to_string(ranks_.size)) continue;
      fail_input(entry.path().string(), "found rows of " + name.substr(of + 4) +
                                            " processes, expected " + std::to_string(ranks_.size) +
                                            ": start as many, or delete the file");
    }
  }

  // Makes one pass over the shards, this rank's own first.
  bool all_shards_done() {
    bool all = true;
    for (unsigned i = 0; i < ranks_.size && !is_whole(); ++i) {
      all = shard_done((ranks_.rank + i) % ranks_.size) && all;
    }
    return all || is_whole();
  }

  // Returns false while another process holds the shard.
  bool shard_done(unsigned shard) {
    RowFile file(rank_file(rows_, shard, ranks_.size), RowFile::IfBusy::kStayClosed);
    if (!file.is_open()) return false;
    if (is_whole()) {  // another process has just merged; opening recreated this file
      ::unlink(file.path().c_str());
      return true;
    }
    SweepRun run = run_;
    run.shard = {shard, ranks_.size};
    const RowsDone done = rows_done(file.path(), points_, run.shard);
    const bool is_done = done.rows == run.shard.size(points_.count()) && done.cut_off == 0;
    codes_[shard] = is_done ? done.worst : run_sweep(points_, run, done, file);
    return true;
  }

  // The caller holds the lock of shard 0, so only one process merges.
  ExitCode merge() {
    const std::string first = rank_file(rows_, 0, ranks_.size);
    while (true) {
      RowFile lock(first, RowFile::IfBusy::kStayClosed);
      if (lock.is_open()) return merge_locked(first);
      wait();
    }
  }

  ExitCode merge_locked(const std::string& first) {
    if (is_whole()) {
      ::unlink(first.c_str());
      return code_of_whole();
    }
    std::vector<std::string> files;
    for (unsigned s = 0; s < ranks_.size; ++s) files.push_back(rank_file(rows_, s, ranks_.size));
    const Merged merged = merge_rows(files, rows_, FilesInUse::kMayBe);
    if (!merged.is_complete())
      throw Error(ExitCode::kInternal, rows_ + ": " + missing_text(merged));
    for (const std::string& file : files) ::unlink(file.c_str());
    return *std::max_element(codes_.begin(), codes_.end());
  }

  const SweepPoints& points_;
  const SweepRun& run_;
  const Ranks ranks_;
  const std::string rows_;
  std::vector<ExitCode> codes_;  // [shard]
};

}  // namespace

std::optional<Ranks> ranks_from_environment() {
  const auto rank = number_in("OMPI_COMM_WORLD_RANK"), size = number_in("OMPI_COMM_WORLD_SIZE");
  if (!rank || !size || *size < 2 || *rank >= *size) return std::nullopt;
  return Ranks{*rank, *size};
}

std::string rank_file(const std::string& rows, unsigned shard, unsigned size) {
  return rows + "." + std::to_string(shard) + "-of-" + std::to_string(size);
}

ExitCode run_as_rank(const SweepPoints& points, const SweepRun& run, Ranks ranks,
                     const std::string& rows) {
  return RankRun(points, run, ranks, rows).run();
}

}  // namespace pnsim
