// Texts of drawings: their room, and drawings whose texts are longer than expected.
#include "simulator/base/svg_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/base/svg_plot.h"
#include "tests/support/svg_check.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SvgText, ShortTextsStayAsTheyAre) {
  EXPECT_EQ(fitted_text("block=64", 200, 12), "block=64");
  EXPECT_THAT(wrapped_text("two words", 200, 12), ElementsAre("two words"));
  EXPECT_TRUE(wrapped_text("", 200, 12).empty());
}

TEST(SvgText, LongTextsKeepTheirBeginningAndEnd) {
  const std::string text = "void at::native::vectorized_elementwise_kernel<4, at::native::Add>";
  const std::string fitted = fitted_text(text, 200, 12);
  EXPECT_LE(text_width(fitted, 12), 200);
  EXPECT_THAT(fitted, testing::StartsWith("void at"));
  EXPECT_THAT(fitted, HasSubstr("..."));
  EXPECT_THAT(fitted, testing::EndsWith("Add>"));
}

TEST(SvgText, CharactersOfSeveralBytesAreNotCut) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "\xC3\xA4";
  for (double width = 60; width < 90; width += 1) {
    const std::string fitted = fitted_text(text, width, 12);
    EXPECT_LE(text_width(fitted, 12), width);
    EXPECT_EQ((fitted.size() - 3) % 2, 0u);
    EXPECT_NE(fitted.find("...\xC3"), std::string::npos);
  }
}

TEST(SvgText, LinesAreBrokenAtSpaces) {
  const std::vector<std::string> lines = wrapped_text("one two three four five six", 90, 12);
  ASSERT_GT(lines.size(), 1u);
  std::string all;
  for (const std::string& line : lines) {
    EXPECT_LE(text_width(line, 12), 90);
    all += (all.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(all, "one two three four five six");
}

Plot crowded(int series, bool line, bool markers) {
  Plot plot;
  plot.title = "A title that is far longer than the drawing is wide, " + std::string(200, 'w');
  plot.note = "a note with many words " + std::string(300, ' ') + " and an end";
  plot.x = {"n", Scale::kLog2};
  plot.y = {"time (us)", Scale::kLog10};
  plot.right_label = "predicted steps";
  plot.right_factor = 1e7;
  for (int s = 0; s < series; ++s) {
    const double y = 1e-4 * (s + 1);
    PlotSeries one{
        "series " + std::to_string(s) + " " + std::string(2 * static_cast<std::size_t>(s), 'm'),
        {1, 1 << 20},
        {y, 1e6 * y},
        s,
        line,
        false,
        markers};
    plot.series.push_back(one);
  }
  return plot;
}

TEST(SvgPlot, ManySeriesWithLongNamesCanBeReadAndTold) {
  for (const bool markers : {true, false}) {
    const std::string svg = svg_text(crowded(32, true, markers));
    expect_readable(svg, markers ? "markers" : "lines");
    const SvgCheck check(svg);
    ASSERT_EQ(check.looks().size(), 1u);
    EXPECT_EQ(check.looks()[0].size(), 32u);
    EXPECT_EQ(check.silent_markers(), 0u);
  }
}

TEST(SvgPlot, PanelsHaveTheirOwnAreaAndLegend) {
  Plot plot = crowded(6, true, true);
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    plot.series[s].panel = s < 4 ? "block=32" : "block=64";
  }
  const std::string svg = svg_text(plot);
  expect_readable(svg, "panels");
  const auto looks = SvgCheck(svg).looks();
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks[0].size(), 4u);
  EXPECT_EQ(looks[1].size(), 2u);
  EXPECT_THAT(svg, HasSubstr(">block=64</text>"));
}

TEST(SvgPlot, APointSaysItsFiguresUnderThePointer) {
  Plot plot = crowded(1, false, true);
  EXPECT_THAT(svg_text(plot), HasSubstr("<title>series 0 : n 2^20, time (us) 100</title>"));
  plot.series[0].tooltips = {"first", "second"};
  EXPECT_THAT(svg_text(plot), HasSubstr("<title>second</title>"));
}

TEST(SvgGrid, LongNamesOfRowsAndColumnsFit) {
  HeatGrid grid;
  grid.title = "errors";
  grid.x_label = "kernel";
  grid.y_label = "device";
  grid.columns = {"a_kernel_with_a_name", std::string(100, 'W'), "c"};
  grid.rows = {"an NVIDIA device", std::string(80, 'm')};
  grid.values = {{5, 10, 1}, {20, std::nan(""), 2}};
  grid.unit = "%";
  grid.marks = {{0, 0, "a mark that is named " + std::string(90, 'M')}};
  const std::string svg = svg_text(grid);
  expect_readable(svg, "grid");
  EXPECT_THAT(svg, HasSubstr("<title>kernel c, device an NVIDIA device: 1.0 %</title>"));
}

}  // namespace
}  // namespace pnsim
