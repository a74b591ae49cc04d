// Tests the table, the CSV and the plot of pnsim sweep, and its axes of factors and counts.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kSweep = "sweep wpnm --set W=3 -a l1=[1,2] -a l2=[1,3]";

void expect_sweep_refused(const std::string& arguments, int code, const std::string& message) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, code) << arguments;
  EXPECT_THAT(result.err, HasSubstr(message)) << arguments;
}

TEST(PnsimSweepTable, IsPrintedBesideTheRowsFile) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const ProgramResult first = run_program(kSweep + " -o " + file);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("  l1 (steps)  l2 (steps)  steps\n"));
  EXPECT_EQ(file_text(file), run_program(kSweep + " -q").out) << "JSON lines, as on stdout";
  EXPECT_EQ(run_program(kSweep + " --resume -o " + file).out, first.out)
      << "also of rows that an earlier run wrote";
}

TEST(PnsimSweepTable, WritesCsvAndAPlotWithoutARowsFile) {
  const std::string folder = scratch_folder();
  const ProgramResult result =
      run_program(kSweep + " --csv " + folder + "/t.csv --plot " + folder + "/t.svg");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("l1 (steps)"));
  const std::string csv = file_text(folder + "/t.csv");
  EXPECT_THAT(csv, StartsWith("l1_steps,l2_steps,steps,steps_stddev,predicted_us,measured_us,"
                              "error_percent,outcome,steps_half_width_95\n1,1,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_THAT(file_text(folder + "/t.svg"), HasSubstr("steps over l1 (steps) and l2 (steps)"));
  EXPECT_EQ(run_program(kSweep + " -q --csv").out, csv) << "on stdout";
}

TEST(PnsimSweepTable, OutputsThatAreInputsOrEachOtherAreRefused) {
  const std::string folder = scratch_folder();
  const std::string net = folder + "/net.json";
  std::filesystem::copy_file(std::string(PNSIM_TEST_DATA) + "/../../models/nets/wpnm.json", net);
  const std::string before = file_text(net), sweep = "sweep " + net + " -a l1=[1,2] ";
  for (const char* flag : {"--csv ", "--plot ", "-o "}) {
    expect_sweep_refused(sweep + flag + net, 2, "is an input");
  }
  EXPECT_EQ(file_text(net), before);
  const std::string out = folder + "/out";
  expect_sweep_refused(sweep + "-o " + out + " --csv " + out, 2, "out");
  expect_sweep_refused(sweep + "--csv " + out + " --plot " + out, 2, "out");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(PnsimSweepTable, ARowWithoutAKeyIsBadInput) {
  const std::string rows = scratch_folder() + "/rows.jsonl";
  const std::string sweep = "sweep wpnm -q -a l1=[1,2] -o " + rows;
  ASSERT_EQ(run_program(sweep).code, 0);
  const std::string whole = file_text(rows);
  for (const std::string key : {"\"seed\":", "\"outcome\":", "\"ci95\":", "\"mean\":"}) {
    std::string changed = whole;
    changed.replace(changed.find(key) + 1, 1, "X");
    write_text(rows, changed);
    const ProgramResult result = run_program(sweep + " --resume --csv=" + rows + ".csv");
    EXPECT_EQ(result.code, 3) << key << result.err;
    EXPECT_THAT(result.err, HasSubstr("rows.jsonl")) << key;
    EXPECT_THAT(result.err, HasSubstr("expected")) << key;
  }
}

TEST(PnsimSweepTable, APlotOfThreeAxesIsRefusedBeforeAnythingRuns) {
  const std::string svg = scratch_folder() + "/t.svg";
  expect_sweep_refused(kSweep + " -a S=[2,4] --plot " + svg, 2, "found 3 (l1, l2, S)");
  EXPECT_FALSE(std::filesystem::exists(svg));
  EXPECT_EQ(run_program(kSweep + " -a S=4 -q --plot " + svg).code, 0) << "one value is no axis";
}

TEST(PnsimSweepFactors, AreAnAxis) {
  const std::string model = "radix_shared --set n=2^12 --set block=128 --net sm";
  const ProgramResult rows = run_program("sweep " + model + " -q -a 'xg*=[0.5,1,2]'");
  ASSERT_EQ(rows.code, 0) << rows.err;
  std::istringstream lines(rows.out);
  std::vector<json> parsed;
  for (std::string line; std::getline(lines, line);) parsed.push_back(json::parse(line));
  ASSERT_EQ(parsed.size(), 3u);
  EXPECT_EQ(parsed[0]["axes"]["xg*"], 0.5);
  EXPECT_EQ(parsed[0]["factors"]["xg"], 0.5);
  const json half = json::parse(run_program("run " + model + " --set 'xg*=0.5' --json").out),
             own = json::parse(run_program("run " + model + " --json").out);
  EXPECT_EQ(parsed[0]["steps"], half["steps"]);
  EXPECT_EQ(parsed[1]["steps"], own["steps"]) << "the factor 1 changes nothing";
  EXPECT_GT(parsed[2]["steps"]["mean"], own["steps"]["mean"]);
}

TEST(PnsimSweepFactors, CountsAreAnAxisOfAKernelModel) {
  const ProgramResult csv = run_program(
      "sweep radix_shared --set n=2^12 --set block=128 -q --csv - -a net=[wpnm,sm] -a xa=[50,100]");
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("net,xa_instructions,steps"));
  EXPECT_THAT(csv.out, HasSubstr("\nsm,100,"));
}

TEST(PnsimSweepFactors, BadAxesAreRefusedBeforeAnythingRuns) {
  const std::string model = "sweep radix_shared -q ";
  expect_sweep_refused(model + "-a 'xf*=[1,2]'", 2, "did you mean \"xa\"");
  expect_sweep_refused(model + "-a 'xg*=[0.5,0]'", 3, "found \"0\", expected a factor");
  expect_sweep_refused(model + "-a 'xg*=[1,1.0]'", 2, "appears twice");
  expect_sweep_refused(model + "-a 'net*=[1,2]'", 2, "net is a name, not a number");
  expect_sweep_refused(model + "-a 'n*=[1,2]'", 2, "n is an axis of the problem");
  expect_sweep_refused(model + "-a 'l1*=[1,2]' -a l1=[10,20]", 2, "the axis l1 is given twice");
  expect_sweep_refused(model + "-a 'l1*=[1,2]' --set l1=10", 2, "is an axis and set with --set");
  expect_sweep_refused(model + "-a 'l1*=[1e8]'", 3, "parameter l1: found 2000000000");
}

}  // namespace
}  // namespace pnsim
