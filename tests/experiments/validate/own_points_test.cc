// Tests points from a user's profile and times, and the messages about them.
#include "experiments/validate/own_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/validate/validation_report.h"
#include "simulator/base/csv.h"
#include "simulator/model/derive/profile_pages.h"
#include "tests/base/error_of.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Validation own_validation(const OwnFiles& files, const std::vector<std::string>& nets) {
  Validation v;
  v.set = own_points(files, "");
  for (const Predictor& p : make_predictors({nets, false, {}}, v.set)) {
    PredictedTimes times = p.predict(v.set.points);
    v.predicted.push_back({p.name, p.about, times.note, p.is_ablation, times.us});
  }
  return v;
}

std::string own_refusal(const std::string& what, const std::string& by) {
  const OwnFolder own(replaced(kOwnTimes, what, by));
  return test::input_error_of([&] { own_points(own.files, ""); });
}

TEST(OwnPoints, AreOnePerLaunchOfTheProfiledGpu) {
  const OwnFolder own;
  const ValidationSet set = own_points(own.files, "");
  ASSERT_EQ(set.points.size(), 5u);
  EXPECT_EQ(set.device.name, "h200");
  EXPECT_EQ(set.modes, std::vector<std::string>{"warm"});
  const ValidationPoint& point = set.points[3];
  EXPECT_EQ(point.program, "sum");  // the table's name, which is a part of the profile's
  EXPECT_EQ(point.launches->launches.at(0).kernel, "block_sum");
  EXPECT_EQ(point.measured_us(), 1.6);
  EXPECT_EQ(point.measured.source, own.files.times + ": row 5");
  EXPECT_EQ(point.at, "n2, block 256");
  EXPECT_EQ(set.points[0].at, "n1, first");
  EXPECT_EQ(set.points[2].work(), set.points[4].work());
  EXPECT_NE(set.points[2].configuration, set.points[4].configuration);
}

TEST(OwnPoints, ALaunchWithoutATimeIsSkipped) {
  const OwnFolder own(replaced(kOwnTimes, ",1.6", ","));
  const ValidationSet set = own_points(own.files, "");
  EXPECT_EQ(set.points.size(), 4u);
  ASSERT_EQ(set.skipped.size(), 1u);
  EXPECT_EQ(set.skipped[0].program, "block_sum");
  EXPECT_THAT(set.skipped[0].why, HasSubstr("it has no time"));
}

// Files hold rounded numbers. The prediction must equal that of `pnsim --model` for such a file.
TEST(OwnPoints, HaveTheModelsThatDeriveWrites) {
  const OwnFolder own;
  const ValidationSet set = own_points(own.files, "");
  const ProfilePages pages = read_profile_pages({kOwnRaw, kOwnSource});
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    const std::string text = kernel_model_text(model_of_launch(pages.launches[i], Json::object()));
    const KernelModel read = load_kernel_model(own.folder.write("model.json", text));
    const std::vector<Segment>& derived = read.points[0].launches[0].segments;
    const std::vector<Segment>& mine = set.points[i].launches->launches[0].segments;
    ASSERT_EQ(mine.size(), derived.size());
    for (std::size_t k = 0; k < mine.size(); ++k) EXPECT_EQ(mine[k].lanes, derived[k].lanes);
  }
}

TEST(OwnPoints, SayWhichKernelsWereInstrumented) {
  std::string times = replaced(kOwnTimes, "time_us\n", "time_us,instrumented\n");
  times = replaced(times, "1.2\n", "1.2,1\n");
  for (const std::string us : {"1.5", "1.1", "1.6", "1.4"})
    times = replaced(times, us + "\n", us + ",0\n");
  const OwnFolder own(times);
  const ValidationSet set = own_points(own.files, "");
  for (std::size_t i = 0; i < set.points.size(); ++i)
    EXPECT_EQ(set.points[i].launches->launches.at(0).is_instrumented, i == 0) << i;
}

TEST(OwnPoints, AKernelOrABlockOfAnotherLaunchIsRefused) {
  EXPECT_THAT(
      own_refusal("1,block_sum", "1,vector_ad"),
      HasSubstr("times.csv: row 3, column kernel: found \"vector_ad\", expected \"block_sum\" or a "
                "part of it, the kernel of launch 1 of the profile (ID 1); the nearest "
                "profiled kernel is \"vector_add\""));
  EXPECT_THAT(own_refusal("1,block_sum", "1,(int)"),
              HasSubstr("row 3, column kernel: found \"(int)\""));
  EXPECT_THAT(
      own_refusal("32x4", "32x8"),
      HasSubstr(
          "row 6, column block: found \"32x8\", expected 128 threads, the block of launch 4"));
}

TEST(OwnPoints, AGridOfAnotherLaunchIsRefused) {
  // The launches have 256 blocks, the last one has 512; only the last two rows state a grid.
  const auto with_grids = [](const std::string& sum, const std::string& last) {
    std::string times = replaced(replaced(kOwnTimes, "\n", ",\n"), "us,\n", "us,grid\n");
    times = replaced(times, "1.6,\n", "1.6," + sum + "\n");
    return OwnFolder(replaced(times, "1.4,\n", "1.4," + last + "\n"));
  };
  EXPECT_EQ(own_points(with_grids("16x16x1", "512").files, "").points.size(), 5u);
  const OwnFolder other = with_grids("16x16x1", "256x1x1");
  EXPECT_THAT(
      test::input_error_of([&] { own_points(other.files, ""); }),
      HasSubstr("row 6, column grid: found 256 blocks, expected 512, the grid of launch 4"));
}

// Errors of 100,000 % would be called errors of the net.
TEST(OwnPoints, TimesInAnotherUnitThanMicrosecondsAreRefused) {
  const auto said = [](double factor) {
    std::string table = "index,kernel,problem,block,time_us\n";
    const std::vector<std::string> rows{"0,vector_add,n1,256,", "1,block_sum,n1,256,",
                                        "2,vector_add,n2,256,", "3,sum,n2,256,",
                                        "4,vector_add,n2,32x4,"};
    for (const std::string& row : rows) table += row + std::to_string(2.0 * factor) + "\n";
    const OwnFolder own(table);
    return test::input_error_of([&] { own_points(own.files, ""); });
  };
  EXPECT_THAT(said(1e-3), HasSubstr("times.csv: column time_us: the median"));
  EXPECT_THAT(said(1e-3), HasSubstr("seem to be in milliseconds"));
  EXPECT_THAT(said(1e3), HasSubstr("seem to be in nanoseconds"));
}

TEST(OwnPoints, NamesWithArgumentsAndTemplatesAreOfTheirKernel) {
  const OwnFolder own(replaced(kOwnTimes, "1,block_sum", "1,void block_sum<int>(int *)"));
  EXPECT_EQ(own_points(own.files, "").points.size(), 5u);
}

TEST(OwnPoints, AnotherGpuIsPredictedWhenAskedFor) {
  const OwnFolder own;
  const ValidationSet set = own_points(own.files, "rtx2060super");
  EXPECT_EQ(set.device.name, "rtx2060super");
  EXPECT_EQ(set.times.device, "h200");
  EXPECT_THAT(test::input_error_of([&] { own_points(own.files, "h20"); }),
              HasSubstr("h20: no profile of this GPU is shipped"));
}

// Errors of H100 predictions against H200 times say nothing about the model.
TEST(OwnPoints, TimesOfAnotherGpuThanThePredictedOneAreWarnedOf) {
  const OwnFolder own;
  Validation v;
  v.set = own_points(own.files, "h100");
  v.predicted.push_back({"sm", "", "", false, std::vector<double>(v.set.points.size(), 1.0)});
  const std::string text = validation_text(v);
  EXPECT_THAT(text, HasSubstr("warning: the measured times are of NVIDIA H200, and the predictions "
                              "are for NVIDIA H100 80GB HBM3: "));
  EXPECT_THAT(text, HasSubstr("All points (times.csv, h200 times, predicted for h100)"));
  EXPECT_EQ(own_points(own.files, "h200").times.other_gpu, "");
  EXPECT_EQ(own_points(own.files, "").times.brief, "times.csv, h200");
}

TEST(OwnPoints, AGpuWithoutProfileAndTwoGpusAreRefused) {
  OwnFolder own;
  const std::string raw = read_file(kOwnRaw);
  own.files.pages = own.folder.write("raw.csv", replaced(raw, "NVIDIA H200", "NVIDIA H300"));
  EXPECT_THAT(
      test::input_error_of([&] { own_points(own.files, ""); }),
      AllOf(HasSubstr("raw.csv: launches on NVIDIA H300: the kernel was profiled on \"h300\", and "
                      "there is no device profile of that name. A device profile holds"),
            HasSubstr("`experiment device --name h300` measures it"),
            HasSubstr("`pnsim device scale h200 --set "), HasSubstr("add --device NAME: ")));
  EXPECT_EQ(own_points(own.files, "h200").points.size(), 5u);
  std::string mixed = raw;
  mixed.replace(mixed.rfind("NVIDIA H200"), 11, "NVIDIA H100");
  own.files.pages = own.folder.write("raw.csv", mixed);
  EXPECT_THAT(test::input_error_of([&] { own_points(own.files, ""); }),
              HasSubstr("found launch 4 on \"NVIDIA H100\", expected all on \"NVIDIA H200\""));
}

TEST(OwnPoints, AreJudgedInTheTablesOfRecordedOnes) {
  const OwnFolder own;
  const Validation v = own_validation(own.files, {"sm"});
  const std::string line =
      "measured times are those of " + own.files.times + ", of launches profiled on NVIDIA H200";
  const std::string text = validation_text(v);
  EXPECT_THAT(text, testing::StartsWith("experiment validate: " + line + "\n5 points (warm"));
  EXPECT_THAT(text, testing::EndsWith("\n" + line + "\n"));
  EXPECT_THAT(text, Not(HasSubstr("ecorded")));
  for (const Section& section : validation_sections(v)) {
    EXPECT_THAT(section.title, HasSubstr("(times.csv, h200)"));
  }
  const Json json = validation_json(v);
  EXPECT_EQ(json["overall"][0]["predictors"]["sm"]["pairs"], 1);
  EXPECT_EQ(json["overall"][0]["predictors"]["sm"]["pairs_right"], 1);
  EXPECT_EQ(json["times"], "times.csv, h200");
  EXPECT_EQ(json["points"][4]["problem"], Json({{"problem", "n2"}, {"block", "32x4"}}));
  const auto rows = parse_csv(validation_csv(v), "points.csv");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_THAT(std::vector(rows[0].begin(), rows[0].begin() + 6),
              ElementsAre("program", "point", "block_threads", "config", "problem", "mode"));
  EXPECT_THAT(std::vector(rows[1].begin(), rows[1].begin() + 12),
              ElementsAre("vector_add", "n1, first", testing::_, "first", "n1", "warm", "times.csv",
                          "0", "1.2000", "", "", own.files.times + ": row 2"));
}

TEST(OwnPoints, NothingIsFittedToTheirTimes) {
  const OwnFolder own, slower(replaced(kOwnTimes, ",1.", ",11."));
  const Validation v = own_validation(own.files, {"sm", "wpnm"});
  ASSERT_EQ(v.predicted.size(), 4u);
  EXPECT_EQ(v.predicted[1].name, "wpnm");
  EXPECT_THAT(v.predicted[1].note,
              HasSubstr("ns per step, fitted to other programs: results/h200"));
  const Validation other = own_validation(slower.files, {"sm", "wpnm"});
  for (std::size_t p = 0; p < 4; ++p) EXPECT_EQ(v.predicted[p].us, other.predicted[p].us);
}

TEST(OwnPoints, AMissingTimePerStepIsFour) {
  const OwnFolder own;
  const ValidationSet set = own_points(own.files, "rtx2060super");
  const std::string said = test::error_of(ExitCode::kUnavailable, [&] {
    make_predictors({{"wpnm"}, false, {}}, set);
  });
  EXPECT_THAT(said,
              HasSubstr("no time per step of wpnm (S=4 l1=20 l2=2) is recorded for rtx2060super"));
  EXPECT_THAT(said, HasSubstr("experiment calibrate"));
}

}  // namespace
}  // namespace pnsim::experiments
