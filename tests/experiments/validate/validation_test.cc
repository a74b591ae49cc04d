// Tests which points are validated, the predictions for them, and the report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "experiments/validate/validation_html.h"
#include "simulator/analysis/baselines/mwp_cwp.h"
#include "simulator/analysis/baselines/roofline.h"
#include "simulator/base/csv.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/validation_root.h"

namespace pnsim::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ValidationSet toy_set(const std::vector<std::string>& modes = {"warm"}) {
  const DeviceProfile device = load_device_profile("toy");
  return collect_points({load_spec("toy")}, device, RecordedResults("toy"), modes);
}

std::vector<Predicted> predicted_by(const PredictorRequest& request, const ValidationSet& set) {
  std::vector<Predicted> out;
  for (const Predictor& p : make_predictors(request, set)) {
    PredictedTimes times = p.predict(set.points);
    out.push_back({p.name, p.about, times.note, p.is_ablation, times.us});
  }
  return out;
}

Validation toy_validation(const std::vector<std::string>& modes = {"warm"}) {
  Validation v;
  v.set = toy_set(modes);
  v.predicted = predicted_by({{"sm", "wpnm"}, false, {}}, v.set);
  v.engine = "fast";
  v.command = "experiment validate toy";
  return v;
}

std::vector<std::string> names_in(const std::vector<Predicted>& predicted) {
  std::vector<std::string> names;
  for (const Predicted& p : predicted) names.push_back(p.name);
  return names;
}

TEST(Validation, TakesRecordedPointsWithProgramsAndNamesTheOthers) {
  const ValidationRoot files;
  const ValidationSet set = toy_set({"warm", "cold"});
  EXPECT_EQ(set.points.size(), 8u + 2u);
  for (const ValidationPoint& p : set.points) EXPECT_EQ(p.program, "toy_a");
  ASSERT_EQ(set.skipped.size(), 2u);
  EXPECT_EQ(set.skipped[0].program, "toy_a");
  EXPECT_EQ(set.skipped[0].points, 6u);
  EXPECT_EQ(set.skipped[0].why, "no cold time is recorded");
  EXPECT_EQ(set.skipped[1].program, "toy_b");
  EXPECT_EQ(set.skipped[1].points, 16u);
  EXPECT_THAT(set.skipped[1].why, HasSubstr("only counts"));
}

TEST(Validation, TakesAPointOfTwoSpecsOnce) {
  const ValidationRoot files;
  const Spec spec = load_spec("toy");
  const ValidationSet set =
      collect_points({spec, spec}, load_device_profile("toy"), RecordedResults("toy"), {"warm"});
  EXPECT_EQ(set.points.size(), 8u);
}

TEST(Validation, LeavesOutWhatWasNotProfiled) {
  const ValidationRoot files;
  Spec spec = load_spec("toy");
  override_axes(spec, {parse_axis("program=toy_a"), parse_axis("n=[4096,5000]")});
  const ValidationSet set =
      collect_points({spec}, load_device_profile("toy"), RecordedResults("toy"), {"warm"});
  EXPECT_EQ(set.points.size(), 2u);
  ASSERT_EQ(set.skipped.size(), 1u);
  EXPECT_EQ(set.skipped[0].why, "not profiled");
}

TEST(Validation, WithoutAnyPointTellsHowToGetThem) {
  const ValidationRoot files;
  const std::string said = test::error_of(ExitCode::kUnavailable, [] {
    collect_points({load_spec("toy")}, load_device_profile("toy"), RecordedResults("nobody"),
                   {"warm"});
  });
  EXPECT_THAT(said, HasSubstr("results/nobody: toy_a: no warm time is recorded; toy_b: its model"));
  EXPECT_THAT(said, HasSubstr("experiment measure"));
}

TEST(Validation, PointsThatDifferInTheConfigurationDoTheSameWork) {
  const ValidationRoot files;
  const ValidationSet set = toy_set();
  EXPECT_EQ(set.points[0].work(), "toy_a warm n=4096");
  EXPECT_EQ(set.points[1].work(), set.points[0].work());  // block 128
  EXPECT_NE(set.points[2].work(), set.points[0].work());  // n 8192
}

TEST(Predictors, AreTheNetsAndTheAnalyticalModels) {
  const ValidationRoot files;
  const ValidationSet set = toy_set();
  const std::vector<Predicted> all = predicted_by({{"sm", "wpnm"}, false, {}}, set);
  EXPECT_THAT(names_in(all), ElementsAre("sm", "wpnm", "roofline", "MWP-CWP"));
  const std::vector<Predicted> one = predicted_by({{"wpnm"}, false, {}}, set);
  EXPECT_THAT(names_in(one), ElementsAre("wpnm", "roofline", "MWP-CWP"));
  EXPECT_THAT(test::error_of(ExitCode::kUsage,
                             [&] {
                               predicted_by({{"wpnm"}, true, {}}, set);
                             }),
              HasSubstr("--ablation: the nets have no modules"))
      << "its steps have no unit";
}

TEST(Predictors, FitTheScaleOfTheTrainingPointsAndNothingElse) {
  const ValidationRoot files;
  const ValidationSet set = toy_set();
  const std::vector<Predicted> all = predicted_by({{"sm", "wpnm"}, false, {}}, set);
  double logs = 0;
  std::size_t training = 0;
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    if (!set.points[i].is_training) continue;
    ++training;
    logs += std::log(all[1].us[i] / set.points[i].measured_us());
  }
  EXPECT_NEAR(logs, 0, 1e-9);  // geometric mean of the ratios: 1
  EXPECT_THAT(all[1].note, HasSubstr("fitted on " + std::to_string(training) + " of the points"));
  for (const std::size_t p : {0u, 2u, 3u}) EXPECT_EQ(all[p].note, "");
}

TEST(Predictors, SeveralSuitesHaveOneScaleForAllAsWell) {
  const ValidationRoot files;
  const ValidationSet set = toy_set({"warm", "cold"});
  const std::vector<Predicted> all = predicted_by({{"wpnm"}, false, {}}, set);
  ASSERT_THAT(names_in(all), ElementsAre("wpnm", "wpnm, one scale", "roofline", "MWP-CWP"));
  // The same launch, warm and cold: only separate scales can distinguish them.
  EXPECT_EQ(set.points[0].mode, "warm");
  EXPECT_EQ(set.points[1].mode, "cold");
  EXPECT_NE(all[0].us[0], all[0].us[1]);
  EXPECT_EQ(all[1].us[0], all[1].us[1]);
}

TEST(Predictors, FormulasAddUpTheLaunchesOfAProgram) {
  const ValidationRoot files;
  InputJson model = parse_json(files.root.read("models/toy_a.json"), "toy_a");
  for (InputJson& point : model["points"]) {
    point["launches"].push_back(point["launches"][0]);
    point["launches"][1]["repeat"] = 3;
  }
  files.root.write("models/toy_a.json", model.dump());
  const ValidationSet set = toy_set();
  const std::vector<Predicted> all = predicted_by({{"sm"}, false, {}}, set);
  const Launch& launch = set.points[0].launches->launches[0];
  EXPECT_DOUBLE_EQ(all[1].us[0], 4 * roofline_us(launch, set.device));
  EXPECT_DOUBLE_EQ(all[2].us[0], 4 * mwp_cwp_us(launch, set.device));
}

// The programs exercise every module, so each ablation must change something. Removing a cost may
// change the interleaving and make a single point slower, but not all of them.
TEST(Predictors, AblationsAreNotSlowerThanTheNet) {
  const ValidationRoot files;
  const ValidationSet set = toy_set();
  const std::vector<Predicted> all = predicted_by({{"sm"}, true, {}}, set);
  const auto sum = [](const Predicted& p) {
    return std::accumulate(p.us.begin(), p.us.end(), 0.0);
  };
  ASSERT_EQ(all.size(), 3 + ablations().size() + heuristics().size());
  for (std::size_t p = 3; p < 3 + ablations().size(); ++p) {
    EXPECT_THAT(all[p].name, testing::StartsWith("sm without "));
    EXPECT_TRUE(all[p].is_ablation);
    const bool costs = all[p].name != "sm without port's order";  // its removal may save time
    EXPECT_LE(sum(all[p]), sum(all[0]) * (costs ? 1.05 : 1.1)) << all[p].name;
    EXPECT_NE(all[p].us, all[0].us) << all[p].name;
  }
}

TEST(Predictors, HaveEveryHeuristicSwitchedOffOnce) {
  const ValidationRoot files;
  const ValidationSet set = toy_set();
  const std::vector<Predicted> all = predicted_by({{"sm"}, true, {}}, set);
  std::size_t changed = 0;
  for (std::size_t h = 0; h < heuristics().size(); ++h) {
    const Predicted& p = all.at(3 + ablations().size() + h);
    EXPECT_EQ(p.name, "sm without heuristic " + std::string(heuristics()[h].name));
    EXPECT_TRUE(p.is_ablation);
    EXPECT_EQ(p.us.size(), set.points.size());
    changed += p.us != all[0].us ? 1 : 0;
  }
  EXPECT_GT(changed, 0u);
}

TEST(Predictors, UnknownAndDoubledNetsAreRefused) {
  const ValidationRoot files;
  const ValidationSet set = toy_set();
  EXPECT_THAT(test::input_error_of([&] {
                make_predictors({{"wpmn"}, false, {}}, set);
              }),
              HasSubstr("did you mean \"wpnm\"?"));
  EXPECT_THAT(test::error_of(ExitCode::kUsage,
                             [&] {
                               make_predictors({{"sm", "sm"}, false, {}}, set);
                             }),
              HasSubstr("sm is given twice"));
}

// Six points of two works with made-up predictions.
struct MadeUp {
  ValidationSet set;

  explicit MadeUp(const std::vector<double>& measured) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      ValidationPoint point;
      point.program = "p" + std::to_string(i / 3);
      point.configuration = "block=" + std::to_string(i % 3);
      point.mode = "warm";
      point.measured.median_us = measured[i];
      set.points.push_back(point);
    }
    set.modes = {"warm"};
  }
};

TEST(ValidationFigures, CountPairsOfOneWorkThatDifferByOverFivePercent) {
  // Among the first three, 100 and 104 are too close to count; with 200 each of them is a pair. The
  // second three are pairs among themselves, but not with the first three.
  const MadeUp made({100, 104, 200, 10, 20, 30});
  const std::vector<double> us{1, 5, 3, 2, 2, 9};
  const PredictorFigures all = figures_of(made.set.points, us, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(all.pairs.pairs, 5u);
  // 100 < 200 correct, 104 < 200 wrong; 10 < 20 equal, so wrong; 10 < 30 and 20 < 30 correct.
  EXPECT_EQ(all.pairs.correct, 3u);
  EXPECT_TRUE(std::isnan(figures_of(made.set.points, us, {0, 3}).pairs.share()));
}

TEST(ValidationFigures, PointsOfOneConfigurationAreNoPair) {
  MadeUp made({100, 200, 300});
  made.set.points[1].configuration = made.set.points[0].configuration;  // as if measured twice
  EXPECT_EQ(figures_of(made.set.points, {1, 2, 3}, {0, 1, 2}).pairs.pairs, 2u);
}

TEST(ValidationFigures, SummarizeErrorsAgainstTheMeasuredTime) {
  const MadeUp made({100, 100, 100, 10, 10, 10});
  const std::vector<double> us{110, 80, 100, 20, 5, 10};
  EXPECT_THAT(errors_of(made.set.points, us),
              ElementsAre(testing::DoubleEq(0.1), testing::DoubleEq(0.2), 0, 1, 0.5, 0));
  const PredictorFigures all = figures_of(made.set.points, us, {0, 1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(all.errors.mean, 0.3);
  EXPECT_DOUBLE_EQ(all.errors.median, 0.15);
  EXPECT_DOUBLE_EQ(all.errors.p90, 0.75);  // half way between the two largest
  EXPECT_DOUBLE_EQ(all.errors.worst, 1);
  EXPECT_GT(all.pearson_log, 0.8);
  EXPECT_TRUE(std::isnan(figures_of(made.set.points, us, {0, 1}).pearson_log));
  EXPECT_THAT(largest_first({0.1, 0.5, 0.1, 0.7}), ElementsAre(3, 1, 0, 2));
}

TEST(ValidationFigures, AConstantFactorIsAnErrorButNotADisorder) {
  const MadeUp made({10, 20, 40, 80, 160, 320});
  std::vector<double> us;
  for (const ValidationPoint& p : made.set.points) us.push_back(3 * p.measured_us());
  const PredictorFigures all = figures_of(made.set.points, us, {0, 1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(all.errors.mean, 2);
  EXPECT_NEAR(all.pearson_log, 1, 1e-12);
  EXPECT_EQ(all.pairs.share(), 1);
}

TEST(ValidationFigures, TheWorstProgramOfTheFirstPredictorIsFirst) {
  const MadeUp made({100, 100, 100, 10, 10, 10});
  const std::vector<Predicted> predicted{{"a", "", "", false, {100, 100, 100, 90, 90, 90}},
                                         {"b", "", "", false, {900, 900, 900, 10, 10, 10}}};
  const std::vector<FigureGroup> programs = program_figures(made.set, predicted);
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0].name, "p1");
  EXPECT_EQ(programs[0].of_predictor[0].errors.mean, 8);
  EXPECT_EQ(programs[0].of_predictor[1].errors.mean, 0);
  EXPECT_EQ(overall_figures(made.set, predicted).size(), 1u);
}

TEST(ValidationReport, SaysEverywhereThatTimesAreRecorded) {
  const ValidationRoot files;
  const Validation v = toy_validation();
  const std::string source = "measured times are RECORDED ones: results/toy";
  const std::string text = validation_text(v);
  EXPECT_THAT(text, testing::StartsWith("experiment validate: " + source + "\n8 points (warm"));
  EXPECT_THAT(text, testing::EndsWith("\n" + source + "\n"));
  for (const Section& section : validation_sections(v)) {
    EXPECT_THAT(section.title, HasSubstr("(recorded, toy)"));
  }
  EXPECT_THAT(text, HasSubstr("skipped: 8 points of toy_b: its model has only counts"));
  EXPECT_THAT(text, Not(HasSubstr("caches flushed")));
  EXPECT_THAT(text, HasSubstr("(MWP-CWP, of 2009, models GPUs without caches; "));
  EXPECT_THAT(validation_text(toy_validation({"cold"})), HasSubstr("caches flushed"));
}

TEST(ValidationReport, HasARowAPointWithEveryPredictor) {
  const ValidationRoot files;
  const Validation v = toy_validation({"warm", "cold"});
  const auto rows = parse_csv(validation_csv(v), "points.csv");
  ASSERT_EQ(rows.size(), 1 + v.set.points.size());
  for (const auto& row : rows) EXPECT_EQ(row.size(), 9 + 2 + 2 * v.predicted.size());
  EXPECT_EQ(rows[0][2], "block_threads") << "a column per axis, with its unit";
  EXPECT_EQ(rows[0][3], "n");
  EXPECT_EQ(rows[1][1], "block=" + rows[1][2] + " n=" + rows[1][3]);
  EXPECT_THAT(rows[0], testing::Contains("MWP_CWP_error"));
  const Json json = validation_json(v);
  EXPECT_EQ(json["points"].size(), v.set.points.size());
  EXPECT_EQ(json["overall"].size(), 3u);  // warm, cold, all
  EXPECT_EQ(json["overall"][2]["points_of"], "all");
  EXPECT_EQ(json["programs"].size(), 2u);  // toy_a warm, toy_a cold
  EXPECT_EQ(json["left_out"].size(), 2u);  // toy_a without cold times, toy_b
  EXPECT_EQ(json["provenance"]["command"], "experiment validate toy");
}

TEST(ValidationReport, LeavesTheSameFilesAnyTime) {
  const ValidationRoot files;
  const std::vector<std::string> names{"scatter.svg", "errors.svg", "points.csv", "summary.json",
                                       "report.md"};
  for (const char* folder : {"one", "two"}) {
    std::filesystem::create_directory(files.root.path(folder));
    EXPECT_EQ(write_validation(files.root.path(folder), toy_validation()), names);
    EXPECT_EQ(validation_files(), names);
  }
  for (const std::string& name : names) {
    EXPECT_EQ(files.root.read("one/" + name), files.root.read("two/" + name)) << name;
  }
  EXPECT_THAT(files.root.read("one/report.md"), HasSubstr("![scatter.svg](scatter.svg)"));
  EXPECT_THAT(files.root.read("one/scatter.svg"), HasSubstr("predicted = measured"));
}

TEST(ValidationHtml, HasTablesFiguresAndEveryPoint) {
  const ValidationRoot files;
  const Validation v = toy_validation();
  const std::string html = validation_html(v, [] {
    return std::vector<Section>{{"More of it", "what it says\n"}};
  });
  for (const Section& section : validation_sections(v)) {
    EXPECT_THAT(html, HasSubstr("<h2>" + section.title + "</h2>"));
  }
  EXPECT_THAT(html, HasSubstr("<h2>More of it</h2>\n<p>what it says</p>"));
  for (const char* figure : {"Predicted and measured times", "Errors in ascending order",
                             "Mean error by program and predictor",
                             "Pairs of configurations ranked correctly", "toy_a"}) {
    EXPECT_THAT(html, HasSubstr("<figcaption>" + std::string(figure)));
  }
  const std::string start = "id=\"validation\">";
  const std::size_t begin = html.find(start) + start.size();
  const Json data = Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  EXPECT_EQ(data["points"].size(), v.set.points.size());
}

TEST(ValidationHtml, NamesOfProgramsAreText) {
  const ValidationRoot files;
  Validation v = toy_validation();
  for (ValidationPoint& point : v.set.points) {
    point.program = "<script>alert(1)</script>";
    point.at = "<b>n</b>=1";
  }
  const std::string html = validation_html(v);
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)"));
}

// Two axes: the lines run over the one with more values, one pair of lines for each of the other.
TEST(ValidationHtml, APlotOfAProgramHasAPairOfLinesForEachSetting) {
  const ValidationRoot files;
  const auto plots = program_plots(toy_validation());
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].first, "toy_a");
  EXPECT_THAT(plots[0].second, HasSubstr("block=64 measured"));
  EXPECT_THAT(plots[0].second, HasSubstr("block=128 predicted"));
  EXPECT_THAT(plots[0].second, Not(HasSubstr("<title>n="))) << "n is the axis of the drawing";
}

}  // namespace
}  // namespace pnsim::experiments
