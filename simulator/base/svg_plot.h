// Plots as SVG text: lines and points over two axes, and grids of coloured cells. There is no
// dependency, script or locale: equal input gives equal bytes.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

enum class Scale { kLinear, kLog2, kLog10 };

struct PlotAxis {
  std::string label;  // with its unit: "time (us)"
  Scale scale = Scale::kLinear;
};

struct PlotSeries {
  std::string name;  // in the legend; "" omits the series from the legend
  // Equal sizes. A point that cannot be drawn (NaN, or not above 0 on a logarithmic axis) is
  // skipped.
  std::vector<double> x, y;
  // Which look: the 8 colours of the palette in turn, then again with other markers (or, without
  // markers, other dashes). Two series of one look differ by `dashed`.
  int look = 0;
  bool line = true;     // connects the points
  bool dashed = false;  // and its markers are hollow
  bool markers = true;
  std::vector<std::string> tooltips{};  // one per point; empty: the name and both values
  std::string panel{};  // series of one panel share a plotting area under this heading
};

struct Plot {
  std::string title;
  std::string note;  // one line under the title, "" for none
  PlotAxis x, y;
  // A second vertical axis on the right: the left axis times a factor. An empty label means no
  // axis.
  std::string right_label;
  double right_factor = 1;
  std::vector<PlotSeries> series;
};

// Each panel has a plotting area of its own, below the one before, with a legend beside it. All
// panels show the same ranges. The drawing is as large as its texts need; a name that is too long
// is shortened, and its tooltip has the whole.
std::string svg_text(const Plot& plot);

// A cell that the legend names and that is outlined in its own colour.
struct GridMark {
  std::size_t row = 0;
  std::size_t column = 0;
  std::string name;
};

struct HeatGrid {
  std::string title;
  std::string note;
  std::string x_label, y_label;             // labels of the columns and the rows
  std::vector<std::string> columns;         // names, left to right
  std::vector<std::string> rows;            // names, top to bottom
  std::vector<std::vector<double>> values;  // [row][column]; NaN is an empty cell
  int decimals = 1;                         // decimals of the number in each cell
  std::string unit;                         // unit of the numbers, shown in the legend
  std::vector<GridMark> marks;
};

// Low values are light, high values are dark.
std::string svg_text(const HeatGrid& grid);

}  // namespace pnsim
