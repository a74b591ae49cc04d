// The coloured grid declared in svg_plot.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "simulator/base/svg_canvas.h"
#include "simulator/base/svg_plot.h"
#include "simulator/base/svg_text.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr double kMinCellWidth = 84, kCellHeight = 46, kMinLeft = 96, kGridMargin = 24,
                 kMinGridWidth = 680;
constexpr double kMaxName = 240;  // longer names of rows, columns and marks are shortened
constexpr double kMarkKey = 26;
constexpr int kGridTextSize = 12, kValueSize = 13;
constexpr std::array kMarkColors = {"#D55E00", "#009E73", "#CC79A7", "#000000"};

struct Range {
  double low = 0, high = 1;
};

Range range_of(const HeatGrid& grid) {
  std::vector<double> all;
  for (const auto& row : grid.values) {
    std::copy_if(row.begin(), row.end(), std::back_inserter(all),
                 [](double v) { return std::isfinite(v); });
  }
  if (all.empty()) return {};
  return {*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
}

// Maps 0 to nearly white and 1 to dark blue.
std::string shade(double share) {
  constexpr std::array kLight = {240.0, 246.0, 252.0};
  constexpr std::array kDark = {8.0, 69.0, 130.0};
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    rgb[i] = static_cast<int>(std::lround(kLight[i] + share * (kDark[i] - kLight[i])));
  }
  char text[16];
  std::snprintf(text, sizeof text, "#%02X%02X%02X", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
  return text;
}

double widest(const std::vector<std::string>& names) {
  double width = 0;
  for (const std::string& name : names) width = std::max(width, text_width(name, kGridTextSize));
  return std::min(width, kMaxName);
}

std::vector<std::string> names_of(const std::vector<GridMark>& marks) {
  std::vector<std::string> names;
  for (const GridMark& mark : marks) names.push_back(mark.name);
  return names;
}

class GridWriter {
 public:
  explicit GridWriter(const HeatGrid& grid)
      : grid_(grid),
        range_(range_of(grid)),
        cell_width_(std::max(kMinCellWidth, widest(grid.columns) + 10)),
        grid_left_(std::max(kMinLeft, 44 + widest(grid.rows) + 8)),
        width_(cell_width_ * static_cast<double>(grid.columns.size())),
        height_(kCellHeight * static_cast<double>(grid.rows.size())),
        all_width_(std::max({grid_left_ + width_ + kGridMargin, kMinGridWidth,
                             grid_left_ + kMarkKey + widest(names_of(grid.marks)) + kGridMargin})),
        heading_(all_width_, grid.title, {grid.note}),
        grid_top_(heading_.height() + 20),
        canvas_(all_width_,
                grid_top_ + height_ + 70 + 20 * static_cast<double>(grid.marks.size())) {}

  std::string write() {
    canvas_.heading(heading_);
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) {
      for (std::size_t c = 0; c < grid_.columns.size(); ++c) cell(r, c);
      canvas_.label(grid_left_ - 8, top(r) + kCellHeight / 2 + 4, short_name(grid_.rows[r]), "end");
    }
    for (std::size_t c = 0; c < grid_.columns.size(); ++c) {
      canvas_.label(left(c) + cell_width_ / 2, grid_top_ + height_ + 18,
                    short_name(grid_.columns[c]), "middle");
    }
    canvas_.label(grid_left_ + width_ / 2, grid_top_ + height_ + 42, grid_.x_label, "middle", 14);
    canvas_.upright_label(24, grid_top_ + height_ / 2, grid_.y_label);
    canvas_.label(grid_left_, grid_top_ - 10, range_text(), "start", 12, "#555");
    for (std::size_t m = 0; m < grid_.marks.size(); ++m) mark(m);
    return canvas_.text();
  }

 private:
  double left(std::size_t column) const {
    return grid_left_ + cell_width_ * static_cast<double>(column);
  }
  double top(std::size_t row) const { return grid_top_ + kCellHeight * static_cast<double>(row); }

  std::string range_text() const {
    return "light " + fixed(range_.low, grid_.decimals) + " to dark " +
           fixed(range_.high, grid_.decimals) + (grid_.unit.empty() ? "" : " " + grid_.unit);
  }

  static std::string short_name(const std::string& name) {
    return fitted_text(name, kMaxName, kGridTextSize);
  }

  std::string tooltip(std::size_t r, std::size_t c) const {
    const std::string row = grid_.y_label.empty() ? "" : ", " + grid_.y_label + " " + grid_.rows[r];
    const double value = grid_.values[r][c];
    const std::string unit = grid_.unit.empty() ? "" : " " + grid_.unit;
    return grid_.x_label + " " + grid_.columns[c] + row + ": " +
           (std::isfinite(value) ? fixed(value, grid_.decimals) + unit : "no value");
  }

  void cell(std::size_t r, std::size_t c) {
    const double value = grid_.values[r][c];
    const double spread = range_.high - range_.low;
    const double share = spread > 0 ? (value - range_.low) / spread : 0;
    const bool empty = !std::isfinite(value);
    canvas_.box(left(c), top(r), cell_width_ - 2, kCellHeight - 2, empty ? "#eee" : shade(share),
                tooltip(r, c));
    canvas_.label(left(c) + cell_width_ / 2, top(r) + kCellHeight / 2 + 4,
                  empty ? "-" : fixed(value, grid_.decimals), "middle", kValueSize,
                  !empty && share > 0.5 ? "white" : "#222");
  }

  // Several marks of one cell are drawn inside each other.
  void mark(std::size_t m) {
    const GridMark& mark = grid_.marks[m];
    const std::string color = kMarkColors[m % kMarkColors.size()];
    const double inset = 2 + 4 * static_cast<double>(m);
    canvas_.outline(left(mark.column) + inset - 1, top(mark.row) + inset - 1,
                    cell_width_ - 2 * inset, kCellHeight - 2 * inset, color, 3);
    const double at = grid_top_ + height_ + 64 + 20 * static_cast<double>(m);
    canvas_.outline(grid_left_, at - 11, 16, 12, color, 3);
    canvas_.label(grid_left_ + kMarkKey, at, short_name(mark.name), "start", kGridTextSize, "#222",
                  mark.name);
  }

  const HeatGrid& grid_;
  Range range_;
  double cell_width_, grid_left_, width_, height_, all_width_;
  SvgHeading heading_;
  double grid_top_;
  SvgCanvas canvas_;
};

}  // namespace

std::string svg_text(const HeatGrid& grid) { return GridWriter(grid).write(); }

}  // namespace pnsim
