// The plots that the commands write can be read: texts fit, series differ, points have tooltips.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/experiments/validate/own_pages.h"
#include "tests/support/svg_check.h"

namespace pnsim::experiments {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> plots_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".svg") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_readable_plots(const std::string& folder, std::size_t count) {
  EXPECT_EQ(plots_in(folder).size(), count) << folder;
  for (const std::string& path : plots_in(folder)) {
    const std::string svg = file_text(path);
    expect_readable(svg, path);
    EXPECT_EQ(SvgCheck(svg).silent_markers(), 0u) << path;
  }
}

// Those with the most settings, the longest names, a grid, and panels.
TEST(ExperimentPlots, ShippedExperimentsHaveReadablePlots) {
  const std::vector<std::pair<std::string, std::size_t>> specs = {
      {"norm_group", 1}, {"block_sums", 2}, {"spmv", 1},
      {"softmax", 1},    {"sobel", 2},      {"radix -a l1=[20,30] -a l2=2 -a n[pow2]=[12:14]", 4}};
  for (const auto& [spec, count] : specs) {
    const std::string folder = scratch_folder();
    const ProgramResult run =
        run_program("run " + spec + " -q --compare-gpu=recorded --out " + folder);
    ASSERT_EQ(run.code, 0) << run.err;
    expect_readable_plots(folder, count);
    ASSERT_EQ(run_program("report " + folder + " -q").code, 0);
    expect_readable_plots(folder, count);
  }
}

TEST(ExperimentPlots, ShowThePredictedTimeBesideTheMeasuredOne) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program("run block_sums -q --compare-gpu=recorded --out " + folder).code, 0);
  const std::string svg = file_text(folder + "/block_scan.svg");
  for (const char* text :
       {"block_scan: predicted and measured time", "time (us)", "block=1024 shuffle=1 measured",
        "block=1024 shuffle=1 predicted", " us, predicted ", "error "}) {
    EXPECT_THAT(svg, testing::HasSubstr(text));
  }
}

TEST(ExperimentPlots, WithMoreSettingsThanColoursHavePanels) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program("run norm_group -q --compare-gpu=recorded --out " + folder).code, 0);
  const SvgCheck check(file_text(folder + "/norm_group.svg"));
  const auto looks = check.looks();
  ASSERT_EQ(looks.size(), 4u);                                // block = 32, 64, 256, 1024
  for (const auto& area : looks) EXPECT_EQ(area.size(), 8u);  // four groups, measured and predicted
}

TEST(ExperimentPlots, AValidationHasReadablePlots) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program("validate copy -q --out " + folder).code, 0);
  expect_readable_plots(folder, 2);
  const OwnFolder own;
  const std::string other = scratch_folder();
  ASSERT_EQ(run_program("validate " + own.options() + " --ablation -q --out " + other).code, 0);
  expect_readable_plots(other, 2);
}

}  // namespace
}  // namespace pnsim::experiments
