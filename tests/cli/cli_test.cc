#include <nlohmann/json.hpp>

#include "simulator/base/csv.h"
#include "simulator/base/data_files.h"
#include "simulator/base/json.h"
#include "simulator/base/output.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;

const std::string kVectors = std::string(PNSIM_TEST_DATA) + "/vectors";

json json_of(const std::string& arguments, int expected_code = 0) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, expected_code) << result.err;
  return json::parse(result.out, nullptr, false);
}

TEST(PnsimCommand, VersionAndHelpExitWith0) {
  EXPECT_EQ(run_program("--version").code, 0);
  EXPECT_NE(run_program("--version").out.find("pnsim "), std::string::npos);
  EXPECT_EQ(run_program("--help").code, 0);
  EXPECT_EQ(run_program("run --help").code, 0);
}

TEST(PnsimCommand, AnUnknownCommandIsNamedWithTheNearest) {
  const ProgramResult result = run_program("shwo wpnm");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("\"show\""), std::string::npos) << result.err;
  EXPECT_TRUE(result.out.empty());
}

TEST(PnsimCommand, NoCommandIsAUsageError) { EXPECT_EQ(run_program("").code, 2); }

TEST(PnsimRun, AVectorNetGivesItsKnownRunAsJson) {
  const json run =
      json_of("run " + kVectors + "/wpnm_2w.pnml --until p1.0=0 --until p1.1=0 --json");
  EXPECT_EQ(run["outcome"], "goal");
  EXPECT_EQ(run["steps"]["mean"], 27);
  EXPECT_EQ(run["firings"]["mean"], 42);
  EXPECT_TRUE(run["steps"]["stddev"].is_null());
  EXPECT_TRUE(run["steps"]["ci95"].is_null());
  EXPECT_TRUE(run["waiting_steps"].is_null()) << "a PNML file of another tool declares none";
  EXPECT_EQ(run["runs"][0]["final"], json({{"p0", 1}}));
}

TEST(PnsimRun, JsonHasTheContractedKeysInOrder) {
  const ProgramResult result = run_program("run wpnm --replicas 3 --json");
  const auto run = nlohmann::ordered_json::parse(result.out);
  std::vector<std::string> keys;
  for (const auto& [key, unused] : run.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"model", "net", "device", "engine", "seed", "replicas",
                                            "parameters", "outcome", "steps", "firings",
                                            "waiting_steps", "idle_scheduler_steps", "runs",
                                            "time_us", "breakdown", "conflicts"}));
  EXPECT_EQ(run["runs"].size(), 3u);
  EXPECT_EQ(run["steps"]["ci95"].size(), 2u);
}

TEST(PnsimRun, BothEnginesAndAnyThreadsPrintTheSame) {
  const std::string run = "run wpnm --set W=9 --set xa=5 --replicas 6 --csv";
  const std::string reference = run_program(run + " --engine reference -j 1").out;
  EXPECT_FALSE(reference.empty());
  EXPECT_EQ(run_program(run + " --engine fast -j 1").out, reference);
  EXPECT_EQ(run_program(run + " --engine fast -j 2").out, reference);
}

TEST(PnsimRun, OneReplicaOfABatchCanBeRunAlone) {
  const json batch = json_of("run wpnm --set W=6 --replicas 4 --json");
  const json alone = json_of("run wpnm --set W=6 --replica 3 --json");
  EXPECT_EQ(alone["runs"][0], batch["runs"][3]);
}

TEST(PnsimRun, UntilOfAGroupMeansEveryInstance) {
  const json all = json_of("run " + kVectors + "/wpnm_2w.pnml --until p1=0 --json");
  EXPECT_EQ(all["steps"]["mean"], 27);
}

TEST(PnsimRun, AGoalThatHoldsAtOnceTakesNoStep) {
  const json run = json_of("run wpnm --until p4=0 --json");
  EXPECT_EQ(run["outcome"], "goal");
  EXPECT_EQ(run["steps"]["mean"], 0);
}

TEST(PnsimRun, AGoalThatNeverHoldsEndsAtTheLimitWith5AndPrintsTheRun) {
  const json run = json_of("run wpnm --set S=8 --until p0=0 --max-steps 500 --json", 5);
  EXPECT_EQ(run["outcome"], "limit");
  EXPECT_EQ(run["steps"]["mean"], 500);
}

TEST(PnsimRun, ADeadEndIs1WithAGoalAnd0Without) {
  const std::string net = kVectors + "/random_b.pnml";
  EXPECT_EQ(run_program("run " + net).code, 0);
  EXPECT_EQ(run_program("run " + net + " --until q3=0").code, 1);
}

TEST(PnsimRun, TraceHasTheFiringsAndTheMarkingOfEachStep) {
  const ProgramResult result =
      run_program("run wpnm --set W=1 --set xa=1 --set xs=0 --set xg=0 --trace -");
  EXPECT_EQ(result.code, 0);
  std::istringstream lines(result.out);
  std::vector<json> steps;
  for (std::string line; std::getline(lines, line);) steps.push_back(json::parse(line));
  ASSERT_EQ(steps.size(), 6u);  // the initial marking, 4 steps of the instruction, 1 to end
  EXPECT_TRUE(steps[0]["step"].is_null());
  EXPECT_EQ(steps[1]["fired"], json({"t2.0"}));
  EXPECT_EQ(steps[5]["fired"], json({"t16.0"}));
  EXPECT_EQ(steps[5]["marking"], json({{"p0", 4}}));
}

TEST(PnsimRun, ConflictsShowTheRaceOfT16InTheLiteralNet) {
  const json run = json_of("run wpnm_literal --set W=16 --set xa=20 --json");
  const auto& conflicts = run["conflicts"];
  const auto race = std::find_if(conflicts.begin(), conflicts.end(),
                                 [](const json& c) { return c["place"] == "p2"; });
  ASSERT_NE(race, conflicts.end());
  EXPECT_EQ((*race)["transitions"], json({"t1", "t16"}));
  EXPECT_GT((*race)["won"]["t16"].get<int>(), 0);
}

TEST(PnsimExact, PrintsTheKnownFraction) {
  const json exact = json_of("exact wpnm --set W=2 --set S=1 --set l1=3 --set l2=1 --json");
  EXPECT_EQ(exact["expected_steps"]["fraction"], "917/36");
  EXPECT_EQ(exact["markings"], 834);
  EXPECT_EQ(exact["outcome_probability"], json({{"goal", 1.0}, {"dead", 0.0}, {"never", 0.0}}));
}

TEST(PnsimConvert, RoundTripsKeepOrderNamesAndBehaviour) {
  const std::string folder = scratch_folder();
  const std::string net = kVectors + "/wpnm_unequal_3w.pnml";
  ASSERT_EQ(run_program("convert " + net + " -o " + folder + "/a.json").code, 0);
  ASSERT_EQ(run_program("convert " + folder + "/a.json -o " + folder + "/b.pnml").code, 0);
  ASSERT_EQ(run_program("convert " + folder + "/b.pnml -o " + folder + "/c.json").code, 0);
  EXPECT_EQ(file_text(folder + "/a.json"), file_text(folder + "/c.json"));
  const std::string until = " --until p1=0 --json";
  EXPECT_EQ(json_of("run " + net + until)["runs"],
            json_of("run " + folder + "/b.pnml" + until)["runs"]);
}

TEST(PnsimConvert, ATemplateKeepsItsGoalAndObservables) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program("convert wpnm --set W=3 -o " + folder + "/n.pnml").code, 0);
  const json from_file = json_of("run " + folder + "/n.pnml --json");
  const json from_template = json_of("run wpnm --set W=3 --json");
  EXPECT_EQ(from_file["runs"], from_template["runs"]);
  EXPECT_EQ(from_file["waiting_steps"], from_template["waiting_steps"]);
}

TEST(PnsimDerive, MakesOneModelPerLaunch) {
  const std::string folder = scratch_folder();
  const ProgramResult result = run_program("derive --ncu " + kVectors + "/ncu_raw.csv --source " +
                                           kVectors + "/ncu_source.csv -o " + folder + "/m");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder + "/m/0001-block_sum.json"));
  const json run = json_of("run " + folder + "/m/0000-vector_add.json --json");
  EXPECT_EQ(run["outcome"], "goal");
  EXPECT_EQ(run["launches"].size(), 1u);
}

TEST(PnsimDerive, ASecondLaunchOfAnIdAndKernelIsSkippedAndLongNamesCut) {
  const std::string folder = scratch_folder();
  auto rows = parse_csv(file_text(PNSIM_TEST_DATA "/vectors/ncu_raw.csv"), "raw.csv");
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) -
                                    rows[0].begin());
  };
  const auto derive = [&] {
    std::string text;
    for (const auto& row : rows) text += csv_line(row);
    write_text(folder + "/raw.csv", text);
    return run_program("derive --ncu " + folder + "/raw.csv -o " + folder + "/models");
  };
  rows[2][column("Kernel Name")] = std::string(400, 'k') + "(int)";
  const ProgramResult cut = derive();
  EXPECT_EQ(cut.code, 0) << cut.err;
  EXPECT_NE(cut.out.find("/models/0000-" + std::string(120, 'k') + ".json"), std::string::npos)
      << cut.out;
  rows[3][column("ID")] = rows[2][column("ID")];
  rows[3][column("Kernel Name")] = rows[2][column("Kernel Name")];
  const ProgramResult twice = derive();
  EXPECT_EQ(twice.code, 0);
  EXPECT_NE(twice.err.find("found the ID 0 twice (rows 3 and 4)"), std::string::npos) << twice.err;
}

// A net that lost a transition ends dead before its goal; this gives no time.
TEST(PnsimModel, ARunThatEndsDeadHasNoTime) {
  const std::string file = scratch_folder() + "/sm.json";
  Json net = Json::parse(file_text(data_root() + "/models/nets/sm.json"));
  auto& transitions = net["transitions"];
  for (std::size_t t = 0; t < transitions.size(); ++t) {
    if (transitions[t]["name"] == "land") transitions.erase(t--);
  }
  write_text(file, net.dump());
  const std::string run = "run --model matmul_tiled --set n=256 --set tile=16 --net " + file;
  const ProgramResult stuck = run_program(run);
  EXPECT_EQ(stuck.code, 1);
  EXPECT_NE(stuck.out.find("predicted time          - (a run ended dead"), std::string::npos)
      << stuck.out;
  EXPECT_TRUE(Json::parse(run_program(run + " --json").out)["time_us"]["value"].is_null());
}

TEST(PnsimDerive, TakesAPageOfColdLaunchesForColdRuns) {
  const std::string folder = scratch_folder();
  std::string page = read_file(kVectors + "/ncu_raw.csv");
  write_file_whole(folder + "/cold.csv", page + "\n");  // the same launches in another file
  const std::string derive = "derive --ncu " + kVectors + "/ncu_raw.csv --source " + kVectors +
                             "/ncu_source.csv -o " + folder;
  ASSERT_EQ(run_program(derive + "/m --cold " + folder + "/cold.csv").code, 0);
  const std::string run = "--model " + folder + "/m/0000-vector_add.json --json";
  const json cold = json_of(run + " --cold"), warm = json_of(run);
  EXPECT_EQ(cold["mode"], "cold");
  EXPECT_FALSE(warm.contains("mode"));
  EXPECT_GT(cold["time_us"]["value"], warm["time_us"]["value"]);
  // Pages of other launches are refused.
  ProgramResult refused = run_program(derive + "/n --cold " + kVectors + "/ncu_raw.csv");
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("--cache-control all"), std::string::npos) << refused.err;
  write_file_whole(folder + "/part.csv", "ID,Kernel Name\n,\n0,k\n");
  refused = run_program(derive + "/n --cold " + folder + "/part.csv");
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("profile with: ncu --set full --clock-control none --cache-control "
                             "all"),
            std::string::npos)
      << refused.err;
  page.resize(page.rfind('\n', page.size() - 2) + 1);
  write_file_whole(folder + "/cold.csv", page);
  refused = run_program(derive + "/n --cold " + folder + "/cold.csv");
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("launches, expected the"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder + "/n"));
  EXPECT_EQ(run_program("derive --ncu a --cold b -o c").code, 2) << "programs are needed";
}

// A launch of norm_group with programs and without cold counts.
std::string derived_model() {
  const std::string pages = std::string(PNSIM_TEST_DATA) + "/pages/norm_group";
  const std::string folder = scratch_folder();
  const ProgramResult derived = run_program("derive --ncu " + pages + ".raw.csv --source " + pages +
                                            ".source.csv -o " + folder);
  EXPECT_EQ(derived.code, 0) << derived.err;
  return folder + "/0025-norm_group_d0_g4.json";
}

TEST(PnsimModel, ColdNeedsAModelWithColdCountsAndANetWithCaches) {
  const json cold = json_of("--model sobel_global --net sm --cold --json");
  EXPECT_GT(cold["time_us"]["value"],
            json_of("--model sobel_global --net sm --json")["time_us"]["value"]);
  for (const auto& [flags, mode] : {std::pair{" --cold", ",cold,goal"}, {"", ",warm,goal"}}) {
    const auto lines =
        words_of(run_program("--model sobel_global --net sm --csv" + std::string(flags)).out);
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines[0],
              "kernel,repeat,grid,block,waves,steps,predicted_us,measured_us,mode,outcome");
    for (std::size_t i = 1; i < lines.size(); ++i)
      EXPECT_TRUE(lines[i].ends_with(mode)) << lines[i];
  }
  EXPECT_EQ(run_program("--model sobel_global --net wpnm --cold").code, 2);
  EXPECT_EQ(run_program("run wpnm --cold").code, 2);
  const std::string model = derived_model();
  const ProgramResult unknown = run_program("--model " + model + " --net sm --cold");
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("derive --cold"), std::string::npos) << unknown.err;
}

TEST(PnsimShow, ListsTheProgramsOfADerivedModel) {
  const std::string model = derived_model();
  const std::string shown = run_program("show " + model).out;
  for (const char* part :
       {"kind 0 of norm_group_d0_g4: 128 warps, each 3,090 arithmetic + 0 shared + 768 global",
        "\n64 times:\n", "  segment 8 ", "4 global_load of 4 B, 32.00 sectors, 32.00 tags",
        "  64 x warps: 2 of kind 0\n  68 x warps: 2 of kind 1\n", "  l2_read_sectors "}) {
    EXPECT_NE(shown.find(part), std::string::npos) << part << " in " << shown;
  }
}

TEST(PnsimModel, PredictsAShippedModelFromAnyFolder) {
  const ProgramResult result = run_program("--model radix_shared.json --json");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("radix_shared.json"), std::string::npos) << "stderr says which file";
  const json run = json::parse(result.out);
  EXPECT_EQ(run["parameters"]["n"], 1 << 20);
  EXPECT_EQ(run["parameters"]["block"], 256);
  EXPECT_GT(run["time_us"]["value"].get<double>(), 0);
  EXPECT_GT(run["measured_us"]["value"].get<double>(), 0);
}

TEST(PnsimModel, TimeIsNullOnceAParameterOfTheNetIsChanged) {
  const json run = json_of("--model radix_shared --set n=2^12 --set l1=40 --json");
  EXPECT_TRUE(run["time_us"]["value"].is_null());
}

TEST(PnsimModel, APointThatWasNotRecordedIs4AndNamesTheNearest) {
  const ProgramResult result = run_program("--model radix_shared --set n=1000000");
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(result.err.find("n=1048576"), std::string::npos) << result.err;
}

TEST(PnsimModel, TheModelPathIsSearched) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program("convert wpnm -o " + folder + "/mine.json").code, 0);
  ::setenv("PNSIM_MODEL_PATH", folder.c_str(), 1);
  const ProgramResult result = run_program("run mine");
  ::unsetenv("PNSIM_MODEL_PATH");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find(folder), std::string::npos);
}

}  // namespace
}  // namespace pnsim
