// Tests sweeps: the bytes do not depend on threads, shards or interruptions.
#include <nlohmann/json.hpp>

#include "tests/cli/child.h"
#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

const std::string kSmall = "sweep wpnm --set W=3 -a l1=[1:4] -a l2=[1,3] -q";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string rows_of(const std::string& arguments, int expected_code = 0) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, expected_code) << result.err;
  return result.out;
}

TEST(PnsimSweep, ARowIsWhatJsonPrintsPlusIdAndAxes) {
  const auto rows = lines_of(rows_of("sweep wpnm --set W=3 --seed 5 --replicas 3 -a l1=[4,9] -q"));
  ASSERT_EQ(rows.size(), 2u);
  auto row = ordered_json::parse(rows[1]);
  EXPECT_EQ(row["axes"], ordered_json({{"l1", 9}}));
  EXPECT_TRUE(row["id"].is_string());
  row.erase("id");
  row.erase("axes");
  const auto alone =
      ordered_json::parse(rows_of("run wpnm --set W=3 --seed 5 --replicas 3 --set l1=9 --json"));
  EXPECT_EQ(row.dump(), alone.dump()) << "also in the order of the keys";
}

TEST(PnsimSweep, TheLastAxisRunsFastestAndIdsDiffer) {
  const auto rows = lines_of(rows_of(kSmall));
  ASSERT_EQ(rows.size(), 8u);
  std::set<std::string> ids;
  std::vector<std::pair<int, int>> points;
  for (const std::string& line : rows) {
    const json row = json::parse(line);
    ids.insert(row["id"].get<std::string>());
    points.emplace_back(row["axes"]["l1"], row["axes"]["l2"]);
  }
  EXPECT_EQ(ids.size(), 8u);
  EXPECT_EQ(points[0], std::pair(1, 1));
  EXPECT_EQ(points[1], std::pair(1, 3));
  EXPECT_EQ(points[2], std::pair(2, 1));
}

TEST(PnsimSweep, ThreadsAndOutputDoNotChangeAByte) {
  const std::string rows = rows_of(kSmall + " -j 1");
  EXPECT_EQ(rows_of(kSmall + " -j 2"), rows);
  EXPECT_EQ(rows_of(kSmall + " -j 7"), rows);
  const std::string file = scratch_folder() + "/rows.jsonl";
  EXPECT_EQ(rows_of(kSmall + " -o " + file), "");
  EXPECT_EQ(file_text(file), rows);
}

TEST(PnsimSweep, TheIdDependsOnSeedReplicasAxesAndSettings) {
  std::set<std::string> ids;
  for (const char* more : {"", " --seed 2", " --replicas 2", " --set S=2", " --max-steps 500",
                           " --until p1.0=0", " --engine reference", " --device h200"}) {
    const auto rows = lines_of(rows_of(std::string("sweep wpnm -q -a l1=[1,2]") + more));
    ids.insert(json::parse(rows.at(0))["id"].get<std::string>());
  }
  ids.insert(json::parse(lines_of(rows_of("sweep wpnm -q -a l1=[1,3]")).at(0))["id"]);
  ids.insert(json::parse(lines_of(rows_of("sweep wpnm_literal -q -a l1=[1,2]")).at(0))["id"]);
  EXPECT_EQ(ids.size(), 10u);
}

TEST(PnsimSweep, AKernelModelIsSweptOverProblemNetDeviceAndParameters) {
  const std::string sweep =
      "sweep radix_shared -q -a n[pow2]=[12:13] -a block=[128,256] "
      "-a net=[wpnm,wpnm_literal] -a device=[h200] -a l2=[2,3]";
  const std::string rows = rows_of(sweep + " -j 2");
  const auto lines = lines_of(rows);
  ASSERT_EQ(lines.size(), 16u);
  auto row = ordered_json::parse(lines[3]);
  EXPECT_EQ(row["axes"].dump(),
            R"({"n":4096,"block":128,"net":"wpnm_literal","device":"h200","l2":3})");
  EXPECT_EQ(row["launch_shape"]["source"], "recorded");
  for (const char* key : {"id", "axes", "launch_shape"}) row.erase(key);
  const std::string run =
      "run radix_shared --set n=2^12 --set block=128 --net wpnm_literal "
      "--device h200 --set l2=3 --json";
  auto alone = ordered_json::parse(rows_of(run));
  EXPECT_EQ(alone["against_default"]["parameters"], ordered_json({{"l2", 2}}))
      << "a sweep compares its points itself";
  alone.erase("against_default");
  EXPECT_EQ(row.dump(), alone.dump());
  EXPECT_EQ(rows_of(sweep + " -j 1"), rows);
}

TEST(PnsimSweep, ABlockThatWasNotRecordedIsAWhatIfAndTheRowSaysSo) {
  const auto lines = lines_of(
      rows_of("sweep --model radix_report_shared --net sm --set n=1280 -q -a block=[64,96]"));
  ASSERT_EQ(lines.size(), 2u);
  const json recorded = json::parse(lines[0]), what_if = json::parse(lines[1]);
  EXPECT_EQ(recorded["launch_shape"]["source"], "recorded");
  EXPECT_FALSE(recorded["measured_us"].is_null());
  EXPECT_EQ(what_if["launch_shape"]["source"], "what-if");
  EXPECT_EQ(what_if["launch_shape"]["from"], json({{"block", 128}, {"n", 1280}}));
  EXPECT_EQ(what_if["launch_shape"]["resident_blocks"], json({21, 21, 21}));
  EXPECT_EQ(what_if["launches"][0]["grid"], 14);
  EXPECT_EQ(what_if["parameters"]["block"], 96);
  EXPECT_TRUE(what_if["measured_us"].is_null());
}

// The example pages hold one kernel profiled with block sizes 256 and 128.
TEST(PnsimSweep, ADerivedLaunchReShapedIsNearlyTheOneThatWasProfiledSo) {
  const std::string folder = scratch_folder(), pages = std::string(PNSIM_TEST_DATA) + "/vectors/";
  ASSERT_EQ(run_program("derive --ncu " + pages + "ncu_raw.csv --source " + pages +
                        "ncu_source.csv -o " + folder)
                .code,
            0);
  const auto row_of = [&](const std::string& model) {
    return json::parse(
        rows_of("sweep --model " + folder + "/" + model + ".json --net sm -q -a block=[128]"));
  };
  const json re_shaped = row_of("0000-vector_add"), profiled = row_of("0004-vector_add");
  EXPECT_EQ(re_shaped["launch_shape"]["from"], json({{"block", 256}, {"grid", 256}}));
  EXPECT_EQ(re_shaped["parameters"]["grid"], 512);
  EXPECT_EQ(profiled["launch_shape"]["source"], "recorded");
  EXPECT_EQ(profiled["parameters"]["grid"], 512);
  const double steps = profiled["steps"]["mean"];
  EXPECT_NEAR(re_shaped["steps"]["mean"].get<double>(), steps, 0.05 * steps);
}

TEST(PnsimSweep, TheBestBlockSizeIsReportedOnStderr) {
  const ProgramResult result =
      run_program("sweep radix_report_shared --net sm -a n=[1280] -a block=[64,1024,992]");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.err.find("n=1280: block=64 takes the fewest steps of 3 sizes"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(run_program("sweep radix_report_shared --net sm -a n=[1280]").err.find("fewest"),
            std::string::npos);
}

TEST(PnsimSweep, RunsThatWereCutOffAreNotTheBestOfTheBlocks) {
  const ProgramResult result = run_program(
      "sweep radix_report_shared --net sm -a n=1280 -a block=[64,1024] --max-steps 100");
  EXPECT_EQ(result.code, 5);
  EXPECT_NE(result.err.find("n=1280: no run ended at any of 2 sizes"), std::string::npos)
      << result.err;
}

TEST(PnsimSweep, ABlockThatFitsNowhereIsRefusedBeforeAnythingRuns) {
  const ProgramResult result = run_program("sweep radix_report_shared -q -a block=[64,2048]");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("at most 1024) does not fit"), std::string::npos) << result.err;
}

TEST(PnsimSweep, ShardsMergeToTheBytesOfTheWholeInBothWaysOfCounting) {
  const std::string folder = scratch_folder();
  const std::string whole = rows_of(kSmall);
  for (const int first : {0, 1}) {
    std::string files;
    for (int i = first; i < first + 3; ++i) {
      const std::string file = folder + "/" + std::to_string(first) + std::to_string(i);
      EXPECT_EQ(rows_of(kSmall + " --shard " + std::to_string(i) + "/3 -o " + file), "");
      files = " " + file + files;
    }
    EXPECT_EQ(rows_of("merge -q --replace" + files + " -o " + folder + "/all"), "");
    EXPECT_EQ(file_text(folder + "/all"), whole);
  }
}

TEST(PnsimSweep, MoreShardsThanPointsLeaveSomeEmpty) {
  const std::string folder = scratch_folder();
  const std::string sweep = "sweep wpnm -q -a l1=[1,2]";
  std::string files;
  for (int i = 1; i <= 4; ++i) {
    const std::string file = folder + "/s" + std::to_string(i);
    rows_of(sweep + " --shard " + std::to_string(i) + "/4 -o " + file);
    files += " " + file;
  }
  rows_of("merge -q" + files + " -o " + folder + "/all");
  EXPECT_EQ(file_text(folder + "/all"), rows_of(sweep));
}

TEST(PnsimResume, ContinuesAfterAnyCutAndRunsACutOffRowAgain) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string whole = rows_of(kSmall);
  const std::size_t row = whole.find('\n') + 1;
  for (const std::size_t kept :
       {std::size_t{0}, row, row + 1, row + 10, 2 * row - 30, whole.size() - 1, whole.size()}) {
    write_text(file, whole.substr(0, kept));
    rows_of(kSmall + " --resume -o " + file);
    EXPECT_EQ(file_text(file), whole) << kept;
  }
}

TEST(PnsimResume, ZerosThatACrashLeftAreACutOffRow) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string whole = rows_of(kSmall);
  write_text(file, whole.substr(0, whole.find('\n') + 1) + std::string(4096, '\0'));
  rows_of(kSmall + " --resume -o " + file);
  EXPECT_EQ(file_text(file), whole);
}

TEST(PnsimResume, SaysHowManyRowsAreThereAndNeedsNoFile) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string loud = "sweep wpnm -a l1=[1:4] --resume -o " + file;
  EXPECT_EQ(run_program(loud).code, 0);
  const ProgramResult again = run_program(loud);
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("4 rows already present"), std::string::npos) << again.err;
}

TEST(PnsimResume, RowsOfAnotherSweepAreRefusedAndLeftAlone) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string axes = " -q -a l1=[1,2] --resume -o " + file;
  const std::string rows = rows_of("sweep wpnm -q -a l1=[1,2] --seed 9");
  const std::string first = rows.substr(0, rows.find('\n') + 1);
  for (const std::string& text : {rows, first, first.substr(0, 60), std::string("hello"),
                                  std::string("hello\n"), "\n" + rows}) {
    write_text(file, text);
    for (const char* other : {"sweep wpnm", "sweep wpnm_literal --seed 9",
                              "sweep wpnm --seed 9 "
                              "--replicas 2",
                              "sweep wpnm --seed 9 -a l2=[2]"}) {
      const ProgramResult result = run_program(other + axes);
      EXPECT_EQ(result.code, 3) << other << ": " << text.substr(0, 60) << result.err;
      EXPECT_NE(result.err.find("line 1"), std::string::npos) << result.err;
      EXPECT_EQ(file_text(file), text);
    }
  }
}

TEST(PnsimResume, ABrokenRowInTheMiddleIsRefusedWithItsLine) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  std::string text = rows_of(kSmall);
  text[text.find('\n') - 1] = ']';
  write_text(file, text);
  const ProgramResult result = run_program(kSmall + " --resume -o " + file);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("line 1: found malformed JSON, expected a row of `pnsim sweep`"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(file_text(file), text);
}

TEST(PnsimResume, WithoutItRowsAreNotOverwritten) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string rows = "{\"id\":\"precious\"}\n";
  write_text(file, rows);
  const ProgramResult result = run_program(kSmall + " -o " + file);
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("--resume"), std::string::npos) << result.err;
  EXPECT_EQ(file_text(file), rows);
}

TEST(PnsimSweep, TheExitCodeIsTheWorstOfTheRowsAfterAResumeToo) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string sweep = "sweep wpnm -q -a l1=[1,200] --max-steps 150 --resume -o " + file;
  EXPECT_EQ(run_program(sweep).code, 5) << "one row reached the limit and is marked";
  EXPECT_EQ(lines_of(file_text(file)).size(), 2u);
  EXPECT_EQ(run_program(sweep).code, 5) << "the rows were already present";
  EXPECT_EQ(run_program("sweep wpnm -q -a l1=[1,2] --max-steps 150").code, 0);
}

TEST(PnsimSweep, APointThatFailsKeepsTheRowsBeforeIt) {
  const std::string folder = scratch_folder();
  const std::string net = folder + "/n.json";
  write_text(net, R"({"kind": "net-template", "version": 1, "name": "n",
    "parameters": [{"name": "x", "default": 1}],
    "places": [{"name": "a", "tokens": "3 - x"}], "transitions": [{"name": "t", "takes": ["a"]}]})");
  const ProgramResult result =
      run_program("sweep " + net + " -q -j 4 -a x=[0:9] -o " + folder + "/rows");
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_NE(result.err.find("evaluate to -1"), std::string::npos) << result.err;
  EXPECT_EQ(lines_of(file_text(folder + "/rows")).size(), 4u) << "x = 0 ... 3";
}

TEST(PnsimSweep, ABigSweepSaysItsPointsAndAboutHowLong) {
  const ProgramResult result =
      run_program("sweep wpnm --set W=1 --set xg=0 --set xs=0 -a xa=[0:999] -o /dev/null");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("1,000 points; about "), std::string::npos) << result.err;
  EXPECT_EQ(run_program("sweep wpnm -q -a l1=[1,2]").err, "") << "-q says nothing";
}

TEST(PnsimMerge, ReportsWhatIsMissingAndWritesNothing) {
  const std::string folder = scratch_folder();
  const auto lines = lines_of(rows_of(kSmall));
  write_text(folder + "/a", lines[0] + "\n" + lines[4] + "\n" + lines[5].substr(0, 50));
  write_text(folder + "/b", lines[6] + "\n");
  write_text(folder + "/all", "precious");
  const ProgramResult result =
      run_program("merge --replace " + folder + "/a " + folder + "/b -o " + folder + "/all");
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("missing points: 2 to 4, 6, 8 (5 of 8); " + folder +
                            "/a ends in an incomplete row"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(file_text(folder + "/all"), "precious");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 3);
}

TEST(PnsimMerge, RowsThatDisagreeAreAnError) {
  const std::string folder = scratch_folder();
  const std::string whole = rows_of(kSmall);
  std::string other = whole;
  const std::size_t digit = other.rfind("\"steps\":{\"mean\":") + 16;
  other[digit] = other[digit] == '1' ? '2' : '1';
  write_text(folder + "/a", whole);
  write_text(folder + "/b", other);
  const ProgramResult result =
      run_program("merge " + folder + "/a " + folder + "/b -o " + folder + "/all");
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("disagrees"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("line 8"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder + "/all"));
  EXPECT_EQ(rows_of("merge -q " + folder + "/a " + folder + "/a -o " + folder + "/all"), "");
  EXPECT_EQ(file_text(folder + "/all"), whole) << "identical rows may be in several files";
}

TEST(PnsimMerge, OtherSweepsOtherFilesAndWrongOrderAreRefused) {
  const std::string folder = scratch_folder();
  const std::string a = rows_of(kSmall), b = rows_of(kSmall + " --seed 2");
  const auto lines = lines_of(a);
  write_text(folder + "/a", a);
  write_text(folder + "/b", b);
  write_text(folder + "/c", "{\"id\":\"x\"}\n");
  write_text(folder + "/d", lines[1] + "\n" + lines[0] + "\n");
  write_text(folder + "/e", "");
  const auto merged = [&](const std::string& files) {
    return run_program("merge " + files + " -o " + folder + "/all");
  };
  EXPECT_EQ(merged(folder + "/a " + folder + "/b").code, 3);
  EXPECT_NE(merged(folder + "/a " + folder + "/b").err.find("different sweeps"), std::string::npos);
  EXPECT_EQ(merged(folder + "/c").code, 3);
  EXPECT_NE(merged(folder + "/d").err.find("out of order"), std::string::npos);
  EXPECT_EQ(merged(folder + "/e").code, 3) << "no row tells which sweep it is";
  EXPECT_EQ(merged(folder + "/none").code, 3);
  EXPECT_EQ(run_program("merge " + folder + "/a -o /dev/full").code, 74);
  EXPECT_FALSE(std::filesystem::exists(folder + "/all"));
}

struct BadSweep {
  const char* name;
  const char* arguments;
  int code;
  const char* says;
};

void PrintTo(const BadSweep& bad, std::ostream* out) { *out << bad.name; }

const BadSweep kBadSweeps[] = {
    {"axis_typo", "wpnm -a l3=[1,2]", 2, "did you mean \"l1\""},
    {"axis_typo_of_a_model", "radix_shared -a blok=[128]", 2, "did you mean \"block\""},
    {"empty_axis", "wpnm -a l1=[]", 2, "the axis is empty"},
    {"empty_range", "wpnm -a l1=[5:1]", 2, "the range is empty"},
    {"million_million_points", "wpnm -a l1=[1:1000000] -a l2=[1:1000000]", 2,
     "1,000,000,000,000 points"},
    {"axis_twice", "wpnm -a l1=[1] -a l1=[2]", 2, "given twice"},
    {"axis_that_is_set", "wpnm -a l1=[1] --set l1=2", 2, "set with --set"},
    {"device_axis_that_is_set", "wpnm -a device=[h200] --device h200", 2, "remove one of them"},
    {"text_for_a_number", "wpnm -a l1=[a,b]", 2, "expected a whole number"},
    {"value_out_of_range", "wpnm -a l1=[0,-1]", 3, "expected 0 to"},
    {"warps_of_a_model", "radix_shared -a W=[1,2]", 2, "comes from the kernel model"},
    {"net_axis_of_a_template", "wpnm -a net=[wpnm]", 2, "unknown axis \"net\""},
    {"unknown_net", "radix_shared -a net=[wpnn]", 3, "did you mean \"wpnm\""},
    {"unrecorded_point", "radix_shared -a n=[4096,5000]", 4, "was not recorded"},
    {"plain_net", PNSIM_TEST_DATA "/vectors/wpnm_2w.pnml -a l1=[1]", 2, "without parameters"},
    {"resume_without_file", "wpnm -a l1=[1] --resume", 2, "-o ROWS"},
    {"block_of_a_fixed_grid", "norm_group --net sm -a block=[64,128]", 4,
     "recorded, and so predicted, are block=[32,64,256"},
    {"shard_beyond", "wpnm -a l1=[1] --shard 4/3", 2, "expected i/n"},
    {"shard_of_none", "wpnm -a l1=[1] --shard 0/0", 2, "expected i/n"},
    {"shard_that_is_text", "wpnm -a l1=[1] --shard first", 2, "expected i/n"},
    {"full_disk", "wpnm -a l1=[1] -o /dev/full", 74, "No space left"},
    {"missing_folder", "wpnm -a l1=[1] -o /no/such/folder/rows", 74, "cannot be written"},
    {"precision_of_one_replica", "wpnm -a l1=[1] --rel-error 0.1 --replicas 1", 2, "two replicas"},
};

class PnsimBadSweep : public testing::TestWithParam<BadSweep> {};

TEST_P(PnsimBadSweep, EndsWithItsCodeAndSaysWhy) {
  const ProgramResult result = run_program(std::string("sweep ") + GetParam().arguments);
  EXPECT_EQ(result.code, GetParam().code) << result.err;
  EXPECT_NE(result.err.find(GetParam().says), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
}

INSTANTIATE_TEST_SUITE_P(OneByOne, PnsimBadSweep, testing::ValuesIn(kBadSweeps),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace pnsim
