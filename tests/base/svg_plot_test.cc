#include "simulator/base/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <pugixml.hpp>

#include "simulator/base/svg_canvas.h"

namespace pnsim {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The parsed drawing. The test fails when it is not well-formed XML.
struct Drawing {
  explicit Drawing(const std::string& svg) {
    EXPECT_TRUE(document.load_string(svg.c_str())) << svg;
    root = document.child("svg");
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const auto& node : root.children("text")) out.push_back(node.text().as_string());
    return out;
  }
  std::size_t count(const char* element) const {
    std::size_t n = 0;
    for ([[maybe_unused]] const auto& node : root.children(element)) ++n;
    return n;
  }
  pugi::xml_document document;
  pugi::xml_node root;
};

Plot times() {
  Plot plot;
  plot.title = "times";
  plot.x = {"n (keys)", Scale::kLog2};
  plot.y = {"time (us)", Scale::kLog10};
  plot.series = {{"measured", {4096, 8192, 16384}, {10, 100, 1000}, 0, true, false, true}};
  return plot;
}

double attribute(const pugi::xml_node& node, const char* name) {
  return node.attribute(name).as_double();
}

std::vector<pugi::xml_node> dots(const Drawing& drawing) {
  const auto range = drawing.root.children("circle");
  return {range.begin(), range.end()};
}

TEST(SvgPlot, LabelsBothAxesAndTheSeries) {
  const Drawing drawing(svg_text(times()));
  EXPECT_THAT(drawing.texts(), Contains("n (keys)"));
  EXPECT_THAT(drawing.texts(), Contains("time (us)"));
  EXPECT_THAT(drawing.texts(), Contains("measured"));
  EXPECT_THAT(drawing.texts(), Contains("times"));
}

TEST(SvgPlot, TicksOfLogarithmicAxesArePowers) {
  const Drawing drawing(svg_text(times()));
  EXPECT_THAT(drawing.texts(), Contains("2^12"));
  EXPECT_THAT(drawing.texts(), Contains("2^14"));
  EXPECT_THAT(drawing.texts(), Contains("100"));
}

TEST(SvgPlot, EqualRatiosAreEqualDistancesOnLogarithmicAxes) {
  const Drawing drawing(svg_text(times()));
  const auto at = dots(drawing);
  ASSERT_EQ(at.size(), 4u);  // three points and one in the legend
  EXPECT_NEAR(attribute(at[1], "cx") - attribute(at[0], "cx"),
              attribute(at[2], "cx") - attribute(at[1], "cx"), 0.02);
  EXPECT_NEAR(attribute(at[0], "cy") - attribute(at[1], "cy"),
              attribute(at[1], "cy") - attribute(at[2], "cy"), 0.02);
  EXPECT_GT(attribute(at[0], "cy"), attribute(at[2], "cy"));  // higher values are further up
}

TEST(SvgPlot, EqualDifferencesAreEqualDistancesOnLinearAxes) {
  Plot plot = times();
  plot.x = {"x", Scale::kLinear};
  plot.y = {"y", Scale::kLinear};
  plot.series[0].x = {0, 5, 10};
  plot.series[0].y = {-1, 0, 1};
  const Drawing drawing(svg_text(plot));
  const auto at = dots(drawing);
  EXPECT_NEAR(attribute(at[1], "cx") - attribute(at[0], "cx"),
              attribute(at[2], "cx") - attribute(at[1], "cx"), 0.02);
  EXPECT_THAT(drawing.texts(), Contains("-1"));
  EXPECT_THAT(drawing.texts(), Contains("10"));
}

TEST(SvgPlot, ZeroHasNoSign) {
  Plot plot = times();
  plot.x = {"x", Scale::kLinear};
  plot.series[0].x = {0, 50, 100};
  const Drawing drawing(svg_text(plot));
  EXPECT_THAT(drawing.texts(), Contains("0"));
  EXPECT_THAT(drawing.texts(), Not(Contains("-0")));
}

TEST(SvgPlot, TheRightAxisIsTheLeftOneTimesItsFactor) {
  Plot plot = times();
  plot.right_label = "steps";
  plot.right_factor = 1000;
  const Drawing drawing(svg_text(plot));
  EXPECT_THAT(drawing.texts(), Contains("steps"));
  double left = 0, right = 0;
  for (const auto& node : drawing.root.children("text")) {
    if (node.text().as_string() == std::string("100")) left = attribute(node, "y");
    if (node.text().as_string() == std::string("100000")) right = attribute(node, "y");
  }
  EXPECT_GT(left, 0);
  EXPECT_NEAR(left, right, 0.02);
}

TEST(SvgPlot, PointsThatCannotBeDrawnAreLeftOut) {
  Plot plot = times();
  plot.series[0].y = {10, 0, std::nan("")};
  const std::string svg = svg_text(plot);
  EXPECT_EQ(Drawing(svg).count("circle"), 2u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(SvgPlot, OnePointOrNoneStillGivesAPlot) {
  Plot plot = times();
  plot.series[0].x = {4096};
  plot.series[0].y = {10};
  EXPECT_EQ(Drawing(svg_text(plot)).count("circle"), 2u);
  plot.series.clear();
  EXPECT_EQ(Drawing(svg_text(plot)).count("circle"), 0u);
}

TEST(SvgPlot, DashesMarkAndNamesAreEscaped) {
  Plot plot = times();
  plot.series[0].dashed = true;
  plot.series[0].name = "a < b & \"c\"";
  const std::string svg = svg_text(plot);
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray"));
  EXPECT_THAT(Drawing(svg).texts(), Contains("a < b & \"c\""));
}

TEST(SvgPlot, ControlCharactersThatXmlCannotHoldAreReplaced) {
  EXPECT_EQ(xml_escaped(std::string("a\x01\0b\x1b[31m\tc\nd", 13)), "a??b?[31m\tc\nd");
  EXPECT_EQ(xml_escaped("\u00e4\u2026"), "\u00e4\u2026");
  Plot plot = times();
  plot.series[0].name = "scan\x02";
  EXPECT_THAT(Drawing(svg_text(plot)).texts(), Contains("scan?"));
}

TEST(SvgPlot, EqualInputGivesEqualBytes) { EXPECT_EQ(svg_text(times()), svg_text(times())); }

HeatGrid errors() {
  HeatGrid grid;
  grid.title = "errors";
  grid.x_label = "l1";
  grid.y_label = "l2";
  grid.columns = {"10", "20"};
  grid.rows = {"1", "2"};
  grid.values = {{5, 10}, {20, std::nan("")}};
  grid.unit = "%";
  grid.marks = {{0, 0, "best"}, {1, 0, "the paper's"}};
  return grid;
}

TEST(SvgGrid, ShowsEveryValueAndBothLabels) {
  const Drawing drawing(svg_text(errors()));
  for (const char* text : {"5.0", "10.0", "20.0", "-", "l1", "l2", "best", "the paper's",
                           "light 5.0 to dark 20.0 %"}) {
    EXPECT_THAT(drawing.texts(), Contains(text));
  }
}

TEST(SvgGrid, LowIsLightAndHighIsDark) {
  const std::string svg = svg_text(errors());
  EXPECT_THAT(svg, HasSubstr("#F0F6FC"));  // 5, the lowest
  EXPECT_THAT(svg, HasSubstr("#084582"));  // 20, the highest
  EXPECT_THAT(svg, HasSubstr("#eee"));     // the empty cell
}

TEST(SvgGrid, EqualValuesAreAllLight) {
  HeatGrid grid = errors();
  grid.values = {{5, 5}, {5, 5}};
  const std::string svg = svg_text(grid);
  EXPECT_THAT(svg, HasSubstr("#F0F6FC"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(SvgNumber, HasAtMostTwoDecimalsAndNoneThatAreZero) {
  EXPECT_EQ(svg_number(3), "3");
  EXPECT_EQ(svg_number(3.5), "3.5");
  EXPECT_EQ(svg_number(-0.25), "-0.25");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(100), "100");
}

}  // namespace
}  // namespace pnsim
