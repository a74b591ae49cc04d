// Tests pnsim --model without --net: every net that the model allows predicts it, side by side.
#include <gmock/gmock.h>

#include "simulator/base/csv.h"
#include "simulator/base/json.h"
#include "simulator/base/table.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const kBoth = "--model radix_report_shared";
const char* const kCountsAlone = "--model radix_shared --set n=8192";
const char* const kHowToDerive = "pnsim derive --ncu RAW.csv --source SOURCE.csv -o DIR";

// One warp with one arithmetic instruction, as counts.
const char* const kOneWarp = R"({"kind": "kernel-model", "version": 2, "name": "one",
  "net": "wpnm", "device": "h200", "problem": {"n": 1}, "points": [{"problem": {"n": 1},
  "launches": [{"kernel": "one", "grid": 1, "block": 32, "resident_blocks": 1,
  "warps": [{"count": 1, "program": [{"arithmetic": 1}]}]}]}]})";

Json object_of(const std::string& arguments) {
  const ProgramResult result = run_program(arguments + " --json");
  EXPECT_EQ(result.code, 0) << arguments << ": " << result.err;
  return Json::parse(result.out, nullptr, false);
}

// The words of the first line that begins with this word; none when there is no such line.
std::vector<std::string> row_of(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words = words_of(line);
    if (!words.empty() && words[0] == word) return words;
  }
  return {};
}

// A model that names the SM net, as `pnsim derive` writes it.
std::string model_of_sm() {
  const std::string vectors = std::string(PNSIM_TEST_DATA) + "/vectors", folder = scratch_folder();
  const std::string pages =
      " --ncu " + vectors + "/ncu_raw.csv --source " + vectors + "/ncu_source.csv -o " + folder;
  EXPECT_EQ(run_program("derive" + pages).code, 0);
  return folder + "/0000-vector_add.json";
}

TEST(BothNets, TheScreenHasARowPerNetAndSaysWhichToBelieve) {
  const ProgramResult result = run_program(kBoth);
  ASSERT_EQ(result.code, 0) << result.err;
  for (const std::string net : {"sm", "wpnm"}) {
    const Json alone = object_of(std::string(kBoth) + " --net " + net);
    const std::vector<std::string> row = row_of(result.out, net);
    ASSERT_GT(row.size(), 7u) << result.out;
    EXPECT_EQ(std::stod(row[1]), alone["steps"]["mean"]);
    const auto has = [&](const std::string& cell) {
      return std::find(row.begin(), row.end(), cell) != row.end();
    };
    const double predicted = alone["time_us"]["value"], measured = alone["measured_us"]["value"];
    const double error = 100 * (predicted / measured - 1);
    EXPECT_TRUE(has(significant(predicted, 4))) << result.out;
    EXPECT_TRUE(has(significant(measured, 4))) << result.out;
    EXPECT_TRUE(has((error >= 0 ? "+" : "") + fixed(error, 1))) << result.out;
  }
  EXPECT_THAT(result.out, HasSubstr("a step is"));
  EXPECT_THAT(result.out, HasSubstr("\nlaunches on net sm  (S = 4)\n"));
  EXPECT_THAT(result.out, HasSubstr("SM's blocks")) << "the table of the SM net's launches";
  EXPECT_THAT(result.out, HasSubstr("\nBelieve net sm: a step is one cycle"));
  EXPECT_THAT(result.out, HasSubstr("\nNet wpnm turns steps into time by one "));
  EXPECT_EQ(run_program("run " + std::string(kBoth)).out, result.out);
}

TEST(BothNets, OnAnEstimatedDeviceTheErrorsOfTheReadmeDoNotApply) {
  const ProgramResult result = run_program(std::string(kBoth) + " --device rtx4090");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("This GPU's profile is an estimate: the errors in README.md do "
                                    "not apply."));
  EXPECT_THAT(result.out, HasSubstr("`experiment device` measures a GPU."));
  EXPECT_THAT(result.out, Not(HasSubstr("Believe net sm")));
}

TEST(BothNets, JsonIsThatOfTheModelsNetWithTheOtherBesideIt) {
  const std::string derived = "--model " + model_of_sm();
  const std::pair<std::string, std::pair<std::string, std::string>> models[] = {
      {kBoth, {"wpnm", "sm"}}, {derived, {"sm", "wpnm"}}};
  for (const auto& [model, nets] : models) {
    Json both = object_of(model);
    ASSERT_TRUE(both.contains("also")) << model;
    ASSERT_EQ(both["also"].size(), 1u);
    EXPECT_EQ(both["also"][0], object_of(model + " --net " + nets.second));
    both.erase("also");
    EXPECT_EQ(both.dump(), object_of(model + " --net " + nets.first).dump());
  }
}

TEST(BothNets, CsvHasTheRowsOfTheModelsNetFirstAndNamesTheNet) {
  const auto csv = [](const std::string& options) {
    return parse_csv(run_program(std::string(kBoth) + " --csv" + options).out, "stdout");
  };
  auto expected = csv(" --net wpnm"), rows_of_sm = csv(" --net sm");
  ASSERT_GE(expected.size(), 3u);
  EXPECT_EQ(expected[0].back(), "outcome") << "no new column with --net";
  expected.insert(expected.end(), rows_of_sm.begin() + 1, rows_of_sm.end());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool is_of_sm = i + rows_of_sm.size() > expected.size();
    expected[i].push_back(i == 0 ? "net" : is_of_sm ? "sm" : "wpnm");
  }
  EXPECT_EQ(csv(""), expected);
}

TEST(BothNets, ANetOfTheUserIsShownAlone) {
  const std::string text = run_program(std::string(kBoth) + " --net sm").out;
  EXPECT_THAT(text, HasSubstr("\nnet                     sm  (S = 4)\n"));
  EXPECT_THAT(text, Not(HasSubstr("Believe")));
  EXPECT_FALSE(object_of(std::string(kBoth) + " --net wpnm").contains("also"));
}

TEST(BothNets, CountsAloneHaveThePapersNetAndTheCommandForPrograms) {
  const ProgramResult both = run_program(kCountsAlone),
                      alone = run_program(std::string(kCountsAlone) + " --net wpnm");
  EXPECT_EQ(both.code, 0) << both.err;
  ASSERT_TRUE(both.out.starts_with(alone.out)) << both.out;
  const std::string more = both.out.substr(alone.out.size());
  EXPECT_THAT(more, HasSubstr("Net sm was not run: this point has only counts"));
  EXPECT_THAT(more, HasSubstr("With the same other axes the model has programs for n="));
  EXPECT_THAT(more, HasSubstr(kHowToDerive));
  EXPECT_EQ(object_of(kCountsAlone)["also"], Json::array());
  EXPECT_THAT(run_program(std::string(kCountsAlone) + " --json").err, HasSubstr(kHowToDerive));
  EXPECT_THAT(run_program(std::string(kCountsAlone) + " --csv").out, HasSubstr(",goal,wpnm\n"));
}

TEST(BothNets, AParameterOfOneNetIsPredictedByThatNetAlone) {
  const ProgramResult paper = run_program(std::string(kBoth) + " --set l1=40");
  EXPECT_EQ(paper.code, 0) << paper.err;
  EXPECT_THAT(paper.out, HasSubstr("Net sm was not run: it has no parameter l1 (--set)."));
  EXPECT_EQ(object_of(std::string(kBoth) + " --set l1=40")["net"], "wpnm");
  const ProgramResult sm = run_program(std::string(kBoth) + " --set latency=400");
  EXPECT_THAT(sm.out, HasSubstr("Net wpnm was not run: it has no parameter latency (--set)."));
  EXPECT_EQ(object_of(std::string(kBoth) + " --set latency=400")["net"], "sm");
  EXPECT_EQ(object_of(std::string(kBoth) + " --set S=2")["also"].size(), 1u) << "both have S";
}

TEST(BothNets, AParameterThatTheModelSetsIsPredictedByItsNetAlone) {
  const std::string file = scratch_folder() + "/one.json";
  Json model = Json::parse(kOneWarp);
  model["parameters"] = {{"l1", 30}};
  write_text(file, model.dump());
  const ProgramResult result = run_program("--model " + file);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("Net sm was not run: it has no parameter l1 (the model sets it)."));
}

TEST(BothNets, EachNetRunsItsOwnReplicasForAPrecision) {
  const std::string run = "--model gather --rel-error 0.2 --replicas 50";
  const ProgramResult result = run_program(run);
  EXPECT_EQ(result.code, 0) << result.err;
  for (const std::string net : {"sm", "wpnm"}) {
    const std::size_t replicas = object_of(run + " --net " + net)["replicas"];
    EXPECT_THAT(result.out, HasSubstr("; precision reached with " + std::to_string(replicas)));
  }
}

TEST(BothNets, ParametersOfDifferentNetsOrOfNoneAreRefused) {
  const ProgramResult mixed = run_program(std::string(kBoth) + " --set l1=40 --set latency=400");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err, HasSubstr("net wpnm has no parameter latency, and net sm has no "
                                   "parameter l1"));
  const ProgramResult unknown = run_program(std::string(kBoth) + " --set latencie=4");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("one of the nets wpnm, sm has \"latencie\""));
  EXPECT_THAT(unknown.err, HasSubstr("\"latency\"")) << "a parameter of the SM net is the nearest";
  const ProgramResult no_programs = run_program(std::string(kCountsAlone) + " --set latency=400");
  EXPECT_EQ(no_programs.code, 3) << "only the SM net has the parameter";
}

TEST(BothNets, AScaleOfOtherProgramsIsBorrowed) {
  const Json other = object_of("--model gather --net wpnm")["time_us"];
  EXPECT_EQ(other.value("borrowed", false), true);
  EXPECT_THAT(other["source"].get<std::string>(),
              HasSubstr(", borrowed: fitted to radix_global, radix_shared, radix_coalesced"));
  EXPECT_THAT(run_program("--model gather --net wpnm").out, HasSubstr(", borrowed: fitted to "));
  EXPECT_THAT(run_program("--model gather").out,
              HasSubstr("scale borrowed: fitted to 3 other programs"));
  EXPECT_THAT(run_program("--model radix_shared --set n=4096").out,
              HasSubstr("scale fitted to this program and 2 other programs"));
  const Json own = object_of("--model radix_shared --net wpnm --set n=4096")["time_us"];
  EXPECT_FALSE(own.contains("borrowed"));
  EXPECT_THAT(own["source"].get<std::string>(), Not(HasSubstr("borrowed")));
  EXPECT_FALSE(object_of("--model gather --net sm")["time_us"].contains("borrowed"));
}

TEST(BothNets, AColdRunIsThatOfTheSmNetAlone) {
  const ProgramResult cold = run_program("--model gather --cold");
  EXPECT_EQ(cold.code, 0) << cold.err;
  EXPECT_TRUE(cold.out.starts_with(run_program("--model gather --net sm --cold").out)) << cold.out;
  EXPECT_THAT(cold.out, HasSubstr("Net wpnm was not run: it does not model caches (--cold)."));
  const ProgramResult counts = run_program(std::string(kCountsAlone) + " --cold");
  EXPECT_EQ(counts.code, 2);
  EXPECT_THAT(counts.err, HasSubstr("net wpnm does not model caches"));
}

TEST(BothNets, ReasonsAreThoseOfTheNetThatDeclaresThem) {
  const ProgramResult result = run_program("--model gather --reasons");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("nearest limit"));
  EXPECT_FALSE(row_of(result.out, "wpnm").empty()) << result.out;
  const Json object = object_of("--model gather --reasons");
  EXPECT_FALSE(object["breakdown"].contains("warps"));
  EXPECT_TRUE(object["also"][0]["breakdown"].contains("warps"));
  EXPECT_EQ(run_program(std::string(kCountsAlone) + " --reasons").code, 2);
}

TEST(BothNets, TheExitCodeIsThatOfTheWorstNet) {
  const Json object = object_of("--model gather");
  const double paper = object["steps"]["mean"], sm = object["also"][0]["steps"]["mean"];
  ASSERT_NE(paper, sm);
  // Between both numbers of steps the run of one net is cut off.
  const std::string limit = " --max-steps " + fixed((paper + sm) / 2, 0);
  const std::string first = paper > sm ? "wpnm" : "sm", other = paper > sm ? "sm" : "wpnm";
  const ProgramResult result = run_program("--model gather" + limit);
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.err, HasSubstr("not every run came to its end"));
  EXPECT_THAT(result.out, HasSubstr("no time: not every run ended"));
  EXPECT_EQ(run_program("--model gather --net " + first + limit).code, 5);
  EXPECT_EQ(run_program("--model gather --net " + other + limit).code, 0);
}

// The exit code is that of a net that is not run: the reason is on stderr too, because a table or
// JSON may be all of the output.
TEST(BothNets, AModelTooLargeForTheSmNetIsSaidOnStderr) {
  const std::string folder = scratch_folder() + "/models";
  std::filesystem::create_directories(folder);
  Json model = Json::parse(file_text(std::string(PNSIM_TEST_DATA) + "/../../models/gather.json"));
  model["points"] = Json::array({model["points"][0]});
  model["points"][0]["launches"][0]["segments"][0]["classes"]["int"] = 100'000'000'000'000;
  write_text(folder + "/large.json", model.dump());
  for (const std::string& input :
       {folder + "/large.json --json=" + folder + "/../out.json", folder + " --csv"}) {
    const ProgramResult result = run_program("--model " + input + " --max-steps 1000");
    EXPECT_EQ(result.code, 5) << input << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr("large.json: Net sm was not run: kernel gather (1024 blocks "
                                      "of 64 threads): segment 0 takes over 2^40 cycles"));
  }
}

TEST(BothNets, ADeviceWithoutAFactOfTheSmNetLeavesThePapersNet) {
  const std::string folder = scratch_folder(), file = folder + "/short.json";
  Json device =
      Json::parse(file_text(std::string(PNSIM_TEST_DATA) + "/../../models/devices/h200.json"));
  ASSERT_EQ(device["facts"].erase("l2_latency_cycles"), 1u);
  write_text(file, device.dump());
  const ProgramResult result = run_program("--model gather --device " + file);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Net sm was not run: "));
  EXPECT_THAT(result.out, HasSubstr("l2_latency_cycles"));
  EXPECT_EQ(run_program("--model gather --net sm --device " + file).code, 3);
}

TEST(BothNets, AFolderShowsTheNetToBelieveAndTheTimeOfTheOther) {
  const std::string folder = scratch_folder() + "/models";
  const std::string models = std::string(PNSIM_TEST_DATA) + "/../../models";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(models + "/gather.json", folder + "/gather.json");
  write_text(folder + "/paper.json", kOneWarp);
  const ProgramResult text = run_program("--model " + folder);
  ASSERT_EQ(text.code, 0) << text.err;
  const Json object = object_of("--model gather");
  const double believed = object["also"][0]["time_us"]["value"];
  const double other = object["time_us"]["value"];
  const std::string row = "  " + significant(believed, 4) + "  sm    ";
  EXPECT_THAT(text.out, HasSubstr(row)) << "predicted us, net";
  EXPECT_THAT(text.out, HasSubstr("paper's net us"));
  EXPECT_THAT(text.out, HasSubstr(significant(other, 4)));
  EXPECT_EQ(row_of(text.out, "paper.json")[6], "wpnm") << text.out;
  const double paper = object_of("--model " + folder + "/paper.json")["time_us"]["value"];
  EXPECT_THAT(text.out, HasSubstr("\n2 models, " + significant(believed + paper, 4) + " us "));
  const auto rows = parse_csv(run_program("--model " + folder + " --csv").out, "stdout");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].back(), "net");
  EXPECT_EQ(rows[1].back(), "sm");
  EXPECT_EQ(rows[1][7], fixed(believed, 6));
  EXPECT_EQ(rows[2].back(), "wpnm");
  const auto of_sm =
      parse_csv(run_program("--model " + folder + " --net wpnm --csv").out, "stdout");
  EXPECT_EQ(of_sm[0].back(), "stands_for") << "no column net with --net";
}

TEST(TypicalError, StandsInEveryReportOfTheSmNet) {
  const auto line = [](const std::string& arguments) {
    const std::string out =
        run_program((arguments.starts_with("--model") ? "" : "--model norm_group ") + arguments)
            .out;
    const std::size_t at = out.find("\ntypical error");
    return at == std::string::npos ? "" : out.substr(at + 25, out.find('\n', at + 1) - at - 25);
  };
  const std::string known =
      "half of 2353 launches of CUDA programs of others were first predicted within 7.1 % of their "
      "time in the program, 90 % within 27.6 %; of 1051 launches of PyTorch, Triton, JAX and CuPy "
      "within 6.0 % "
      "and 17.6 %";
  const std::string repeated = known + "; this prediction is of repeated launches";
  EXPECT_EQ(line(""), repeated + ": its error may differ");
  EXPECT_EQ(line("--net sm"), repeated + ": its error may differ");
  EXPECT_EQ(line("--net sm --device h100"),
            repeated + " and for another GPU than the profiled one: its error may differ");
  const std::string in_place =
      std::string("--model ") + PNSIM_TEST_DATA +
      "/../../experiments/others/classic10_h200/models/0097-nrm2_kernel.json";
  EXPECT_EQ(line(in_place), known);
  EXPECT_EQ(
      line(in_place + " --device h100"),
      known + "; this prediction is for another GPU than the profiled one: its error may differ");
  EXPECT_EQ(line("--device a100").substr(0, 55),
            "unknown: the profile of this GPU is an estimate, and no");
  EXPECT_EQ(line("--set 'xg*=0.5'"), "unknown: no GPU was measured with this --set");
  EXPECT_THAT(line("--model attention --net sm"),
              testing::StartsWith("half of 404 launches of programs of others with tensor cores "));
  EXPECT_EQ(line("--net wpnm"), "") << "its times are those of a fitted scale";
}

// A launch of 22.69 us under the profiler, in its program on an H100.
std::string in_place_model() {
  return std::string(PNSIM_TEST_DATA) +
         "/../../experiments/others/hecbench_h100/models/0003-fpc_kernel.json";
}

TEST(ExpectedTime, StandsBesideTheProfiledTimeOfALaunchInItsProgram) {
  const auto out = [&](const std::string& options) {
    return run_program("--model " + in_place_model() + " " + options).out;
  };
  EXPECT_THAT(out(""), AllOf(HasSubstr("under the profiler, which adds about 1.28 us to a short"),
                             HasSubstr("\nexpected time           21.41 us  ("),
                             HasSubstr("1547 recorded launches took within 1.5 % of it")));
  EXPECT_THAT(out("--net sm --json"), HasSubstr("\n  \"expected_us\": 21.40"));
  for (const char* other : {"--device h200", "--set 'xg*=0.5'", "--net wpnm"})
    EXPECT_THAT(out(other), Not(HasSubstr("expected time"))) << other;
}

TEST(ExpectedTime, IsUnknownForARepeatedLaunchAndForSeveral) {
  const Json model = Json::parse(file_text(in_place_model()));
  const auto out = [&](const Json& changed) {
    const std::string file = scratch_folder() + "/changed.json";
    write_text(file, changed.dump());
    return run_program("--model " + file).out;
  };
  Json repeated = model, ten = model;
  repeated["points"][0]["launches"][0].erase("cache_start");
  ten["points"][0]["launches"][0]["repeat"] = 10;
  EXPECT_THAT(out(model), HasSubstr("expected time"));
  EXPECT_THAT(out(repeated), AllOf(HasSubstr("profiled time"), Not(HasSubstr("expected time"))));
  EXPECT_THAT(out(ten), Not(HasSubstr("expected time")));
}

TEST(ExpectedTime, IsAColumnOfAFolderWithItsSum) {
  const std::string folder = scratch_folder();
  const std::filesystem::path from = std::filesystem::path(in_place_model()).parent_path();
  for (const char* name : {"0003-fpc_kernel.json", "0004-fpc2_kernel.json"})
    std::filesystem::copy_file(from / name, std::filesystem::path(folder) / name);
  EXPECT_THAT(
      run_program("--model " + folder).out,
      AllOf(HasSubstr("  expected us\n"), HasSubstr("\nexpected us: from a profiled time"),
            HasSubstr(" us predicted in total, 42.24 us expected (100 % of it from profiled "
                      "times); each launch counts once"),
            Not(HasSubstr("back to back"))));
  const auto rows = parse_csv(run_program("--model " + folder + " --csv").out, "stdout");
  const auto column = std::find(rows[0].begin(), rows[0].end(), "expected_us") - rows[0].begin();
  double sum = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    sum += std::stod(rows[i].at(static_cast<std::size_t>(column)));
  EXPECT_NEAR(sum, 42.24, 0.005);
}

}  // namespace
}  // namespace pnsim
