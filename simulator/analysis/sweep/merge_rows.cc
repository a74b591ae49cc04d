#include "simulator/analysis/sweep/merge_rows.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "simulator/analysis/sweep/row_check.h"
#include "simulator/analysis/sweep/shard_lines.h"
#include "simulator/analysis/sweep/sweep_id.h"
#include "simulator/base/error.h"
#include "simulator/base/output_file.h"
#include "simulator/base/table.h"
#include "simulator/base/whole_file.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxExamples = 10;

// Reads the rows of one file, one at a time.
class RowReader {
 public:
  // `check` is that of all files of the merge.
  RowReader(const std::string& path, FilesInUse in_use, SweepRowCheck& check)
      : path_(path), lines_(path), check_(check) {
    note_input(path);
    if (in_use == FilesInUse::kRefused) refuse_when_written();
    next();
  }

  bool has_row() const { return id_.has_value(); }
  const SweepRowId& id() const { return *id_; }
  const std::string& row() const { return row_; }
  bool is_cut_off() const { return lines_.is_cut_off(); }
  std::string where() const { return path_ + ": line " + std::to_string(lines_.number()); }
  const std::string& path() const { return path_; }

  void next() {
    const std::optional<SweepRowId> before = std::exchange(id_, std::nullopt);
    if (!lines_.next(row_)) return;
    if (lines_.is_cut_off()) return;  // no newline: it was not finished
    if (row_.ends_with('\r')) {
      fail_input(where(),
                 "ends in CR LF, as programs on Windows write, expected LF alone: convert the file "
                 "(sed -i 's/\\r$//' FILE)");
    }
    id_ = row_id_of(row_);
    if (!id_) {
      fail_input(where(), "found \"" + row_.substr(0, 40) + "\", expected a row of `pnsim sweep`");
    }
    check_.check(row_, where());
    if (before && before->sweep == id_->sweep && before->point >= id_->point) {
      fail_input(where(), "the rows are out of order");
    }
  }

 private:
  void refuse_when_written() const {
    const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    const bool is_free = fd < 0 || ::flock(fd, LOCK_SH | LOCK_NB) == 0;
    if (fd >= 0) ::close(fd);
    if (!is_free) fail_unavailable(path_ + ": a sweep is still writing this file; wait for it");
  }

  std::string path_;
  ShardLines lines_;
  std::string row_;
  std::optional<SweepRowId> id_;
  SweepRowCheck& check_;
};

void add_row(const std::string& row, WholeFile& file) {
  file.add(row);
  file.add("\n");
}

class Merger {
 public:
  Merger(const std::vector<std::string>& files, FilesInUse in_use) {
    for (const std::string& file : files) {
      readers_.push_back(std::make_unique<RowReader>(file, in_use, check_));
      check_same_sweep(*readers_.back());
    }
    if (!sweep_) fail_input(files.front(), "no file has a complete row of `pnsim sweep`");
    merged_.points = sweep_->count;
  }

  Merged run(const std::string& out) {
    WholeFile file(out);
    std::uint64_t expected = 0;  // the next point
    while (RowReader* first = lowest()) {
      const std::uint64_t point = first->id().point;
      note_gap(expected, point);
      if (merged_.is_complete()) add_row(first->row(), file);
      expected = point + 1;
      pass(*first);
    }
    note_gap(expected, merged_.points);
    for (const auto& reader : readers_) {
      if (reader->is_cut_off()) merged_.cut_off.push_back(reader->path());
    }
    if (merged_.is_complete()) file.keep();
    return merged_;
  }

 private:
  void check_same_sweep(const RowReader& reader) {
    if (!reader.has_row()) return;
    if (!sweep_) sweep_ = reader.id();
    if (reader.id().sweep == sweep_->sweep && reader.id().count == sweep_->count) return;
    fail_input(reader.where(), "found a row of sweep " + reader.id().text() +
                                   ", expected one of the sweep of " + sweep_->text() +
                                   ": these files come from different sweeps");
  }

  RowReader* lowest() const {
    RowReader* best = nullptr;
    for (const auto& reader : readers_) {
      if (reader->has_row() && (!best || reader->id().point < best->id().point))
        best = reader.get();
    }
    return best;
  }

  // Advances every file that is at the point of `first` to its next row.
  void pass(RowReader& first) {
    const SweepRowId id = first.id();
    const std::string row = first.row(), where = first.where();
    for (const auto& reader : readers_) {
      if (!reader->has_row() || reader->id().point != id.point) continue;
      if (reader->row() != row) {
        fail_input(reader->where(), "the row " + id.text() + " disagrees with " + where);
      }
      reader->next();
      check_same_sweep(*reader);
    }
  }

  void note_gap(std::uint64_t from, std::uint64_t to) {
    if (from >= to) return;
    merged_.missing += to - from;
    if (merged_.examples.size() < kMaxExamples) merged_.examples.push_back({from + 1, to});
  }

  SweepRowCheck check_;
  std::vector<std::unique_ptr<RowReader>> readers_;
  std::optional<SweepRowId> sweep_;
  Merged merged_;
};

}  // namespace

Merged merge_rows(const std::vector<std::string>& files, const std::string& out,
                  FilesInUse in_use) {
  return Merger(files, in_use).run(out);
}

std::string missing_text(const Merged& merged) {
  std::string text;
  std::uint64_t shown = 0;
  for (const MissingPoints& gap : merged.examples) {
    text += (text.empty() ? "" : ", ") + std::to_string(gap.first);
    if (gap.last > gap.first) text += " to " + std::to_string(gap.last);
    shown += gap.last - gap.first + 1;
  }
  if (shown < merged.missing) text += " and more";
  text = "missing points: " + text + " (" + grouped(static_cast<long long>(merged.missing)) +
         " of " + grouped(static_cast<long long>(merged.points)) + ")";
  for (const std::string& file : merged.cut_off) {
    text += "; " + file + " ends in an incomplete row";
  }
  return text;
}

}  // namespace pnsim
