#include "experiments/report/report_html.h"

#include <gmock/gmock.h>

#include "simulator/base/svg_canvas.h"
#include "simulator/base/text_width.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

RunResults recorded_run() { return load_results(PNSIM_TEST_DATA "/experiment_run"); }

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

Json data_of(const std::string& html, const std::string& id) {
  const std::string start = "id=\"" + id + "\">";
  const std::size_t begin = html.find(start) + start.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

TEST(ReportHtml, HasTheTablesFiguresAndRowsOfTheRun) {
  const RunResults results = recorded_run();
  const std::string html = report_html(results);
  EXPECT_THAT(html, HasSubstr("measured times are RECORDED ones: results/toy"));
  for (const Section& section : summary_sections(results, analyse(results))) {
    EXPECT_THAT(html, HasSubstr("<h2>" + xml_escaped(section.title) + "</h2>"));
  }
  EXPECT_EQ(count_of(html, "<figure>"), 2 + plots(results).size());
  EXPECT_EQ(count_of(html, "<svg role=\"img\""), count_of(html, "<figure>"));
  EXPECT_EQ(data_of(html, "rows").size(), results.points.size());
  EXPECT_EQ(data_of(html, "rows")[0]["measured_us"], results.points[0].measured_us);
  EXPECT_EQ(data_of(html, "summary"), summary_json(results));
  EXPECT_THAT(html, HasSubstr("<td>toy_a</td>"));
}

TEST(ReportHtml, DoesNotDependOnTheTerminal) {
  const std::string wide = report_html(recorded_run());
  set_table_width(40);
  const std::string narrow = report_html(recorded_run());
  set_table_width(kAnyWidth);
  EXPECT_EQ(narrow, wide);
}

TEST(ReportHtml, NamesOfProgramsAreText) {
  RunResults results = recorded_run();
  const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=a>\"'&";
  results.info.spec.name = results.info.spec.description = results.info.command = hostile;
  for (PointResult& point : results.points) {
    if (point.point.program == "toy_a") point.point.program = hostile;
  }
  const std::string html = report_html(results);
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, HasSubstr("&lt;img src=x onerror=a&gt;"));
  EXPECT_EQ(data_of(html, "rows")[0]["program"], hostile);
}

TEST(SortedErrors, RiseToAllOfThePoints) {
  const PlotSeries series = sorted_errors({0.5, 0.0, 0.2, 0.1}, "a", 3);
  EXPECT_EQ(series.x, (std::vector<double>{25, 50, 75, 100}));
  EXPECT_EQ(series.y, (std::vector<double>{0.1, 10, 20, 50}));
}

}  // namespace
}  // namespace pnsim::experiments
