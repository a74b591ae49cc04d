// Tests one bad input after the other: the exit code, and a message with place and expectation.
#include "tests/cli/program.h"

namespace pnsim {
namespace {

struct BadInput {
  const char* name;  // name of the test
  const char* file;  // name of the file to write
  const char* content;
  const char* arguments;  // %s stands for the file
  int code;
  const char* says;  // expected part of the message
};

void PrintTo(const BadInput& bad, std::ostream* out) { *out << bad.name; }

#define NET_HEAD R"({"kind": "net", "name": "n", )"
#define PNML(body)                                                               \
  "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" " \
  "type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">"      \
  "<place id=\"a\"/><place id=\"b\"/><transition id=\"t\"/>" body "</page></net></pnml>"

const BadInput kBadInputs[] = {
    {"empty_file", "a.json", "", "run %s", 3, "empty"},
    {"truncated_json", "a.json", R"({"kind": "net", )", "run %s", 3, "line 1"},
    {"duplicate_keys", "a.json", R"({"kind": "net", "kind": "net"})", "run %s", 3, "twice"},
    {"unknown_kind", "a.json", R"({"kind": "nett"})", "run %s", 3, "\"net\""},
    {"unknown_key", "a.json", NET_HEAD R"("placs": [], "transitions": []})", "run %s", 3, "places"},
    {"fractional_tokens", "a.json",
     NET_HEAD R"("places": [{"name": "a", "tokens": 1.5}], "transitions": [{"name": "t"}]})",
     "run %s", 3, "/places/0/tokens"},
    {"negative_tokens", "a.json",
     NET_HEAD R"("places": [{"name": "a", "tokens": -1}], "transitions": [{"name": "t"}]})",
     "run %s", 3, "/places/0/tokens"},
    {"tokens_1e400", "a.json",
     NET_HEAD R"("places": [{"name": "a", "tokens": 1e400}], "transitions": [{"name": "t"}]})",
     "run %s", 3, "a.json"},
    {"tokens_2_to_63", "a.json",
     NET_HEAD
     R"("places": [{"name": "a", "tokens": 9223372036854775808}], "transitions": [{"name": "t"}]})",
     "run %s", 3, "/places/0/tokens"},
    {"undefined_place", "a.json",
     NET_HEAD
     R"("places": [{"name": "abc"}], "transitions": [{"name": "t", "takes": {"abd": 1}}]})",
     "run %s", 3, "\"abc\""},
    {"arc_weight_0", "a.json",
     NET_HEAD R"("places": [{"name": "a"}], "transitions": [{"name": "t", "takes": {"a": 0}}]})",
     "run %s", 3, "/transitions/0/takes/a"},
    {"no_transitions", "a.json", NET_HEAD R"("places": [{"name": "a"}], "transitions": []})",
     "run %s", 3, "no transitions"},
    {"pnml_doctype", "a.pnml", "<!DOCTYPE pnml [<!ENTITY x \"y\">]><pnml/>", "run %s", 3,
     "DOCTYPE"},
    {"pnml_unknown_arc_type", "a.pnml",
     PNML("<arc id=\"r\" source=\"a\" target=\"t\" type=\"magic\"/>"), "run %s", 3, "magic"},
    {"pnml_weighted_inhibitor", "a.pnml",
     PNML("<arc id=\"r\" source=\"a\" target=\"t\" type=\"inhibitor\">"
          "<inscription><text>2</text></inscription></arc>"),
     "run %s", 3, "\"r\""},
    {"pnml_read_arc", "a.pnml", PNML("<arc id=\"r\" source=\"a\" target=\"t\" type=\"read\"/>"),
     "run %s", 3, "read"},
    {"pnml_dangling_arc", "a.pnml", PNML("<arc id=\"r\" source=\"zz\" target=\"t\"/>"), "run %s", 3,
     "zz"},
    {"pnml_dangling_reference", "a.pnml", PNML("<referencePlace id=\"r\" ref=\"zz\"/>"), "run %s",
     3, "zz"},
    {"pnml_two_nets", "a.pnml",
     "<pnml><net id=\"a\" type=\"ptnet\"/><net id=\"b\" type=\"ptnet\"/></pnml>", "run %s", 3,
     "net"},
    {"unknown_parameter", "a.json", "", "run wpnm --set l3=2", 2, "did you mean"},
    {"rel_error_nan", "a.json", "", "run wpnm --rel-error nan", 2, "expected a number"},
    {"rel_error_2", "a.json", "", "run wpnm --rel-error 2", 2,
     "found \"2\", expected a number from 1e-09 to 1"},
    {"by_nan", "a.json", "", "sensitivity wpnm --by nan", 2, "expected a number"},
    {"set_without_value", "a.json", "", "run wpnm --set l1", 2, "PATH=VALUE"},
    {"fractional_set", "a.json", "", "run wpnm --set l1=2.5", 3, "2.5"},
    {"a_million_million_warps", "a.json", "", "run wpnm --set W=1000000000", 3, "65536"},
    {"set_2_to_63", "a.json", "", "run wpnm --set xa=9223372036854775808", 3, "2^63"},
    {"unknown_goal_place", "a.json", "", "run wpnm --until p99=0", 2, "p99"},
    {"goal_that_is_no_condition", "a.json", "", "run wpnm --until p1!=1", 2, "PLACE=0"},
    {"unknown_engine", "a.json", "", "run wpnm --engine fats", 2, "\"fast\""},
    {"missing_file", "a.json", "", "run no_such_net.json", 3, "no such file"},
    {"folder_for_a_file", "a.json", "", "run /tmp", 3, "directory"},
    {"negative_seed", "a.json", "", "run wpnm --seed -1", 2, "2^64"},
    {"seed_2_to_64", "a.json", "", "run wpnm --seed 18446744073709551616", 2, "2^64"},
    {"empty_max_steps", "a.json", "", "run wpnm --max-steps=", 2, "--max-steps"},
    {"nul_in_json", "a.json", "@NUL@", "run %s", 3, "NUL"},
    {"trace_and_json_on_stdout", "a.json", "", "run wpnm --trace - --json", 2, "--trace -"},
    {"one_file_for_two", "a.json", "", "run wpnm --json=%s.out --csv=%s.out", 2, "same file"},
    {"unknown_flag", "a.json", "", "run wpnm --sead 3", 2, "--sead"},
    {"unwritable_output", "a.json", "", "run wpnm --json=/no/such/folder/x.json", 74,
     "cannot be written"},
    {"full_disk", "a.json", "", "run wpnm --json=/dev/full", 74, "/dev/full"},
    {"unknown_extension", "a.json", "", "convert wpnm -o %s.gif", 2, ".gif"},
    {"unknown_model", "a.json", "", "--model radix_share", 3, "radix_shared"},
    {"set_on_a_plain_net", "a.pnml", PNML("<arc id=\"r\" source=\"a\" target=\"t\"/>"),
     "run %s --set l1=3", 2, "without parameters"},
    {"empty_value_of_a_flag", "a.json", "", "run wpnm --json=", 2, "\"--json=\" without a value"},
    {"empty_argument", "a.json", "", "run wpnm --trace ''", 2, "empty argument"},
    {"two_outputs_to_one_file", "a.json", "", "run wpnm --json=%s --trace %s", 2, "two outputs"},
    {"json_over_the_model", "a.json", "{\"kind\": \"kernel-model\"}", "--model %s --json=%s", 2,
     "is an input"},
    {"csv_over_the_net", "a.json", "{\"kind\": \"net\"}", "run %s --csv=%s", 2, "is an input"},
    {"report_over_what_is_checked", "a.json", "{\"kind\": \"net\"}", "check %s --json=%s", 2,
     "is an input"},
    {"exact_over_its_net", "a.json", "{\"kind\": \"net\"}", "exact %s --json=%s", 2, "is an input"},
    {"sensitivities_over_the_device", "a.json", "{\"kind\": \"device\"}",
     "sensitivity radix_shared --device %s --json=%s", 2, "is an input"},
    {"raw_page_that_is_none", "a.csv", "a,b\n1,2\n", "derive --ncu %s -o %s.never", 3, "ID"},
};

class PnsimBadInput : public testing::TestWithParam<BadInput> {};

TEST_P(PnsimBadInput, EndsWithItsCodeAndSaysWhere) {
  const BadInput& bad = GetParam();
  const std::string path = scratch_folder() + "/" + bad.file;
  // A literal cannot hold a NUL byte.
  write_text(path, bad.content == std::string("@NUL@") ? std::string("{}\0{", 4) : bad.content);
  std::string arguments = bad.arguments;
  for (std::size_t at; (at = arguments.find("%s")) != std::string::npos;) {
    arguments.replace(at, 2, path);
  }
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, bad.code) << result.err;
  EXPECT_NE(result.err.find(bad.says), std::string::npos) << result.err;
  EXPECT_TRUE(result.out.empty()) << result.out;
}

INSTANTIATE_TEST_SUITE_P(OneByOne, PnsimBadInput, testing::ValuesIn(kBadInputs),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(PnsimOutput, ABrokenPipeIsSilentWith141) {
  const std::string err = scratch_folder() + "/err";
  const std::string command = std::string("bash -c '") + PNSIM_PROGRAM +
                              " run wpnm --set W=64 --set xa=40 --trace - -q 2>" + err +
                              " | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}'";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 141);
  EXPECT_EQ(file_text(err), "");
}

// Simulates a full disk. The incomplete file must be removed.
TEST(PnsimOutput, ALimitOfFileSizesIs74AndLeavesNothing) {
  const std::string folder = scratch_folder() + "/limited", err = scratch_folder() + "/err";
  std::filesystem::create_directory(folder);
  const std::string command = std::string("bash -c 'ulimit -f 1; exec ") + PNSIM_PROGRAM +
                              " run wpnm --set W=4 --trace " + folder + "/x.json' >/dev/null 2>" +
                              err;
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 74);
  EXPECT_NE(file_text(err).find("cannot be written: File too large"), std::string::npos)
      << file_text(err);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(PnsimOutput, HelpThatCannotBeWrittenIs74) {
  const std::string command = std::string(PNSIM_PROGRAM) + " --help >/dev/full 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 74);
}

TEST(PnsimOutput, ATraceOnStdoutLeavesTheFilesToTheData) {
  const std::string json_file = scratch_folder() + "/run.json";
  const ProgramResult result = run_program("run wpnm --set W=1 --trace - --json=" + json_file);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 12), "{\"step\":null");
  EXPECT_NE(file_text(json_file).find("\"outcome\""), std::string::npos);
}

TEST(PnsimOutput, ANameThatIsNoUtf8IsBadInput) {
  const std::string net = scratch_folder() + "/a\xe9.json";
  write_text(net, NET_HEAD R"("places": [{"name": "a"}], "transitions": [{"name": "t"}]})");
  const ProgramResult result = run_program("run '" + net + "' --json --max-steps 3");
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_NE(result.err.find("UTF-8"), std::string::npos) << result.err;
}

TEST(PnsimOutput, ARunThatWasCutOffGetsNoTime) {
  const ProgramResult result = run_program("--model radix_global.json --max-steps 100");
  EXPECT_EQ(result.code, 5);
  EXPECT_NE(result.out.find("not every run ended"), std::string::npos) << result.out;
}

TEST(PnsimOutput, ARefusedCommandLeavesTheOldFile) {
  const std::string folder = scratch_folder();
  write_text(folder + "/old.json", "precious");
  const ProgramResult result = run_program("convert wpnm --set l9=1 -o " + folder + "/old.json");
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(file_text(folder + "/old.json"), "precious");
}

TEST(PnsimOutput, InputAndInhibitorOnOnePlaceRunAndAreReportedByCheck) {
  const std::string net = scratch_folder() + "/a.json";
  write_text(net, NET_HEAD R"("places": [{"name": "a", "tokens": 1}], "transitions": [)"
                           R"({"name": "t", "takes": {"a": 1}, "inhibited_by": ["a"]}]})");
  EXPECT_EQ(run_program("run " + net).code, 0) << "dead at once, and no goal is declared";
  const ProgramResult check = run_program("check " + net);
  EXPECT_NE(check.out.find("never"), std::string::npos) << check.out;
}

}  // namespace
}  // namespace pnsim
