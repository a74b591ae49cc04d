// Tests `experiment validate --pages` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <tuple>

#include "simulator/base/json.h"
#include "tests/cli/program.h"
#include "tests/experiments/validate/own_pages.h"
#include "tests/support/fake_ncu.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(OwnKernelsCli, AreJudgedInOneCommand) {
  const OwnFolder own;
  const std::string out = own.folder.path("out");
  const ProgramResult text = run_program("validate " + own.options() + " --out " + out);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("experiment validate: measured times are those of "));
  EXPECT_THAT(text.out, HasSubstr("By program, with at least two points (times.csv, h200)"));
  EXPECT_THAT(text.err, HasSubstr("sums of 5 launches equal the raw page's"));
  EXPECT_THAT(text.err, HasSubstr(out));
  for (const char* file :
       {"points.csv", "summary.json", "report.md", "scatter.svg", "errors.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  }
  const ProgramResult json = run_program("validate -q -j 2 --json --nets wpnm,sm --device h200 " +
                                         own.options() + " --out " + out);
  EXPECT_EQ(json.err, "");
  EXPECT_EQ(own.folder.read("out/summary.json"), json.out);
  EXPECT_EQ(parse_json(json.out, "stdout")["predictors"].size(), 4u);
  const ProgramResult csv = run_program("validate -q --csv " + own.options() + " --out " + out);
  EXPECT_EQ(own.folder.read("out/points.csv"), csv.out);
}

// A launch that is predicted far from its time under the profiler is as doubtful on another GPU.
TEST(OwnKernelsCli, FarOnTheProfiledGpuStaysWhenAnotherIsPredicted) {
  OwnFolder own;
  own.files.pages =
      own.folder.write("raw.csv", replaced(file_text(own.files.pages), "2.144000", "30.000"));
  for (const std::string device : {"", " --device h100"}) {
    const ProgramResult result = run_program("validate -q --csv " + own.options() + device +
                                             " --out " + own.folder.path("o"));
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(own.folder.read("o/report.md"), HasSubstr("(far: "));
    EXPECT_THAT(result.out, HasSubstr(",far,")) << device;
    EXPECT_EQ(result.out.find(",far,"), result.out.rfind(",far,")) << "one launch";
  }
}

TEST(OwnKernelsCli, FilesMayHaveNamesThatAreNotUtf8) {
  const OwnFolder own;
  const std::string folder = own.folder.path("p\xe9");
  std::filesystem::create_directories(folder);
  const std::string raw = folder + "/raw.csv", source = folder + "/source.csv",
                    times = folder + "/t\xe9.csv";
  std::filesystem::copy_file(kOwnRaw, raw);
  std::filesystem::copy_file(kOwnSource, source);
  write_text(times, kOwnTimes);
  const ProgramResult result =
      run_program("validate -q --json --device h200 --pages " + raw + " --source " + source +
                  " --times " + times + " --out " + folder + "/out");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("t\\\\xe9.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/out/points.csv"));
}

// A folder of two launches of a recorded program.
class TwoModels : public testing::Test {
 protected:
  void SetUp() override {
    const std::string recorded = PNSIM_TEST_DATA "/../../experiments/others/hecbench_h100/models/";
    std::filesystem::create_directories(models_);
    for (const char* name : {kFirst, kSecond})
      write_text(models_ + name, file_text(recorded + name));
    write_text(times_,
               "index,kernel,problem,block,time_us\n"
               "0,compute_f,first,256x1x1,53.1\n"
               "1,compute_i,second,256x1x1,51.3\n");
  }

  ProgramResult validate(const std::string& options = "") const {
    return run_program("validate --models " + models_ + " --times " + times_ + " --out " +
                       own_.folder.path("out") + options);
  }

  void change(const char* name, const std::function<void(Json&)>& launch) const {
    Json model = load_json(models_ + name);
    launch(model["points"][0]["launches"][0]);
    write_text(models_ + name, model.dump());
  }

  static constexpr const char *kFirst = "/0000-compute_f.json", *kSecond = "/0001-compute_i.json";
  const OwnFolder own_;
  const std::string models_ = own_.folder.path("models"), times_ = own_.folder.path("own.csv");
};

TEST_F(TwoModels, ALaunchThatCannotBePredictedCostsNoOther) {
  const std::pair<std::string, std::function<void(Json&)>> changes[] = {
      {"found 100 resident blocks", [](Json& launch) { launch["resident_blocks"] = 100; }},
      {"takes over 2^40 cycles of the unit",
       [](Json& launch) {
         launch["segments"][0]["last_producer_slots"]["special"] = 1'000'000'000'000'000;
       }},
      {"found no counters of the memory system", [](Json& launch) { launch.erase("counters"); }},
      {"expands to", [](Json& launch) {  // places and transitions for each of 64 warps
         const Json segment = launch["segments"][1];
         for (int i = 0; i < 6500; ++i) {
           launch["warps"][0]["program"].push_back(launch["segments"].size());
           launch["segments"].push_back(segment);
         }
       }}};
  for (const auto& [why, damage] : changes) {
    SetUp();
    change(kFirst, damage);
    const ProgramResult one = validate();
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_THAT(one.err, HasSubstr("1 of 2 launches are left out"));
    EXPECT_THAT(one.out, HasSubstr("skipped: 1 point of compute_f: first, block 256x1x1: "));
    EXPECT_THAT(one.out, HasSubstr(why));
    EXPECT_THAT(one.out, HasSubstr("compute_i"));
    change(kSecond, damage);
    const ProgramResult none = validate();
    EXPECT_EQ(none.code, 3) << why;
    EXPECT_THAT(none.err, HasSubstr("none of the launches can be predicted"));
    EXPECT_THAT(none.err, HasSubstr(why));
  }
}

TEST_F(TwoModels, HiddenFilesAndFoldersAreNoModels) {
  write_text(models_ + "/._0000-compute_f.json", std::string("\0", 1));
  std::filesystem::create_directories(models_ + "/old.json");
  const ProgramResult result = validate();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 points"));
}

TEST_F(TwoModels, AKernelOfATimeThatIsNotUtf8HasAPlace) {
  write_text(times_,
             "index,kernel,problem,block,time_us\n"
             "0,compute\xc3,first,256x1x1,53.1\n"
             "1,compute_i,second,256x1x1,51.3\n");
  const ProgramResult result = validate();
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("own.csv: row 2, column kernel"));
}

// On another GPU a launch that the profiled one refuses costs no other its comparison with it.
TEST_F(TwoModels, FarFromTheProfiledGpuIsToldOfEveryLaunch) {
  Json second = load_json(models_ + kSecond);
  second["provenance"]["profiled_us"] = 1000;
  write_text(models_ + kSecond, second.dump());
  const auto has_far = [](const ProgramResult& result) {
    return result.out.find("compute_i  second, block 256x1x1  far") != std::string::npos;
  };
  EXPECT_TRUE(has_far(validate(" --device h200")));
  change(kFirst, [](Json& launch) { launch["resident_blocks"] = 100; });
  EXPECT_TRUE(has_far(validate(" --device h200")));
}

TEST_F(TwoModels, ANetOfTheNameOfAnAnalyticalModelIsRefused) {
  Json net = load_json(PNSIM_TEST_DATA "/../../models/nets/sm.json");
  net["name"] = "roofline";
  const std::string file = own_.folder.path("net.json");
  write_text(file, net.dump());
  const ProgramResult result = validate(" --nets sm," + file);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("roofline is the name of an analytical model"));
}

// The pages may be large, so that a wrong table of times is refused before they are read.
TEST(OwnKernelsCli, TheTimesAreCheckedBeforeThePages) {
  const OwnFolder own;
  const std::string pages = own.folder.path("pages.csv"), times = own.folder.path("wrong.csv");
  write_text(pages, "no page");
  write_text(times, "foo\n1\n");
  const ProgramResult result =
      run_program("validate --pages " + pages + " --source " + pages + " --times " + times);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr(times + ": row 1: found no column"));
}

TEST(OwnKernelsCli, ConflictingOptionsAreUsageErrors) {
  const OwnFolder own;
  const std::string pages = "--pages " + own.files.pages, source = " --source " + own.files.source,
                    times = " --times " + own.files.times;
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"radix " + own.options(), "found \"radix\" beside --pages"},
      {"all " + own.options(), "found \"all\" beside --pages"},
      {source, "--source: expected --pages RAW.csv as well"},
      {times, "--times: expected --pages RAW.csv as well"},
      {"radix" + source + times, "--source: expected --pages RAW.csv as well"},
      {pages + times, "--pages: expected --source SOURCE.csv as well"},
      {pages + source, "--pages: expected --times TIMES.csv as well"},
      {own.options() + " --mode warm", "--mode cannot be combined with --pages"},
      {own.options() + " --nets sm,sm", "sm is given twice"},
      {own.options() + " --nets wpnm --device h200 --ablation",
       "--ablation: the nets have no modules to switch off"},
      {"--models m", "--models: expected --times TIMES.csv as well"},
      {"--models m" + times + " --mode warm", "--mode cannot be combined with --models"},
      {"radix --models m" + times, "found \"radix\" beside --models"},
      {"--models m " + own.options(), "--models: expected no --pages"},
      {"--models m --tolerance 3" + times, "--models: expected no --pages"},
  };
  for (const auto& [arguments, said] : refusals) {
    const ProgramResult result =
        run_program("validate -q " + arguments + " --out " + own.folder.path("out"));
    EXPECT_EQ(result.code, 2) << arguments << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr(said)) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
  }
  EXPECT_FALSE(std::filesystem::exists(own.folder.path("out")));
}

TEST(OwnKernelsCli, BadFilesAreThree) {
  const OwnFolder own, bad(replaced(kOwnTimes, ",1.4", ",nan"));
  const std::vector<std::tuple<OwnFiles, std::string, std::string>> refusals = {
      {{own.files.pages, own.files.source, "none.csv"}, "", "none.csv"},
      {{"none.csv", own.files.source, own.files.times}, "", "none.csv"},
      {{own.files.source, own.files.pages, own.files.times}, "", "this is a source page"},
      {{own.files.pages, own.files.source, own.files.pages}, "", "found no column \"index\""},
      {bad.files, "", "times.csv: row 6, column time_us: found \"nan\""},
      {own.files, " --device h20", "h20: no profile of this GPU is shipped; known: a100"},
      {own.files, " --nets smm", "did you mean \"sm\"?"},
  };
  for (const auto& [files, more, said] : refusals) {
    const ProgramResult result =
        run_program("validate -q --pages " + files.pages + " --source " + files.source +
                    " --times " + files.times + more + " --out " + own.folder.path("out"));
    EXPECT_EQ(result.code, 3) << said << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr(said));
    EXPECT_EQ(result.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(own.folder.path("out")));
}

// Times of the six launches of the PyTorch pages.
const char* const kTorchTimes =
    "index,kernel,problem,block,time_us\n"
    "0,vectorized_elementwise_kernel,a,128,16.1\n"
    "1,fill_reverse_indices_kernel,b,1024,1.6\n"
    "2,fill,c,512,1.2\n"
    "3,nvjet,d,384,6.4\n"
    "4,vectorized_elementwise_kernel,e,128,1.3\n"
    "5,multi_tensor_apply_kernel,f,512,28\n";

TEST(OwnKernelsCli, PagesOfPyTorchAreJudgedWithWarningsBesideTheirPoints) {
  const OwnFolder own(kTorchTimes);
  const std::string pages = PNSIM_TEST_DATA "/pages/torch", out = own.folder.path("out");
  const std::string command = "validate --pages " + pages + ".raw.csv --source " + pages +
                              ".source.csv --times " + own.files.times + " --out " + out;
  const ProgramResult text = run_program(command);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("6 points (warm times) of 5 kernels, predicted for NVIDIA H100"));
  EXPECT_THAT(text.out, HasSubstr("\nWarnings (times.csv, h100)\n"));
  EXPECT_THAT(text.out, HasSubstr("tensor, bulk-copy, spinning"));
  EXPECT_THAT(text.out, HasSubstr("(tensor: tensor cores: it is an estimate for which copies of "
                                  "other warps a warp waits)"));
  const InputJson json = parse_json(own.folder.read("out/summary.json"), "summary.json");
  EXPECT_EQ(json["points"][3]["warnings"][0]["kind"], "tensor");
  EXPECT_FALSE(json["points"][0].contains("warnings"));
  EXPECT_THAT(own.folder.read("out/points.csv"), HasSubstr(",\"tensor, bulk-copy, spinning"));
}

// The sections of a report, in their order.
std::vector<std::string> titles_in(const std::string& text) {
  std::vector<std::string> titles;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(" (times.csv, h100)")) titles.push_back(line.substr(0, line.size() - 18));
  }
  return titles;
}

std::string torch_validation(const OwnFolder& own, const std::string& options) {
  const std::string pages = PNSIM_TEST_DATA "/pages/torch";
  return "validate --pages " + pages + ".raw.csv --source " + pages + ".source.csv --times " +
         own.files.times + " --out " + own.folder.path("out") + " --nets sm " + options;
}

TEST(OwnKernelsCli, TotalsComeFirstThenThoseByTensorCoresAndByWarnings) {
  const OwnFolder own(kTorchTimes);
  const ProgramResult text = run_program(torch_validation(own, ""));
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(
      titles_in(text.out),
      testing::ElementsAre("All points", "Mean error in % by program, the worst of sm first",
                           "By program, with at least two points", "Largest errors of sm",
                           "Warnings", "Measured and profiled times"));
  const InputJson json = parse_json(own.folder.read("out/summary.json"), "summary.json");
  const std::vector<std::string> groups{"all", "without tensor cores", "with tensor cores",
                                        "without warnings", "with warnings"};
  ASSERT_EQ(json["overall"].size(), groups.size());
  const auto points = [&](std::size_t group) {
    return json["overall"][group]["predictors"]["sm"]["points"].get<std::size_t>();
  };
  for (std::size_t g = 0; g < groups.size(); ++g)
    EXPECT_EQ(json["overall"][g]["points_of"], groups[g]);
  EXPECT_EQ(points(1) + points(2), json["points"].size());
  EXPECT_EQ(points(3) + points(4), json["points"].size());
  EXPECT_THAT(text.out, HasSubstr("  without warnings  "));
}

TEST(OwnKernelsCli, MeasuredTimesStandBesideTheProfiledOnesWithTheirRatio) {
  const OwnFolder own(kTorchTimes);
  const ProgramResult text = run_program(torch_validation(own, ""));
  EXPECT_THAT(text.out, HasSubstr("profiled us  measured / profiled  template arguments\n"));
  EXPECT_THAT(text.out, HasSubstr("  measured / profiled time of 6 points: "));
  EXPECT_THAT(text.out, HasSubstr(" error %")) << "with a sign";
  EXPECT_THAT(text.out, testing::ContainsRegex(" [+-][0-9]+\\.[0-9] "));
  const InputJson json = parse_json(own.folder.read("out/summary.json"), "summary.json");
  EXPECT_GT(json["points"][0]["profiled_us"].get<double>(), 0);
  EXPECT_EQ(json["points"][2]["template_arguments"], "<unsigned int, unsigned int>");
  EXPECT_THAT(text.out, HasSubstr("  <unsigned int, unsigned int>\n"));
  EXPECT_THAT(own.folder.read("out/points.csv"), HasSubstr(",profiled_us\n"));
  const OwnFolder slow(replaced(kTorchTimes, ",1.3\n", ",13\n"));
  EXPECT_THAT(run_program(torch_validation(slow, "")).out,
              HasSubstr("\n  These times and the profile disagree: "));
}

TEST(OwnKernelsCli, TablesAreOrderedByTimeAndCut) {
  const OwnFolder own(kTorchTimes);
  const ProgramResult text = run_program(torch_validation(own, "--sort time --top 2"));
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(titles_in(text.out),
              testing::IsSupersetOf({"Mean error in % by program, the longest measured time first",
                                     "Longest times, with errors of sm"}));
  EXPECT_THAT(text.out, HasSubstr("  share %  "));
  const std::string points = text.out.substr(text.out.find("\nLongest times"));
  const std::string rows = points.substr(0, points.find("\n\n"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 5)
      << "title, head, rule, two rows: " << rows;
  EXPECT_LT(rows.find("multi_tensor_apply_kernel"), rows.find("nvjet")) << rows;
  const ProgramResult bad = run_program(torch_validation(own, "--sort tim"));
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("did you mean \"time\"?"));
}

TEST(OwnKernelsCli, ASkippedLaunchIsASkippedPoint) {
  const OwnFolder own;
  std::string raw = read_file(own.files.pages);
  raw.replace(raw.rfind("(256, 1, 1)"), 11, "(255, 1, 1)");  // a size of launch 3 or 4
  const std::string page = own.folder.write("raw.csv", raw);
  const ProgramResult text =
      run_program("validate --pages " + page + " --source " + own.files.source + " --times " +
                  own.files.times + " --out " + own.folder.path("out"));
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("\n4 points (warm times)"));
  EXPECT_THAT(text.out, HasSubstr("skipped: 1 point of "));
  EXPECT_THAT(text.err, HasSubstr("skipped 1 of 5 launches, for the reasons in the report"));
  EXPECT_THAT(text.err, testing::Not(HasSubstr("skipped: "))) << "the report has it";
}

TEST(OwnKernelsCli, TimesOfLaunchesInTheirProgramAreInPlace) {
  const test::TempFolder folder;
  const std::string own = PNSIM_TEST_DATA "/../../experiments/others/hecbench_h100/";
  const ProgramResult text =
      run_program("validate --models " + own + "models --times " + own +
                  "times.csv --nets sm --device h100 --out " + folder.path("out"));
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("\n6 points (in-place, warm times)"))
      << "one launch has no page in place";
}

TEST(OwnKernelsCli, AReportIsImportedByTheProfiler) {
  const OwnFolder own;
  const test::FakeNcu ncu(test::FakeNcu::printing(kOwnRaw, kOwnSource));
  const std::string report = ncu.folder().write("rep.ncu-rep", "");
  const ProgramResult text = run_program("validate --pages " + report + " --times " +
                                         own.files.times + " --out " + own.folder.path("out"));
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("5 points (warm times)"));
}

TEST(OwnKernelsCli, MissingCountersAreAnErrorUnlessAllowed) {
  const OwnFolder own;
  const std::string page =
      own.folder.write("raw.csv", replaced(read_file(own.files.pages), "dram__bytes", "gone"));
  const std::string command = "validate --pages " + page + " --source " + own.files.source +
                              " --times " + own.files.times + " --out " + own.folder.path("out");
  const ProgramResult refused = run_program(command);
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("\"dram__bytes_read.sum\", \"dram__bytes_write.sum\""));
  const ProgramResult allowed = run_program(command + " --allow-missing");
  EXPECT_EQ(allowed.code, 0) << allowed.err;
  EXPECT_THAT(allowed.out, HasSubstr("(missing: the profile lacks counters that decide the time)"));
}

}  // namespace
}  // namespace pnsim::experiments
