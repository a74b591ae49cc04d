// Rows of sweeps and of results: reading, merging, resuming.
#include <filesystem>
#include <optional>

#include "simulator/analysis/predict/recorded.h"
#include "simulator/analysis/sweep/merge_rows.h"
#include "simulator/analysis/sweep/sweep_file.h"
#include "simulator/base/output_file.h"
#include "simulator/base/rows.h"
#include "simulator/model/template/net_template.h"
#include "tests/fuzz/target.h"

namespace pnsim::fuzz {
namespace {

const SweepPoints& tiny_sweep() {
  static const SweepPoints points = [] {
    SweepInput input;
    input.input = "wpnm";
    input.content = "fuzz";
    input.templates.push_back(
        load_net_template(std::string(PNSIM_TREE) + "/models/nets/wpnm.json"));
    input.parameters = {{"W", {2}}, {"xa", {1}}, {"xs", {0}}, {"xg", {1}}};
    PointOptions options;
    options.run.threads = 1;
    return SweepPoints(std::move(input), {parse_axis("l1=[1,2]"), parse_axis("l2=[1,2]")}, options);
  }();
  return points;
}

std::string rows_of(Shard shard) {
  std::string out;
  for (std::uint64_t row = 0; row < shard.size(tiny_sweep().count()); ++row)
    out += tiny_sweep().run(shard.point(row), 1).line;
  return out;
}

// Merging gives the same bytes for any order of the files, and again for its own result.
void check_merge(const std::string& a, const std::string& b) {
  const std::string out = scratch_path("merged.jsonl"), again = scratch_path("again.jsonl");
  forget_inputs();
  Merged merged;
  if (!accepts([&] { merged = merge_rows({a, b}, out); })) return;
  if (!merged.is_complete()) return;
  forget_inputs();
  require(merge_rows({b, a}, again).is_complete(), "the order of files matters to a merge");
  require(read_file(again) == read_file(out), "the order of files changes merged rows");
  forget_inputs();
  require(merge_rows({out}, again).is_complete(), "merged rows are not complete");
  require(read_file(again) == read_file(out), "merging changes merged rows");
}

void check_resume(const std::string& file, std::uint64_t bytes) {
  for (const Shard shard : {Shard{0, 1}, Shard{1, 2}}) {
    RowsDone done;
    if (!accepts([&] { done = rows_done(file, tiny_sweep(), shard); })) continue;
    require(done.bytes + done.cut_off == bytes, "rows and rest are not the file");
    require(done.rows <= shard.size(tiny_sweep().count()), "more rows than points");
  }
}

}  // namespace

void run_rows(std::string_view input) {
  const auto [first, second] = parts(input);
  forget_inputs();
  const std::string a = scratch_file("a.jsonl", first), b = scratch_file("b.jsonl", second);
  std::vector<InputJson> rows;
  const bool read = accepts([&] { rows = load_rows(a); });
  if (read) {
    const RecordedResults recorded("h200", rows);
    accepts([&] {
      recorded.time("radix_shared", {{"n", 1048576}, {"block", 256}});
      recorded.scale("wpnm", {{"l1", {20}}, {"l2", {2}}, {"S", {4}}});
    });
  }
  check_merge(a, b);
  check_resume(a, first.size());
  forget_inputs();
  accepts([&] { rows = resume_rows(a); });
  is_torn_row(
      first.substr(first.rfind('\n') == std::string_view::npos ? 0 : first.rfind('\n') + 1));
}

std::vector<std::string> row_seeds() {
  const std::string separator(kSeparator.substr(1));
  const std::string all = rows_of({0, 1});
  std::vector<std::string> out{all,
                               rows_of({0, 2}) + separator + rows_of({1, 2}),
                               rows_of({1, 2}) + separator + rows_of({0, 2}),
                               all + separator + all,
                               all.substr(0, all.size() - 40),
                               tree_file("results/h200/time_scale.jsonl"),
                               tree_file("tests/data/experiment_run/points.jsonl")};
  for (const char* file : {"results/h200/times.jsonl", "results/h200/microbench.jsonl"}) {
    const std::string text = tree_file(file);
    out.push_back(text.substr(0, text.find('\n', 3000) + 1));
  }
  return out;
}

}  // namespace pnsim::fuzz
