// The atomics document's plots.
#include <algorithm>

#include "experiments/tables/document_tables.h"
#include "simulator/base/error.h"
#include "simulator/base/json_reader.h"
#include "simulator/base/svg_plot.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

constexpr const char* kOperations[] = {"load", "store", "load_store", "red", "atomic"};
constexpr const char* kPatterns[] = {"conflict", "uncoalesced", "coalesced"};
constexpr const char* kBetween[] = {"nothing", "50_multiply_adds"};

std::string text_axis(const JsonReader& row, const char* axis) {
  return row.at("axes").at(axis).string();
}

std::vector<JsonReader> rows_of_bench(const RowIndex& rows, const std::string& bench) {
  std::vector<JsonReader> out;
  for (const InputJson& row : rows.all()) {
    if (row.value("kind", "") == "micro" && row.value("bench", "") == bench) {
      out.emplace_back(row, "row " + row.at("id").get<std::string>());
    }
  }
  if (out.empty()) {
    fail_unavailable("no microbenchmark \"" + bench +
                     "\" is recorded; on a machine with that GPU: "
                     "experiment microbench " +
                     bench);
  }
  return out;
}

// Points (axis, value), ascending by a numeric axis, of the rows that `is_wanted` accepts.
template <class Test>
PlotSeries series_over(const std::vector<JsonReader>& rows, const char* axis,
                       const std::string& name, int color, Test is_wanted) {
  std::vector<std::pair<double, double>> points;
  for (const JsonReader& row : rows) {
    if (is_wanted(row)) {
      points.emplace_back(row.at("axes").at(axis).number(0), row.at("value").number());
    }
  }
  std::sort(points.begin(), points.end());
  PlotSeries series{name, {}, {}, color, true, false, true};
  for (const auto& [x, y] : points) {
    series.x.push_back(x);
    series.y.push_back(y);
  }
  return series;
}

Plot pattern_plot(const std::vector<JsonReader>& rows, const std::string& pattern,
                  const std::string& between, const std::string& device) {
  Plot plot;
  plot.title = "Time of a warp's memory operation: " + pattern;
  plot.note = device + "; between two of them: " + between;
  plot.x = {"warps per SM", Scale::kLog2};
  plot.y = {"time (ns)", Scale::kLog10};
  int color = 0;
  for (const char* operation : kOperations) {
    plot.series.push_back(
        series_over(rows, "warps_per_sm", operation, color++, [&](const JsonReader& row) {
          return text_axis(row, "op") == operation && text_axis(row, "pattern") == pattern &&
                 text_axis(row, "between") == between;
        }));
  }
  return plot;
}

// An offset of 0 is drawn at 1 byte, because the axis is logarithmic.
Plot width_plot(const std::vector<JsonReader>& rows, const std::string& device) {
  Plot plot;
  plot.title = "Two warps at an offset: how wide the atomic lock is";
  plot.note = device + "; an offset of 0 is drawn at 1";
  plot.x = {"offset (byte)", Scale::kLog2};
  plot.y = {"time (ns)", Scale::kLog10};
  int color = 0;
  for (const char* operation : {"atomic", "load_store"}) {
    plot.series.push_back(
        series_over(rows, "offset_bytes", operation, color++,
                    [&](const JsonReader& row) { return text_axis(row, "op") == operation; }));
    for (double& x : plot.series.back().x) x = std::max(x, 1.0);
  }
  return plot;
}

void add_plot_rows(const Plot& plot, const std::string& pattern, const std::string& between,
                   TextTable& table, Json& json) {
  for (const PlotSeries& series : plot.series) {
    if (series.x.empty()) continue;
    std::vector<std::string> cells{pattern, between, series.name};
    for (const double y : {series.y.front(), series.y[series.y.size() / 2], series.y.back()}) {
      cells.push_back(significant(y, 4));
    }
    table.add_row(cells);
    json.push_back({{"pattern", pattern},
                    {"between", between},
                    {"operation", series.name},
                    {"x", series.x},
                    {"ns", series.y}});
  }
}

// The first offset at which the atomic takes at most half of its time at offset 0.
std::string width_text(const Plot& plot) {
  TextTable table({"operation", "same word ns", "farthest ns", "width byte"});
  for (const PlotSeries& series : plot.series) {
    if (series.x.empty()) continue;
    std::string width = "-";
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      if (series.y[i] > series.y.front() / 2) continue;
      width = significant(series.x[i], 5);
      break;
    }
    table.add_row(
        {series.name, significant(series.y.front(), 4), significant(series.y.back(), 4), width});
  }
  return table.text(2);
}

std::string clock_text(const RowIndex& rows) {
  TextTable table({"clock", "cycles per reading"});
  for (const JsonReader& row : rows_of_bench(rows, "clock_cost")) {
    table.add_row({text_axis(row, "clock"), significant(row.at("value").number(), 4)});
  }
  return table.text(2);
}

}  // namespace

AtomicsReport atomics_report(const RowIndex& rows, const std::string& device) {
  AtomicsReport out;
  TextTable table({"pattern", "between", "operation", "fewest warps ns", "middle", "most warps"});
  Json json = Json::array();
  const std::vector<JsonReader> operations = rows_of_bench(rows, "memory_operations");
  for (const char* pattern : kPatterns) {
    for (const char* between : kBetween) {
      const Plot plot = pattern_plot(operations, pattern, between, device);
      add_plot_rows(plot, pattern, between, table, json);
      out.plots.emplace_back("atomics_" + std::string(pattern) + "_" + between + ".svg",
                             svg_text(plot));
    }
  }
  const Plot width = width_plot(rows_of_bench(rows, "atomic_width"), device);
  out.plots.emplace_back("atomics_width.svg", svg_text(width));
  out.rendered.text = "Memory operations of a warp on the " + device +
                      ", ns each (experiment microbench)\n\n" + table.text(2) +
                      "\nTwo warps at an offset: the width is the first offset at half the time of "
                      "the same word\n\n" +
                      width_text(width) + "\nReading the clock\n\n" + clock_text(rows);
  out.rendered.json = json.dump(1) + "\n";
  return out;
}

}  // namespace pnsim::experiments
