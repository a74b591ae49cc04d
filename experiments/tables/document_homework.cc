// The tables of the homework document (microarchitecture).
#include <algorithm>
#include <cmath>

#include "experiments/spec/spec.h"
#include "experiments/tables/document_tables.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kElementBytes = 4;
constexpr double kLanes = 32;
// The homework's accounting: an element costs two operations, two loads and a store.
constexpr double kFlopsOfElement = 2;
constexpr double kInstructionsOfElement = 5;
constexpr int kBarWidth = 24;

// A point with the counts of its only launch and its time.
struct NormPoint {
  std::string program;
  Problem problem;
  InputJson kernel;
  double time_us = 0;

  double counter(const char* name) const {
    return JsonReader(kernel, "counts of " + program).at("counters").at(name).number(0);
  }
  double counted(const char* name) const {
    return JsonReader(kernel, "counts of " + program).at(name).items().at(0).number(0);
  }
  double elements() const { return static_cast<double>(problem.at("n")); }
  std::int64_t group() const { return problem.contains("group") ? problem.at("group") : 1; }
};

std::vector<NormPoint> norm_points(const RowIndex& rows, bool with_times) {
  std::vector<NormPoint> out;
  for (const std::string name : {"norm_base", "norm_group"}) {
    for (const SuitePoint& point : points_of(load_spec(name))) {
      NormPoint norm{point.program, point.problem, {}, 0};
      norm.kernel =
          rows.at("counts", point.program, point.problem, "", "experiment counts --spec " + name)
              .at("kernels")
              .at(0);
      if (with_times) {
        norm.time_us = rows.at("time", point.program, point.problem, "warm",
                               "experiment measure --spec " + name)
                           .at("median_us")
                           .get<double>();
      }
      out.push_back(std::move(norm));
    }
  }
  return out;
}

Json norm_line(const NormPoint& p, const DeviceProfile& device) {
  const double ideal_bytes = kElementBytes * p.elements();
  const double read = kSectorBytes * p.counter("l2_read_sectors");
  const double written = kSectorBytes * p.counter("l2_write_sectors");
  const double cycles = p.time_us * device.value("clock_mhz") * device.value("sms");
  const double gb_per_s = (read + written) / p.time_us / 1e3;
  return {{"program", p.program},
          {"d", p.problem.at("d")},
          {"group", p.group()},
          {"warps", p.problem.at("block") / static_cast<std::int64_t>(kLanes)},
          {"time_us", p.time_us},
          {"instructions_per_element", kLanes * p.counted("instructions") / p.elements()},
          {"bank_conflicts_per_access", p.counter("bank_conflicts") / p.counted("global")},
          {"read_over_ideal", read / ideal_bytes},
          {"written_over_ideal", written / ideal_bytes},
          {"percent_of_peak", 100 * gb_per_s * 1e9 / device.value("l2_read_bandwidth")},
          {"l2_gb_per_s", gb_per_s},
          {"dram_gb_per_s",
           (p.counter("dram_read_bytes") + p.counter("dram_write_bytes")) / p.time_us / 1e3},
          {"gflop_per_s", kFlopsOfElement * p.elements() / p.time_us / 1e3},
          {"busy_arithmetic",
           kFlopsOfElement * p.elements() / (kLanes * device.value("fp32_rate") * cycles)},
          {"busy_issue",
           kInstructionsOfElement * p.elements() / (kLanes * device.value("issue_rate") * cycles)}};
}

// "+++---*****": each mark extends over its share of the width; the smallest share is drawn last.
std::string bar_text(const Json& line) {
  std::vector<std::pair<double, char>> marks{{line["busy_arithmetic"].get<double>(), '+'},
                                             {line["busy_issue"].get<double>(), '-'},
                                             {line["percent_of_peak"].get<double>() / 100, '*'}};
  std::sort(marks.rbegin(), marks.rend());
  std::string bar;
  for (const auto& [share, mark] : marks) {
    const auto length =
        static_cast<std::size_t>(std::lround(kBarWidth * std::clamp(share, 0.0, 1.0)));
    if (bar.size() < length) bar.resize(length, ' ');
    std::fill(bar.begin(), bar.begin() + static_cast<std::ptrdiff_t>(length), mark);
  }
  return "|" + bar + std::string(kBarWidth - bar.size(), ' ') + "|";
}

constexpr struct {
  const char* key;
  const char* title;
  int decimals;
} kNormColumns[] = {{"time_us", "t us", 2},
                    {"instructions_per_element", "I/el", 1},
                    {"bank_conflicts_per_access", "BXW", 1},
                    {"read_over_ideal", "N*R", 1},
                    {"written_over_ideal", "N*W", 1},
                    {"percent_of_peak", "%pk", 0},
                    {"l2_gb_per_s", "L2 GB/s", 0},
                    {"dram_gb_per_s", "DRAM GB/s", 0},
                    {"gflop_per_s", "GFLOP/s", 0}};

TextTable norm_text_table(bool has_bar) {
  std::vector<std::string> header{"wp"};
  for (const auto& column : kNormColumns) header.push_back(column.title);
  if (has_bar) header.push_back("+ FP  - instructions  * L2");
  return TextTable(header);
}

std::vector<std::string> norm_cells(const Json& line) {
  std::vector<std::string> cells{line["warps"].dump()};
  for (const auto& column : kNormColumns) {
    const Json& value = line[column.key];
    cells.push_back(value.is_null() ? "-" : fixed(value.get<double>(), column.decimals));
  }
  return cells;
}

// "norm_group<8>, d = 32"
std::string title_of(const Json& line) {
  return line["program"].get<std::string>() +
         (line.value("group", 1) > 1 ? "<" + line["group"].dump() + ">" : "") +
         ", d = " + line["d"].dump();
}

// One table per kernel and vector length.
std::string norm_tables(const std::vector<Json>& lines, bool has_bar) {
  std::vector<std::string> titles;
  for (const Json& line : lines) {
    if (std::find(titles.begin(), titles.end(), title_of(line)) == titles.end()) {
      titles.push_back(title_of(line));
    }
  }
  std::string text;
  for (const std::string& title : titles) {
    TextTable table = norm_text_table(has_bar);
    for (const Json& line : lines) {
      if (title_of(line) != title) continue;
      std::vector<std::string> cells = norm_cells(line);
      if (has_bar) cells.push_back(bar_text(line));
      table.add_row(cells);
    }
    text += "\n" + title + "\n" + table.text(2);
  }
  return text;
}

}  // namespace

Rendered homework_table(const RowIndex& rows, const DeviceProfile& device) {
  std::vector<Json> ours, theirs;
  for (const NormPoint& point : norm_points(rows, true)) ours.push_back(norm_line(point, device));
  const InputJson document = load_document("homework");
  const JsonReader reader(document, "homework.json");
  for (const JsonReader& row : reader.at("rows").items()) theirs.push_back(Json(row.value()));
  Rendered out;
  out.text =
      "The homework's tables on the " + device.described() +
      ", one block per SM\n"
      "(wp: warps per block; I/el: instructions per element; BXW: bank conflicts per access; "
      "N*R, N*W: bytes read from\nand written to L2 over the ideal; %pk: share of the "
      "measured L2 read bandwidth; bars: share of the measured peak rates)\n" +
      norm_tables(ours, true) + "\nThe document's own figures, of an " +
      reader.at("device").string() + " (inputs of a quarter of its L2)\n" +
      norm_tables(theirs, false);
  out.json = Json{{"ours", ours}, {"document", theirs}}.dump(1) + "\n";
  return out;
}

double workload_balance(std::int64_t vectors, std::int64_t group, std::int64_t block,
                        std::int64_t blocks) {
  const std::int64_t at_once = block / group;
  const std::int64_t full = vectors / (blocks * at_once);
  const std::int64_t of_busiest =
      full * at_once + std::min(at_once, vectors - full * blocks * at_once);
  return static_cast<double>(vectors) / static_cast<double>(blocks * of_busiest);
}

Rendered imbalance_table(const RowIndex& rows) {
  TextTable table({"program", "d", "group", "wp", "vectors", "formula", "instructions",
                   "difference", "busy cycles"});
  Json lines = Json::array();
  std::vector<double> formula, counted, differences;
  for (const NormPoint& p : norm_points(rows, false)) {
    const std::int64_t vectors = p.problem.at("n") / p.problem.at("d");
    formula.push_back(
        workload_balance(vectors, p.group(), p.problem.at("block"), p.problem.at("blocks")));
    counted.push_back(p.counter("sm_instructions_mean") / p.counter("sm_instructions_most"));
    differences.push_back(std::abs(formula.back() - counted.back()));
    const double busy = p.counter("sm_active_cycles_mean") / p.counter("sm_active_cycles_most");
    const std::int64_t warps = p.problem.at("block") / static_cast<std::int64_t>(kLanes);
    table.add_row({p.program, std::to_string(p.problem.at("d")), std::to_string(p.group()),
                   std::to_string(warps), std::to_string(vectors), fixed(formula.back(), 3),
                   fixed(counted.back(), 3), fixed(differences.back(), 3), fixed(busy, 3)});
    lines.push_back({{"program", p.program},
                     {"axes", Json(p.problem)},
                     {"formula", formula.back()},
                     {"instructions", counted.back()},
                     {"busy_cycles", busy}});
  }
  Rendered out;
  out.text =
      "Workload balance: work of the mean SM over work of the busiest one, 1 when all have the "
      "same work\nformula: vectors / (blocks * (V * full + min(V, vectors - full * blocks * V))), "
      "V "
      "= block / group, full = vectors div (blocks * V)\ninstructions, busy cycles: mean over "
      "the SMs / largest, counted\n\n" +
      table.text(2) + "\n  points " + std::to_string(formula.size()) +
      "; |formula - instructions|: median " + fixed(median(differences), 4) + ", worst " +
      fixed(*std::max_element(differences.begin(), differences.end()), 4) + "; Pearson " +
      fixed(pearson(formula, counted), 4) + "\n";
  out.json = lines.dump(1) + "\n";
  return out;
}

}  // namespace pnsim::experiments
