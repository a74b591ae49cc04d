// The table of the radix report (Contest-CUDA Radix Sort).
#include "experiments/tables/document_tables.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr const char* kMeasureReport =
    "experiment measure --spec radix_report -a n=5120 --mode single --samples 200";
constexpr const char* kMeasureCpu =
    "experiment measure -a program=radix_cpu -a n=5120 --mode single --samples 200";

// The number of arithmetic operations of all threads in all passes.
double operations_of(const InputJson& counts) {
  const JsonReader row(counts, "counts row " + counts.at("id").get<std::string>());
  double of_pass = 0;
  for (const JsonReader& kernel : row.at("kernels").items()) {
    of_pass += kernel.at("counters").at("arithmetic_operations").number(0);
  }
  return of_pass * static_cast<double>(row.at("passes").items().back().integer(0, 1 << 20) + 1);
}

Json number_or_null(const JsonReader& row, const char* key) {
  const JsonReader value = row.at(key);
  if (value.is_null()) return nullptr;
  return value.number(0);
}

// Error 3 with the row's id when it has no such number.
double number_of(const InputJson& row, const char* key) {
  return JsonReader(row, "time row " + row.at("id").get<std::string>()).at(key).number(0, 1e15);
}

// One line: ours beside the report's.
Json report_line(const RowIndex& rows, const JsonReader& theirs) {
  const std::string program = theirs.at("program").string();
  const Problem axes{{"n", theirs.at("axes").at("n").integer(1, 1 << 30)},
                     {"block", theirs.at("axes").at("block").integer(1, 1024)}};
  const InputJson& gpu = rows.at("time", program, axes, "single", kMeasureReport);
  const InputJson& cpu = rows.at("time", "radix_cpu", {{"n", axes.at("n")}}, "single", kMeasureCpu);
  const InputJson& counts =
      rows.at("counts", program, axes, "", "experiment counts --spec radix_report");
  const double gpu_s = number_of(gpu, "mean_us") / 1e6;
  const double operations = operations_of(counts);
  return {{"program", program},
          {"block", axes.at("block")},
          {"runs", static_cast<std::int64_t>(number_of(gpu, "samples"))},
          {"gpu_s", gpu_s},
          {"cpu_s", number_of(cpu, "mean_us") / 1e6},
          // A difference is an error, and then there is no row.
          {"wrong_elements", 0},
          {"checked_elements", static_cast<std::int64_t>(number_of(gpu, "checked_elements"))},
          {"operations", operations},
          {"mflops_per_s", operations / gpu_s / 1e6},
          {"report_gpu_s", number_or_null(theirs, "gpu_s")},
          {"report_cpu_s", number_or_null(theirs, "cpu_s")},
          {"report_mflops_per_s", number_or_null(theirs, "mflops_per_s")}};
}

std::string report_number(const Json& value, int decimals) {
  return value.is_null() ? "-" : fixed(value.get<double>(), decimals);
}

std::vector<std::string> report_cells(const Json& line) {
  const double gpu_s = line["gpu_s"], theirs_s = line["report_gpu_s"];
  return {line["program"].get<std::string>(),
          line["block"].dump(),
          line["runs"].dump(),
          report_number(line["gpu_s"], 8),
          report_number(line["cpu_s"], 8),
          line["wrong_elements"].dump() + " of " + line["checked_elements"].dump(),
          fixed(line["operations"].get<double>() / 1e6, 1),
          report_number(line["mflops_per_s"], 0),
          report_number(line["report_gpu_s"], 8),
          report_number(line["report_cpu_s"], 8),
          report_number(line["report_mflops_per_s"], 0),
          fixed(theirs_s / gpu_s, 2)};
}

}  // namespace

Rendered report_table(const RowIndex& rows) {
  const InputJson document = load_document("radix_report");
  const JsonReader reader(document, "radix_report.json");
  TextTable table({"program", "threads", "runs", "GPU s", "CPU s", "wrong elements", "Mop", "Mop/s",
                   "report: GPU s", "CPU s", "Mflops/s", "theirs / ours"});
  Rendered out;
  Json lines = Json::array();
  out.csv = "program,block,gpu_s,cpu_s,wrong_elements,operations,report_gpu_s,report_cpu_s\n";
  for (const JsonReader& theirs : reader.at("rows").items()) {
    const Json line = report_line(rows, theirs);
    table.add_row(report_cells(line));
    out.csv += line["program"].get<std::string>() + "," + line["block"].dump() + "," +
               line["gpu_s"].dump() + "," + line["cpu_s"].dump() + "," +
               line["wrong_elements"].dump() + "," + line["operations"].dump() + "," +
               line["report_gpu_s"].dump() + "," + line["report_cpu_s"].dump() + "\n";
    lines.push_back(line);
  }
  out.text =
      "The report's table: mean of single runs of the whole sort; the report's own figures are of "
      "an " +
      reader.at("device").string() + " and a " + reader.at("cpu").string() +
      "\n(wrong elements: of those compared before and after the runs of each round; Mop: "
      "arithmetic instructions of threads, counted)\n\n" +
      table.text(2);
  out.json = lines.dump(1) + "\n";
  return out;
}

}  // namespace pnsim::experiments
