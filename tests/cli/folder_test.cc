// Tests pnsim --model FOLDER: it gives every model the numbers of a separate run.
#include <nlohmann/json.hpp>

#include "simulator/base/csv.h"
#include "simulator/base/json.h"
#include "simulator/base/table.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

const std::string kModels = std::string(PNSIM_TEST_DATA) + "/../../models";

// One warp of one block on the paper's net. An arithmetic instruction takes 4 steps, a shared
// access 5 + l2 = 7, and the end 1 (README, "One warp, one instruction").
std::string model_of(const std::string& name, const std::string& counts) {
  return R"({"kind": "kernel-model", "version": 2, "name": ")" + name +
         R"(", "net": "wpnm", "device": "h200",
    "problem": {"n": 1}, "points": [{"problem": {"n": 1}, "launches": [{"kernel": ")" +
         name + R"(", "grid": 1,
    "block": 32, "resident_blocks": 1, "warps": [{"count": 1, "program": [{)" +
         counts + "}]}]}]}]}";
}

// Three models of 5, 8 and 9 steps, and files that are not models.
std::string small_folder() {
  const std::string folder = scratch_folder() + "/models";
  std::filesystem::create_directories(folder + "/folder.json");
  write_text(folder + "/0002-two.json", model_of("two", R"("arithmetic": 2)"));
  write_text(folder + "/0000-one.json", model_of("one", R"("arithmetic": 1)"));
  write_text(folder + "/0001-shared.json", model_of("shared", R"("shared": 1)"));
  write_text(folder + "/.hidden.json", "{");
  write_text(folder + "/notes.txt", "{");
  return folder;
}

// Models for two nets, with one launch and with two, with and without a measured time.
std::string mixed_folder() {
  const std::string folder = small_folder();
  for (const char* name : {"histogram", "gather"}) {
    std::filesystem::copy_file(kModels + "/" + name + ".json", folder + "/" + name + ".json");
  }
  const std::string vectors = std::string(PNSIM_TEST_DATA) + "/vectors";
  const std::string pages =
      " --ncu " + vectors + "/ncu_raw.csv --source " + vectors + "/ncu_source.csv";
  EXPECT_EQ(run_program("derive" + pages + " -o " + folder).code, 0);
  return folder;
}

std::vector<std::string> files_of(const Json& rows) {
  std::vector<std::string> files;
  for (const Json& row : rows) files.push_back(row.at("file"));
  return files;
}

// The lines of a table whose first word ends in .json, split into words.
std::vector<std::vector<std::string>> table_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words = words_of(line);
    if (!words.empty() && words[0].ends_with(".json")) rows.push_back(std::move(words));
  }
  return rows;
}

TEST(ModelFolder, ModelsComeInTheOrderOfTheirFilesWithTheirStepsAndTheSum) {
  const std::string folder = small_folder();
  const ProgramResult result = run_program("--model " + folder);
  ASSERT_EQ(result.code, 0) << result.err;
  const auto rows = table_rows(result.out);
  ASSERT_EQ(rows.size(), 3u) << result.out;
  const std::vector<std::vector<std::string>> first_five{
      {"0000-one.json", "one", "1", "32", "5"},
      {"0001-shared.json", "shared", "1", "32", "8"},
      {"0002-two.json", "two", "1", "32", "9"}};
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(std::vector(rows[i].begin(), rows[i].begin() + 5), first_five[i]);
    const Json alone =
        Json::parse(run_program("--model " + folder + "/" + rows[i][0] + " --json").out);
    EXPECT_EQ(rows[i][5], significant(alone["time_us"]["value"], 4));
    sum += alone["time_us"]["value"].get<double>();
  }
  EXPECT_TRUE(
      result.out.ends_with("\n3 models, " + significant(sum, 4) + " us predicted in total\n"))
      << result.out;
  EXPECT_EQ(result.out.find("measured us"), std::string::npos) << "no time of theirs is recorded";
  EXPECT_EQ(result.out.find("outcome"), std::string::npos) << "all came to their end";
  const std::string with_slash = run_program("run --model " + folder + "/").out;
  EXPECT_EQ(with_slash.substr(folder.size() + 1), result.out.substr(folder.size()));
}

TEST(ModelFolder, MeasuredAndProfiledTimesStandBesideWhereTheyAreKnown) {
  const std::string folder = mixed_folder();
  const ProgramResult result = run_program("--model " + folder);
  EXPECT_EQ(result.code, 0) << result.err;
  const auto has = [&](const std::string& file, const std::string& text) {
    const std::size_t at = result.out.find("  " + file);
    return at < result.out.find(text, at) && result.out.find(text, at) < result.out.find('\n', at);
  };
  const std::string gather = run_program("--model " + folder + "/gather.json --net sm").out;
  const auto after = [&](const std::string& label) {
    return words_of(gather.substr(gather.find(label) + label.size()))[0];
  };
  EXPECT_TRUE(has("gather.json", "  " + after("\nmeasured time") + "  ")) << result.out << gather;
  EXPECT_TRUE(has("gather.json", "  " + after("\nerror") + "  ")) << result.out << gather;
  EXPECT_TRUE(has("histogram.json", "2 launches")) << result.out;
  EXPECT_NE(result.out.find("profiled us"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("on net sm, wpnm, NVIDIA H200"), std::string::npos) << result.out;
}

TEST(ModelFolder, EachModelsObjectIsThatOfItsOwnRun) {
  const std::string folder = mixed_folder();
  const std::string of_wpnm = " --seed 7 --replicas 3 --engine reference --set l1=30 --net wpnm";
  for (const std::string& options : {std::string(), std::string(" --net sm"), of_wpnm}) {
    const ProgramResult all = run_program("--model " + folder + " --json" + options);
    const Json printed = Json::parse(all.out);
    ASSERT_EQ(printed.size(), 2u);
    EXPECT_EQ(printed.dump(2) + "\n", all.out);
    for (Json model : printed["models"]) {
      const std::string file = model["file"];
      EXPECT_EQ(model.begin().key(), "file");
      model.erase("file");
      EXPECT_EQ(model.dump(2) + "\n",
                run_program("--model " + folder + "/" + file + " --json" + options).out)
          << file;
    }
    // The three small models have no segments, which net sm requires.
    EXPECT_EQ(printed["failed"].size(), options == " --net sm" ? 3u : 0u) << printed["failed"];
    for (const Json& failed : printed["failed"]) {
      const std::string file = folder + "/" + failed["file"].get<std::string>();
      EXPECT_EQ(run_program("--model " + file + options).code, failed["exit_code"]);
    }
  }
}

TEST(ModelFolder, ReasonsColdRunsAndFilesAreThoseOfOneModel) {
  const std::string scratch = scratch_folder(), folder = scratch + "/models",
                    json_file = scratch + "/out.json";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(kModels + "/gather.json", folder + "/gather.json");
  const std::string options = " --net sm --cold --reasons --all-blocks";
  const ProgramResult result = run_program("--model " + folder + options + " --json=" + json_file);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("bottleneck"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(", cold\n"), std::string::npos) << result.out;
  Json model = Json::parse(file_text(json_file))["models"][0];
  model.erase("file");
  EXPECT_EQ(model.dump(2) + "\n",
            run_program("--model " + folder + "/gather.json --json" + options).out);
}

TEST(ModelFolder, AnyNumberOfThreadsPrintsTheSame) {
  const std::string folder = mixed_folder();
  write_text(folder + "/0001-broken.json", "{");
  for (const std::string form : {"", " --json", " --csv", " --replicas 3 --json"}) {
    const ProgramResult one = run_program("--model " + folder + form + " -j 1");
    EXPECT_EQ(one.code, 3);
    EXPECT_FALSE(one.out.empty());
    for (const std::string threads : {" -j 2", " -j 32", ""}) {
      const ProgramResult more = run_program("--model " + folder + form + threads);
      EXPECT_EQ(more.out, one.out);
      EXPECT_EQ(more.err, one.err);
    }
  }
}

TEST(ModelFolder, CsvHasARowPerModel) {
  const std::string folder = small_folder();
  const auto rows = parse_csv(run_program("--model " + folder + " --csv --set l2=4").out, "stdout");
  const std::vector<std::vector<std::string>> expected{
      {"file", "model", "kernel", "launches", "grid", "block", "steps", "predicted_us",
       "measured_us", "profiled_us", "outcome", "mode", "warnings", "expected_us",
       "template_arguments", "stands_for", "net"},
      {"0000-one.json", "one", "one", "1", "1", "32", "5.000", "", "", "", "goal", "warm", "counts",
       "", "", "", "wpnm"},
      {"0001-shared.json", "shared", "shared", "1", "1", "32", "10.000", "", "", "", "goal", "warm",
       "counts", "", "", "", "wpnm"},
      {"0002-two.json", "two", "two", "1", "1", "32", "9.000", "", "", "", "goal", "warm", "counts",
       "", "", "", "wpnm"}};
  EXPECT_EQ(rows, expected) << "5 + l2 steps; no scale is known for other parameters";
}

struct BadFile {
  const char* name;
  std::string content;
  int code;
  const char* says;  // text after "bad.json: "
};

TEST(ModelFolder, ABadFileIsNamedAndCostsNoOther) {
  const std::string folder = small_folder(), bad = folder + "/0001-bad.json";
  std::string no_net = model_of("one", R"("arithmetic": 1)");
  no_net.replace(no_net.find("wpnm"), 4, "wpmn");
  const BadFile files[] = {
      {"empty", "", 3, "empty"},
      {"cut off", R"({"kind": "kernel-model", )", 3, "line 1"},
      {"a net", R"({"kind": "net"})", 3, "/kind: found \"net\", expected \"kernel-model\""},
      {"a device", file_text(kModels + "/devices/h200.json"), 3, "expected \"kernel-model\""},
      {"of no kind", "{}", 3, "kind"},
      {"an array", "[]", 3, "expected an object"},
      {"no points",
       R"({"kind": "kernel-model", "version": 2, "name": "a", "net": "wpnm", "device": "h200", "problem": {}})",
       3, "points"},
      {"an unknown net", no_net, 3, "\"wpnm\""},
      {"a negative count", model_of("one", R"("arithmetic": -1)"), 3, "/program/0/arithmetic"},
  };
  for (const BadFile& file : files) {
    write_text(bad, file.content);
    const ProgramResult result = run_program("--model " + folder + " --json");
    EXPECT_EQ(result.code, file.code) << file.name;
    EXPECT_TRUE(result.err.starts_with("pnsim: error: " + bad + ": "))
        << file.name << ": " << result.err;
    EXPECT_NE(result.err.find(file.says), std::string::npos) << file.name << ": " << result.err;
    const Json printed = Json::parse(result.out);
    const std::vector<std::string> good{"0000-one.json", "0001-shared.json", "0002-two.json"};
    EXPECT_EQ(files_of(printed["models"]), good);
    ASSERT_EQ(printed["failed"].size(), 1u);
    EXPECT_EQ(printed["failed"][0]["file"], "0001-bad.json");
    EXPECT_EQ(printed["failed"][0]["exit_code"], file.code);
    EXPECT_EQ("pnsim: error: " + printed["failed"][0]["error"].get<std::string>() + "\n",
              result.err);
  }
  std::filesystem::remove(bad);
  std::filesystem::create_symlink("nowhere", bad);
  const ProgramResult result = run_program("--model " + folder + " -q");
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find(bad + ": No such file"), std::string::npos) << result.err;
  EXPECT_TRUE(result.out.ends_with("; 1 file failed\n")) << result.out;
}

TEST(ModelFolder, TheCodeIsThatOfTheFirstFailure) {
  const std::string folder = small_folder();
  const std::string run =
      "--model " + folder + " --max-steps 8 --csv";  // 5 and 8 steps end, 9 steps do not
  const ProgramResult limit = run_program(run);
  EXPECT_EQ(limit.code, 5);
  EXPECT_NE(limit.out.find("0002-two.json,two,two,1,1,32,8.000,,,,limit,warm,counts,,,,wpnm\n"),
            std::string::npos)
      << limit.out;
  const std::string text = run_program("--model " + folder + " --max-steps 8").out;
  EXPECT_TRUE(text.ends_with(" us predicted in total (1 without a predicted time)\n")) << text;
  EXPECT_NE(text.find("  outcome\n"), std::string::npos) << text;
  write_text(folder + "/0003-broken.json", "{");
  EXPECT_EQ(run_program(run).code, 5);
  write_text(folder + "/0001-broken.json", "{");
  EXPECT_EQ(run_program(run).code, 3);
}

TEST(ModelFolder, ANameThatIsNoUtf8FailsAloneWhereJsonIsAsked) {
  const std::string folder = small_folder();
  std::filesystem::rename(folder + "/0001-shared.json", folder + "/0001-\xe9.json");
  EXPECT_EQ(run_program("--model " + folder).code, 0);
  const ProgramResult result = run_program("--model " + folder + " --json");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(Json::parse(result.out)["models"].size(), 2u);
  EXPECT_NE(result.err.find("UTF-8"), std::string::npos) << result.err;
}

TEST(ModelFolder, AFolderWithoutModelsIsBadInput) {
  const std::string folder = scratch_folder();
  write_text(folder + "/raw.csv", "a\n");
  write_text(folder + "/.json", "{}");
  const ProgramResult result = run_program("--model " + folder);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find(
                folder +
                ": found a directory with no .json file among 2 entries, expected kernel models"),
            std::string::npos)
      << result.err;
  EXPECT_TRUE(result.out.empty());
}

TEST(ModelFolder, OptionsThatFitNoModelAreRefusedOnce) {
  const std::string folder = small_folder();
  const std::pair<std::string, std::pair<int, std::string>> cases[] = {
      {"--trace x.jsonl", {2, "--trace"}},
      {"--timeline x.svg", {2, "--timeline"}},
      {"--stream 1", {2, "--stream"}},
      {"--until p1=0", {2, "--until"}},
      {"--set l9=1", {2, "has \"l9\""}},
      {"--set l1", {2, "PATH=VALUE"}},
      {"--engine fats", {2, "\"fast\""}},
      {"--cold", {2, "does not model caches"}},
      {"--reasons", {2, "reasons"}},
      {"--net wpmn", {3, "\"wpnm\""}},
      {"--device h20", {3, "h20: no profile of this GPU"}},
      {"--json --csv", {2, "stdout"}},
      {"--json=" + folder + "/0000-one.json", {2, "is an input"}},
      {"--csv=" + folder + "/../models/0002-two.json", {2, "is an input"}},
      {"--json=" + folder + "/new.json", {2, "would be one of the folder's models"}},
      {"--json=" + kModels + "/nets/wpnm.json", {2, "is a shipped file"}},  // models refer to it
      {"--csv=" + kModels + "/devices/h200.json --net sm", {2, "is a shipped file"}},
  };
  for (const auto& [options, expected] : cases) {
    const ProgramResult result = run_program("--model " + folder + " " + options);
    EXPECT_EQ(result.code, expected.first) << options << ": " << result.err;
    EXPECT_NE(result.err.find(expected.second), std::string::npos) << options << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.out.empty()) << options;
  }
  EXPECT_EQ(file_text(folder + "/0000-one.json"), model_of("one", R"("arithmetic": 1)"));
}

TEST(ModelFolder, OptionsThatFitNoModelAreRefusedBesideFilesThatAreNoModels) {
  const std::string folder = small_folder();
  write_text(folder + "/0000-broken.json", "{");
  const std::string out = folder + "/../out.csv";
  const ProgramResult result = run_program("--model " + folder + " --set l9=1 --csv=" + out);
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
  EXPECT_NE(result.err.find("0000-broken.json"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("likewise for all 3 models"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(out)) << "nothing was predicted";
  write_text(folder + "/0003-fits.json", file_text(kModels + "/gather.json"));
  EXPECT_EQ(run_program("--model " + folder + " --set table=16384 --csv=" + out).code, 3)
      << "one has this axis";
}

TEST(ModelFolder, APipeInItIsNoFileAndIsNotWaitedFor) {
  const std::string folder = small_folder();
  ASSERT_EQ(std::system(("mkfifo " + folder + "/0001-pipe.json").c_str()), 0);
  const ProgramResult result = run_program("--model " + folder);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("found a pipe"), std::string::npos) << result.err;
  EXPECT_EQ(table_rows(result.out).size(), 3u);
}

TEST(ModelFolder, TwoOutputsAreOneFileUnderWhateverName) {
  const std::string folder = small_folder(), out = folder + "/../out";
  const ProgramResult result =
      run_program("--model " + folder + " --json=" + out + " --csv=" + folder + "/.././out");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("two outputs name the same file"), std::string::npos) << result.err;
}

TEST(ModelFolder, AFileOfThatNameComesFirst) {
  const std::string folder = scratch_folder();
  std::filesystem::create_directories(folder + "/gather");
  const std::string run = "cd " + folder + " && " + std::string(PNSIM_PROGRAM) + " --model gather";
  EXPECT_EQ(WEXITSTATUS(std::system((run + " >out 2>err").c_str())), 0)
      << file_text(folder + "/err");
  EXPECT_TRUE(file_text(folder + "/out").starts_with("model                   gather"));
  EXPECT_EQ(WEXITSTATUS(std::system((run + "/ >out 2>err").c_str())), 3)
      << "the slash says that the folder is meant";
}

}  // namespace
}  // namespace pnsim
