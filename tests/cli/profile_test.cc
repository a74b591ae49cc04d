// Tests `pnsim derive` with profiles as people have them, and the warnings of their predictions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/base/csv.h"
#include "simulator/base/json.h"
#include "tests/cli/program.h"
#include "tests/cli/torch_models.h"
#include "tests/support/fake_ncu.h"

namespace pnsim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> kinds_of(const Json& report) {
  std::vector<std::string> kinds;
  for (const Json& warning : report.at("warnings")) kinds.push_back(warning.at("kind"));
  return kinds;
}

TEST(TorchProfile, IsPredictedInOneTableWithMarks) {
  const std::string folder = torch_models();
  const ProgramResult all = run_program("--model " + folder);
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("6 kernel models on net sm, NVIDIA H100 80GB HBM3"));
  EXPECT_THAT(all.out, HasSubstr("  tensor, bulk-copy, spinning"));
  EXPECT_THAT(all.out, HasSubstr("\n  tensor (1 model): tensor cores: it is an estimate for which "
                                 "copies of other warps a warp waits\n"));
  const Json printed = Json::parse(run_program("--model " + folder + " --json").out);
  EXPECT_THAT(kinds_of(printed["models"][3]), testing::Contains("tensor"));
  EXPECT_TRUE(kinds_of(printed["models"][0]).empty());
  const auto csv = parse_csv(run_program("--model " + folder + " --csv").out, "csv");
  const auto column = std::find(csv[0].begin(), csv[0].end(), "warnings") - csv[0].begin();
  EXPECT_THAT(csv[4].at(static_cast<std::size_t>(column)), HasSubstr("tensor"));
  EXPECT_EQ(csv[1].at(static_cast<std::size_t>(column)), "");
}

TEST(TorchProfile, APredictionSaysWhatItDoesNotCover) {
  const std::string model = torch_models() + kProduct;
  for (const std::string net : {"", " --net sm"}) {
    const ProgramResult result = run_program("--model " + model + net);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("\nwarning: tensor         ")) << net;
    EXPECT_THAT(result.out, HasSubstr("\nwarning: spinning       ")) << net;
    EXPECT_THAT(result.out, Not(HasSubstr("Believe net sm"))) << net;
    EXPECT_THAT(kinds_of(Json::parse(run_program("--model " + model + net + " --json").out)),
                testing::Contains("bulk-copy"));
  }
  EXPECT_THAT(
      run_program("--model " + model).out,
      HasSubstr("\nNet sm does not model all waits of what the warnings above name (tensor, "));
  const ProgramResult csv = run_program("--model " + model + " --csv");
  EXPECT_THAT(csv.err, HasSubstr("tensor: ")) << "the CSV has no place for it";
  EXPECT_THAT(run_program("--model " + model + " -q --csv").out, HasSubstr("nvjet"));
}

std::vector<std::string> first_words(const std::string& text, const std::string& end) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = words_of(line);
    if (!words.empty() && words[0].ends_with(end)) out.push_back(words[0]);
  }
  return out;
}

TEST(TorchProfile, TheTableIsOrderedByTimeOrErrorAndCutToTheFirst) {
  const std::string folder = torch_models();
  const std::string command = "--model " + folder + " --net sm";
  const Json all = Json::parse(run_program(command + " --json").out)["models"];
  const Json timed = Json::parse(run_program(command + " --sort time --json").out)["models"];
  ASSERT_EQ(timed.size(), all.size());
  for (std::size_t i = 1; i < timed.size(); ++i) {
    EXPECT_GE(timed[i - 1]["time_us"]["value"], timed[i]["time_us"]["value"]);
  }
  const ProgramResult top = run_program(command + " --sort time --top 2");
  EXPECT_EQ(Json::parse(run_program(command + " --sort time --top 2 --json").out)["models"].size(),
            2u);
  EXPECT_THAT(top.out, HasSubstr("; 2 of them are shown, those with most time\n"));
  EXPECT_THAT(top.out, HasSubstr("  share %  "));
  EXPECT_EQ(parse_csv(run_program(command + " --sort time --top 2 --csv").out, "csv")[1][0],
            timed[0]["file"]);
  const auto error_of = [](const std::vector<std::string>& row) {
    return std::abs(std::stod(row[7]) / std::stod(row[9]) - 1);  // against the profiled time
  };
  const auto errors = parse_csv(run_program(command + " --sort error --csv").out, "csv");
  for (std::size_t i = 2; i < errors.size(); ++i) {
    EXPECT_GE(error_of(errors[i - 1]), error_of(errors[i]));
  }
  for (const std::string& bad : {command + " --sort tim", std::string("--model copy --top 3"),
                                 std::string("--model copy --sort time")}) {
    const ProgramResult result = run_program(bad);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, testing::AnyOf(HasSubstr("did you mean \"time\"?"),
                                           HasSubstr("pnsim --model FOLDER --sort time")));
  }
}

TEST(TorchProfile, TheTableShortensNamesAndSaysHowMuchTimeIsLessCertain) {
  const std::string folder = torch_models();
  const ProgramResult result = run_program("--model " + folder + " --net sm --reasons");
  EXPECT_THAT(first_words(result.out, "...").size(), testing::Gt(2u)) << result.out;
  EXPECT_THAT(result.out,
              HasSubstr("  vectorized_elementwise_kernel<4, CUDAFunctor_add<floa...  "));
  EXPECT_THAT(result.out, HasSubstr("  fill<unsigned int, unsigned int>  "));
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
    return most;
  };
  EXPECT_LT(widest(run_program("--model " + folder + " --net sm").out), 200u);
  EXPECT_LT(widest(result.out), 230u) << "with the column of bottlenecks";
  EXPECT_THAT(result.out, HasSubstr(" with warnings: "));
  EXPECT_THAT(result.out, HasSubstr(" %) of the predicted time is less certain\n"));
  EXPECT_THAT(result.out, HasSubstr("% of profiled"));
  EXPECT_THAT(
      result.out,
      HasSubstr("\n% of profiled: the prediction over the time under the profiler, which is "
                "usually longer:\n  back to back, recorded launches of 100 us and more"));
}

// The paper's net turns steps into time by a scale of other programs.
TEST(OwnModels, TheTableSaysThatAScaleIsBorrowed) {
  const std::string folder = scratch_folder() + "/models",
                    says = "paper's net us: the time scale of";
  ASSERT_EQ(run_program("derive --ncu " + kPages + "/vectors/ncu_raw.csv --source " + kPages +
                        "/vectors/ncu_source.csv -o " + folder)
                .code,
            0);
  EXPECT_THAT(run_program("--model " + folder).out, HasSubstr(says + " 5 models is borrowed"));
  EXPECT_THAT(run_program("--model " + folder + " --net sm").out, Not(HasSubstr("borrowed")));
  EXPECT_THAT(run_program("--model " + folder + " --net wpnm").out,
              HasSubstr("\npredicted us: the time scale of 5 models is borrowed"));
}

TEST(OwnModels, TheProfiledTimeStandsWithWhatIsUsual) {
  const std::string folder = scratch_folder() + "/models";
  ASSERT_EQ(run_program("derive --ncu " + kPages + "/vectors/ncu_raw.csv --source " + kPages +
                        "/vectors/ncu_source.csv -o " + folder)
                .code,
            0);
  for (const std::string net : {"", " --net sm"}) {
    EXPECT_THAT(run_program("--model " + folder + "/0000-vector_add.json" + net).out,
                HasSubstr("under the profiler; back to back, recorded launches of less than 20 us "
                          "take 0.47 to 1.03 times it)\n"));
  }
}

// Counts of a launch whose prediction is far from its time under the profiler.
TEST(OwnModels, FarOnTheProfiledGpuStaysWhenAnotherIsPredicted) {
  const std::string folder = scratch_folder() + "/models";
  ASSERT_EQ(run_program("derive --ncu " + kPages + "/vectors/ncu_raw.csv --source " + kPages +
                        "/vectors/ncu_source.csv -o " + folder)
                .code,
            0);
  const std::string file = folder + "/0000-vector_add.json";
  Json model = Json::parse(file_text(file));
  model["provenance"]["profiled_us"] = 30;
  write_text(file, model.dump());
  EXPECT_THAT(run_program("--model " + file).out, HasSubstr("warning: far"));
  for (const std::string net : {"", " --net sm"}) {
    const ProgramResult other = run_program("--model " + file + " --device h100" + net);
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_THAT(other.out, HasSubstr("warning: far")) << net;
    EXPECT_THAT(other.out, HasSubstr("On h200, where it was profiled: The")) << net;
    EXPECT_THAT(other.out, Not(HasSubstr("Believe net sm"))) << net;
  }
  const ProgramResult all = run_program("--model " + folder + " --device h100");
  EXPECT_THAT(all.out, HasSubstr("far (1 model)")) << "only the one that was far";
}

TEST(TorchProfile, WhereNoUnitLimitsTheTableNamesNone) {
  const std::string folder = torch_models();
  const Json models =
      Json::parse(run_program("--model " + folder + " --net sm --reasons --json").out)["models"];
  const std::string table = run_program("--model " + folder + " --net sm --reasons").out;
  std::size_t without = 0;
  for (const Json& model : models) {
    const std::string limit = model["breakdown"]["nearest_limit"];
    without += limit.starts_with("none: ") ? 1 : 0;
  }
  std::size_t told = 0;
  for (std::size_t at = 0; (at = table.find("  none (", at)) != std::string::npos; ++at) ++told;
  EXPECT_GT(without, 0u);
  EXPECT_EQ(told, without) << table;
}

TEST(TorchProfile, RankRefusesDifferentKernelsAndNamesTheTable) {
  const std::string folder = torch_models();
  const ProgramResult refused = run_program("rank " + folder);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("are different kernels"),
                                 HasSubstr("type: pnsim --model " + folder + " --sort time\n")));
  const std::string file = folder + "/0000-at__native__vectorized_elementwise_kernel.json";
  const ProgramResult one = run_program("rank " + file + " -a device=[h100,h200]");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, AllOf(Not(HasSubstr("()")), HasSubstr("  profiled\n")));
}

TEST(TorchProfile, AProfiledTimeStandsBesidePredictionsForItsOwnGpuOnly) {
  const std::string model = torch_models() + kProduct;
  EXPECT_THAT(run_program("--model " + model).out,
              AllOf(HasSubstr("profiled us  % of profiled"), Not(HasSubstr("error %"))));
  EXPECT_THAT(run_program("--model " + model + " --device h200").out,
              Not(HasSubstr("profiled us")));
}

// Pages of five launches, in which a column of launch 3 (block_sum) is multiplied.
std::string pages_with(const std::string& folder, const std::string& column, double factor) {
  auto rows = parse_csv(file_text(kPages + "/vectors/ncu_raw.csv"), "raw.csv");
  const auto at = std::find(rows[0].begin(), rows[0].end(), column) - rows[0].begin();
  std::string& cell = rows.at(5).at(static_cast<std::size_t>(at));  // behind head and units
  std::erase(cell, ',');
  cell = std::to_string(static_cast<long>(std::stod(cell) * factor));
  std::string text;
  for (const auto& row : rows) text += csv_line(row);
  write_text(folder + "/raw.csv", text);
  return "derive --ncu " + folder + "/raw.csv --source " + kPages + "/vectors/ncu_source.csv -o " +
         folder + "/m ";
}

TEST(ProfileOfANovice, PredicatesThatDifferALittleCostNoLaunch) {
  const std::string folder = scratch_folder();
  const ProgramResult derived = run_program(pages_with(folder, "thread_inst_executed_true", 1.014));
  EXPECT_EQ(derived.code, 0);
  EXPECT_THAT(derived.err, AllOf(HasSubstr("tolerated: "), HasSubstr(" (-1.4 %)\n"),
                                 HasSubstr(" launches equal the raw page's; 1 differ"),
                                 Not(HasSubstr("skipped"))));
  EXPECT_THAT(derived.err, HasSubstr("5 models were made, one for each launch; the tolerated "
                                     "differences need no action\n"));
  EXPECT_THAT(derived.err, HasSubstr("next: pnsim --model " + folder + "/m\n"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/m/0003-block_sum.json"));
}

TEST(ProfileOfANovice, ALargerDifferenceIsAcceptedByTheOptionThatTheMessageNames) {
  const std::string folder = scratch_folder();
  const std::string derive = pages_with(folder, "thread_inst_executed", 1.05);
  const ProgramResult refused = run_program(derive);
  EXPECT_EQ(refused.code, 0);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(" (-4.8 %)"), HasSubstr("skipped 1 of 5 launches"),
                                 HasSubstr("add: --tolerance 5\n")));
  EXPECT_FALSE(std::filesystem::exists(folder + "/m/0003-block_sum.json"));
  const ProgramResult accepted = run_program(derive + "--tolerance 5");
  EXPECT_THAT(accepted.err, Not(HasSubstr("skipped")));
  EXPECT_TRUE(std::filesystem::exists(folder + "/m/0003-block_sum.json"));
  for (const std::string bad : {"-1", "101", "nan", "5%"}) {
    const ProgramResult result = run_program(derive + "--tolerance=" + bad);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("expected a number of percent from 0 to 100")) << bad;
  }
}

TEST(ProfileOfANovice, ADifferenceThatNoOptionAcceptsIsExplained) {
  const std::string folder = scratch_folder();
  const ProgramResult refused = run_program(pages_with(folder, "thread_inst_executed", 4));
  EXPECT_EQ(refused.code, 0);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(" (-75 %)"), HasSubstr("skipped 1 of 5 launches"),
                                 HasSubstr("executes other instructions each time it runs"),
                                 Not(HasSubstr("--tolerance"))));
}

TEST(ProfileOfANovice, OneBadLaunchCostsThatLaunch) {
  const std::string folder = scratch_folder();
  std::string raw = file_text(kTorchRaw);
  const std::size_t at = raw.find("(64, 1, 1)");  // the grid of launch 3
  ASSERT_NE(at, std::string::npos);
  write_text(folder + "/raw.csv", raw.replace(at, 10, "(65, 1, 1)"));
  const std::string source = " --source " + kPages + "/pages/torch.source.csv";
  const ProgramResult derived =
      run_program("derive --ncu " + folder + "/raw.csv" + source + " -o " + folder + "/m");
  EXPECT_EQ(derived.code, 0) << derived.err;
  EXPECT_THAT(derived.err, AllOf(HasSubstr("skipped: " + folder +
                                           "/raw.csv: row 4 (native::fill_reverse_indices_kernel)"),
                                 HasSubstr("skipped 1 of 6 launches, for the reasons above")));
  EXPECT_THAT(derived.out, Not(HasSubstr("0003-")));
  EXPECT_EQ(words_of(derived.out).size(), 5u);
}

TEST(ProfileOfANovice, NoLaunchLeftIsThree) {
  const std::string folder = scratch_folder();
  const ProgramResult derived = run_program("derive --ncu " + kTorchRaw + " --source " + kPages +
                                            "/vectors/ncu_source.csv -o " + folder + "/m");
  EXPECT_EQ(derived.code, 3);
  EXPECT_THAT(derived.err, HasSubstr("none of the 6 launches of"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/m"));
}

// The PyTorch raw page without what DRAM counts.
std::string page_without_dram(const std::string& folder) {
  const auto all = parse_csv(file_text(kTorchRaw), "raw.csv");
  std::string text;
  for (const auto& row : all) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!all[0][c].starts_with("dram__")) cells.push_back(row[c]);
    }
    text += csv_line(cells);
  }
  write_text(folder + "/raw.csv", text);
  return folder + "/raw.csv";
}

TEST(ProfileOfANovice, MissingCountersAreAnErrorOrAWarningOfEveryPrediction) {
  const std::string folder = scratch_folder();
  const std::string derive = "derive --ncu " + page_without_dram(folder) + " --source " + kPages +
                             "/pages/torch.source.csv -o " + folder + "/m";
  const ProgramResult refused = run_program(derive);
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("\"dram__bytes_read.sum\", \"dram__bytes_write.sum\""),
                                 HasSubstr("ncu --set full"), HasSubstr("--allow-missing")));
  EXPECT_FALSE(std::filesystem::exists(folder + "/m"));
  const ProgramResult allowed = run_program(derive + " --allow-missing");
  EXPECT_EQ(allowed.code, 0) << allowed.err;
  EXPECT_THAT(allowed.err, HasSubstr("dram__bytes_read.sum"));
  const std::string model =
      " --model " + folder + "/m/0000-at__native__vectorized_elementwise_kernel.json";
  EXPECT_THAT(run_program(model).out,
              HasSubstr("warning: missing        The profile has no dram__bytes_read.sum, "
                        "dram__bytes_write.sum."));
  EXPECT_THAT(kinds_of(Json::parse(run_program(model + " --json").out)),
              testing::Contains("missing"));
  EXPECT_THAT(run_program("--model " + folder + "/m").out,
              HasSubstr("missing (6 models): the profile lacks counters that decide the time"));
}

TEST(NcuReportOfTheCli, IsImportedByTheProfiler) {
  const test::FakeNcu ncu(
      test::FakeNcu::printing(kPages + "/vectors/ncu_raw.csv", kPages + "/vectors/ncu_source.csv"));
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  const std::string folder = scratch_folder();
  const ProgramResult derived = run_program("derive --ncu " + report + " -o " + folder + "/m");
  ASSERT_EQ(derived.code, 0) << derived.err;
  EXPECT_EQ(words_of(derived.out).size(), 5u);
  EXPECT_THAT(derived.err, HasSubstr("sums of 5 launches equal the raw page's"));
  const ProgramResult predicted = run_program("--model " + folder + "/m/0000-vector_add.json");
  EXPECT_THAT(predicted.out, HasSubstr("Believe net sm"));
}

TEST(NcuReportOfTheCli, WithoutAProfilerIsThreeWithTheCommands) {
  const test::FakeNcu none("");
  const std::string report = none.folder().write("rep.ncu-rep", "");
  const ProgramResult refused = run_program("derive --ncu " + report + " -o " + scratch_folder());
  if (refused.err.find("ended with exit code") != std::string::npos) {
    GTEST_SKIP() << "a profiler is installed";
  }
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("ncu --import " + report + " --page raw --csv > raw.csv\n"));
}

TEST(OtherPages, AreNamedWithTheCommandToType) {
  const std::string folder = scratch_folder();
  write_text(folder + "/details.csv",
             "\"ID\",\"Kernel Name\",\"Metric Name\"\n\"0\",\"k\",\"x\"\n");
  write_text(folder + "/tabs.csv", "\"ID\"\t\"Kernel Name\"\n");
  write_text(folder + "/cuda.csv",
             "\"Kernel Name\",\"k()\"\n\"#\",\"Source\",\"Instructions Executed\"\n");
  const auto error_of = [&](const std::string& pages) {
    const ProgramResult result = run_program("derive " + pages + " -o " + folder + "/m");
    EXPECT_EQ(result.code, 3) << pages;
    return result.err;
  };
  for (const auto& [page, said] :
       {std::pair{"details", "this is a details page"}, {"tabs", "its cells stand between tabs"}}) {
    EXPECT_THAT(
        error_of("--ncu " + folder + "/" + page + ".csv"),
        AllOf(HasSubstr(said), HasSubstr("ncu --import rep.ncu-rep --page raw --csv > raw.csv")));
  }
  EXPECT_THAT(error_of("--ncu " + kTorchRaw + " --source " + folder + "/cuda.csv"),
              AllOf(HasSubstr("this page shows lines of CUDA, not SASS alone"),
                    HasSubstr("--page source --csv --print-source sass > source.csv")));
}

}  // namespace
}  // namespace pnsim
