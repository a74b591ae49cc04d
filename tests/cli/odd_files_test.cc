// Many files, linked files, files with odd names, and files that would not be read back unchanged.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kSweep = "sweep wpnm -a l1=[1:40] -q ";

std::string shards(const std::string& folder, int count) {
  std::string files;
  for (int i = 1; i <= count; ++i) {
    const std::string file = folder + "/s" + std::to_string(i) + ".jsonl";
    EXPECT_EQ(run_program(kSweep + "--shard " + std::to_string(i) + "/" + std::to_string(count) +
                          " -o " + file)
                  .code,
              0);
    files += " " + file;
  }
  return files;
}

TEST(Merge, TakesMoreFilesThanMayBeOpen) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program(kSweep + "-o " + folder + "/whole.jsonl").code, 0);
  const std::string command = "bash -c 'ulimit -n 12 && exec " + std::string(PNSIM_PROGRAM) +
                              " merge -q" + shards(folder, 20) + " -o " + folder +
                              "/merged.jsonl' 2>" + folder + "/err";
  EXPECT_EQ(std::system(command.c_str()), 0) << file_text(folder + "/err");
  EXPECT_EQ(file_text(folder + "/merged.jsonl"), file_text(folder + "/whole.jsonl"));
}

TEST(Merge, WritesThroughALinkAndNamesTheOutput) {
  const std::string folder = scratch_folder(), files = shards(folder, 2);
  write_text(folder + "/target.jsonl", "");
  ASSERT_EQ(::symlink("target.jsonl", (folder + "/link.jsonl").c_str()), 0);
  ASSERT_EQ(run_program("merge -q" + files + " -o " + folder + "/link.jsonl").code, 0);
  EXPECT_TRUE(fs::is_symlink(folder + "/link.jsonl"));
  EXPECT_FALSE(file_text(folder + "/target.jsonl").empty());
  const ProgramResult refused =
      run_program("merge -q" + files + " -o " + folder + "/no/such.jsonl");
  EXPECT_EQ(refused.code, 74);
  EXPECT_THAT(refused.err, HasSubstr("/no/such.jsonl: cannot be written"));
  EXPECT_EQ(refused.err.find(".partial"), std::string::npos) << refused.err;
}

const std::string kSmallSweep = "sweep wpnm --set W=3 -a l1=[1:4] -q";

TEST(Merge, AFileThatHoldsSomethingIsReplacedOnRequestOnly) {
  const std::string folder = scratch_folder(), all = folder + "/all";
  write_text(folder + "/a", run_program(kSmallSweep).out);
  write_text(all, "precious");
  const std::string merge = "merge " + folder + "/a -o " + all;
  const ProgramResult refused = run_program(merge);
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_NE(refused.err.find(all + " already contains something: name another file with -o, or " +
                             "replace it with --replace"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(file_text(all), "precious");
  EXPECT_EQ(run_program(merge + " --replace").code, 0);
  EXPECT_EQ(file_text(all), file_text(folder + "/a"));
  write_text(all, "");
  EXPECT_EQ(run_program(merge).code, 0) << "an empty file may be replaced, as by a sweep";
}

// Their bytes would not be those of the sweep.
TEST(Merge, RowsWithLineEndsOfWindowsAreRefusedAlsoByResume) {
  const std::string folder = scratch_folder(), file = folder + "/rows.jsonl";
  std::string text = run_program(kSmallSweep).out;
  text.insert(text.find('\n', text.find('\n') + 1), "\r");
  write_text(file, text);
  for (const std::string& command :
       {"merge " + file + " -o " + folder + "/all", kSmallSweep + " --resume -o " + file}) {
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.code, 3) << command;
    EXPECT_THAT(result.err, HasSubstr("rows.jsonl: line 2: ends in CR LF")) << command;
  }
  EXPECT_EQ(file_text(file), text);
}

// The line has the expected id, so another sweep is not the reason.
TEST(Resume, ARowThatWasCutBehindItsIdIsSaidToBeChanged) {
  const std::string file = scratch_folder() + "/rows.jsonl";
  const std::string rows = run_program(kSmallSweep).out;
  const std::size_t third = rows.find('\n', rows.find('\n') + 1) + 1;
  const std::string text = rows.substr(0, rows.find('}', third) + 1) + "}\n";  // behind the axes
  write_text(file, text);
  const ProgramResult result = run_program(kSmallSweep + " --resume -o " + file);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("rows.jsonl: line 3: found the expected id "), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("the line was changed after it was written"), std::string::npos);
  EXPECT_EQ(result.err.find("come from another input"), std::string::npos) << result.err;
  EXPECT_EQ(file_text(file), text);
}

TEST(Resume, ARowThatTheTableCannotReadIsNamedByItsLine) {
  const std::string folder = scratch_folder(), file = folder + "/rows.jsonl";
  std::string text = run_program(kSmallSweep).out;
  const std::size_t second = text.find('\n') + 1;
  text.replace(text.find("\"steps\":", second), 8, "\"stepz\":");
  write_text(file, text);
  const ProgramResult result =
      run_program(kSmallSweep + " --resume -o " + file + " --csv " + folder + "/t.csv");
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("rows.jsonl: line 2: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("run the sweep again into another file"), std::string::npos);
}

TEST(Merge, RefusesIdsWithLeadingZeros) {
  const std::string folder = scratch_folder(), rows = folder + "/rows.jsonl";
  write_text(rows, "{\"id\":\"ed38d3f4b09efee7-1/06\",\"axes\":{\"l1\":1}}\n");
  const ProgramResult result = run_program("merge " + rows + " -o " + folder + "/out.jsonl");
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("rows.jsonl: line 1"));
}

TEST(Exact, HasABoundOfWork) {
  const ProgramResult result = run_program("exact wpnm --max-work 100000");
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.err, HasSubstr("more than the bound on the work, with "));
  EXPECT_EQ(run_program("exact " PNSIM_TEST_DATA "/vectors/wpnm_2w.pnml").code, 0);
}

// Expanding and reducing a net of many warps took time quadratic in them: 124 s for 65,536.
TEST(Run, AWpnmLiteralOfManyWarpsBeginsWithinAMinute) {
  const std::string run =
      "timeout 60 " PNSIM_PROGRAM " run wpnm_literal --set W=32768 --max-steps 3 >/dev/null 2>&1";
  EXPECT_EQ(WEXITSTATUS(std::system(run.c_str())), 5);
}

TEST(Convert, ANameWithABlankAtItsEndIsNotLost) {
  const std::string folder = scratch_folder(), net = folder + "/a.json";
  write_text(net, R"({"kind": "net", "name": "two words ", "places": [{"name": "p", "tokens": 1}],
    "transitions": [{"name": "t", "takes": {"p": 1}}]})");
  const ProgramResult pnml = run_program("convert " + net + " -o " + folder + "/b.pnml");
  EXPECT_EQ(pnml.code, 3) << pnml.err;
  EXPECT_THAT(pnml.err, HasSubstr("begins or ends with a blank, which PNML does not keep"));
  ASSERT_EQ(run_program("convert " + net + " -o " + folder + "/b.json").code, 0);
  EXPECT_THAT(file_text(folder + "/b.json"), HasSubstr("\"two words \""));
}

TEST(Convert, TwiceIsTheSameAsOnce) {
  const std::string folder = scratch_folder();
  ASSERT_EQ(run_program("convert sm -o " + folder + "/once.json").code, 0);
  ASSERT_EQ(run_program("convert " + folder + "/once.json -o " + folder + "/twice.json").code, 0);
  EXPECT_EQ(file_text(folder + "/once.json"), file_text(folder + "/twice.json"));
}

TEST(FileNames, UpperCaseExtensionsMeanTheSame) {
  const std::string folder = scratch_folder(), file = folder + "/X";
  const std::string sweep = "sweep wpnm --set W=3 -a l1=[1:4] -q ";
  const ProgramResult csv = run_program(sweep + "-o " + file + ".CSV");
  EXPECT_EQ(csv.code, 2);
  EXPECT_THAT(csv.err, HasSubstr("-o writes rows of JSON"));
  EXPECT_THAT(csv.err, HasSubstr("write --csv " + file + ".CSV for CSV"));
  EXPECT_EQ(run_program(sweep + "--plot " + file + ".SVG").code, 0);
  EXPECT_THAT(run_program("compare copy --csv X.CSV").err, HasSubstr("--csv=X.CSV"));
  for (const std::string extension : {".JSON", ".Pnml"}) {
    ASSERT_EQ(run_program("convert wpnm --set W=2 -o " + file + extension).code, 0) << extension;
    EXPECT_EQ(run_program("run " + file + extension).code, 0) << extension;
  }
  EXPECT_EQ(run_program("run wpnm --trace " + file + "2.JSON --timeline " + file + "2.SVG").code,
            0);
  EXPECT_EQ(run_program("run wpnm --set W=2 --trace " + file + ".JSONL").code, 0);
  EXPECT_THAT(file_text(file + ".JSONL"), testing::StartsWith("{\"step\""));
  fs::create_directories(folder + "/models");
  fs::copy_file(PNSIM_TEST_DATA "/../../models/copy.json", folder + "/models/COPY.JSON");
  EXPECT_EQ(run_program("--model " + folder + "/models/COPY.JSON --net sm").code, 0);
  EXPECT_EQ(run_program("--model " + folder + "/models").code, 0);
  EXPECT_EQ(run_program("--model copy --device " + folder + "/NO.JSON").code, 3);
}

TEST(FileNames, ThatAreTooLongAreBadInput) {
  const std::string name(5000, 'n');
  for (const std::string& command :
       {"run " + name, "--model " + name, "check " + name,
        "compare " + name + " --device h200,h100", "rank " + name + " -a block=[64,128]",
        "merge " + name + " -o x", "derive --ncu " + name + " -o x",
        "device scale " + name + " --set sms=4 -o x"}) {
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.code, 3) << command.substr(0, 30) << result.err.substr(0, 300);
  }
}

TEST(FileNames, ThatAreNotUtf8NeedNoJson) {
  const std::string net = scratch_folder() + "/caf\xE9.json";
  write_text(net, R"({"kind": "net", "name": "a", "places": [{"name": "p", "tokens": 1}],
    "transitions": [{"name": "t", "takes": {"p": 1}}], "until": ["p=0"]})");
  EXPECT_EQ(run_program("run " + net).code, 0);
  EXPECT_EQ(run_program("exact " + net).code, 0);
  EXPECT_EQ(run_program("run --csv " + net).code, 0);
  EXPECT_EQ(run_program("run --json " + net).code, 3);
  const std::string page = scratch_folder() + "/caf\xE9.csv";
  std::filesystem::copy_file(PNSIM_TEST_DATA "/vectors/ncu_raw.csv", page);
  const ProgramResult derived = run_program("derive --ncu " + page + " -o " + page + ".models");
  EXPECT_EQ(derived.code, 0) << derived.err;
  EXPECT_NE(file_text(words_of(derived.out)[0]).find("caf\\\\xe9.csv"), std::string::npos);
}

}  // namespace
}  // namespace pnsim
