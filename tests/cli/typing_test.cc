// Mistakes that users make at the command line: each gets the command to type next, or works.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Mistake {
  const char* name;       // of the test
  const char* arguments;  // "%p" stands for the folder of profile pages
  int code;
  const char* says;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const Mistake kMistakes[] = {
    {"a_model_as_command", "norm_group", 2, "pnsim --model norm_group"},
    {"a_misspelt_model_as_command", "norm_grop", 2,
     "did you mean the kernel model: pnsim --model "},
    {"a_net_as_command", "wpnm", 2, "pnsim run wpnm"},
    {"a_device_as_command", "h100", 2, "--device h100"},
    {"a_page_as_command", "%p/torch.raw.csv", 2, "pnsim derive --ncu"},
    {"a_command_of_the_other_program", "validate", 2, "experiment validate"},
    {"a_second_device", "--model norm_group --device h200 h100", 2,
     "pnsim compare MODEL --device h200,h100"},
    {"a_second_device_of_a_question", "sensitivity norm_group --device h200 h100", 2,
     "--device takes one value"},
    {"a_device_as_second_model", "compare norm_group --device h200 h100", 2,
     "name it with --device"},
    {"two_inputs", "run norm_group --model radix_shared", 2,
     "--model radix_shared is the input already"},
    {"a_setting_without_equals", "--model norm_group --set block 64", 2, "write --set block=64"},
    {"a_setting_without_its_option", "--model norm_group block=64", 2, "write --set block=64"},
    {"an_axis_without_its_option", "sweep wpnm l1=[1,2]", 2, "write -a l1=[1,2]"},
    {"a_file_without_equals", "--model norm_group --csv t.csv", 2, "written --csv=t.csv"},
    {"a_value_of_a_switch", "--model norm_group --all-blocks yes", 2,
     "--all-blocks takes no value"},
    {"a_single_dash", "derive -ncu raw.csv -o d", 2, "did you mean --ncu?"},
    {"a_misspelt_single_dash", "run -modle norm_group", 2, "did you mean --model?"},
    {"a_single_dash_of_a_short_name", "sweep wpnm -axis l1=[1,2]", 2, "did you mean --axis?"},
    {"no_input", "sensitivity", 2, "INPUT is required (net template or kernel model); for example"},
    {"no_input_of_run", "run", 2, "for example: pnsim --model norm_group"},
    {"no_output", "derive --ncu raw.csv", 2, "-o is required (folder for NNNN-kernel.json)"},
    {"no_nested_command", "device", 2, "expected a command behind it: "},
    {"no_value", "rank norm_group --axis", 2, "expected a value behind it"},
    {"an_option_as_value", "derive --ncu raw.csv --source -o d", 2,
     "--source: expected a value behind it (source page"},
    {"an_option_as_value_is_named", "sweep wpnm -a --csv", 2, "found the option --csv"},
    {"csv_twice", "run wpnm --csv=a.csv --csv=b.csv", 2, "--csv is given 2 times"},
    {"net_twice", "run wpnm --net sm --net wpnm", 2, "--net is given 2 times"},
    {"a_raw_page_as_model", "--model %p/torch.raw.csv", 3, "torch.source.csv -o my_models"},
    {"a_source_page_as_model", "sensitivity %p/torch.source.csv", 3, "--ncu "},
    {"a_folder_of_pages", "derive --ncu %p -o d", 3, "norm_group.source.csv -o d"},
    {"a_parameter_of_the_other_net", "--model norm_group --net sm --set l1=40", 2, "--net wpnm"},
    {"rows_into_csv", "sweep wpnm -a l1=[1,2] -o z.csv", 2, "write --csv z.csv for CSV"},
    {"rows_into_svg", "sweep wpnm -a l1=[1,2] -o z.svg", 2, "write --plot z.svg for a plot"},
    {"reasons_of_the_other_net", "--model norm_group --net wpnm --reasons", 2, "(--net sm)"},
    {"a_gpu_without_profile", "--model norm_group --device b200", 3,
     "b200: no profile of this GPU is shipped; known: a100, h100, h200, "},
    {"a_leading_zero", "run wpnm --set W=4 --replicas 010", 2,
     "--replicas: found \"010\", expected a whole number in decimal digits"},
    {"a_hexadecimal_number", "run wpnm --replica 0x10", 2, "--replica: found \"0x10\""},
    {"a_leading_zero_of_a_short_option", "run wpnm -j 02", 2, "-j: found \"02\""},
    {"a_leading_zero_of_a_stream", "run wpnm --stream 07", 2, "--stream: found \"07\""},
    {"an_equals_sign_behind_a_short_option", "sweep wpnm -a l1=[1,2] -o=rows.jsonl", 2,
     "-o=rows.jsonl: a value of -o follows behind a blank: -o rows.jsonl"},
    {"division", "--model norm_group --set xg/=2", 2, "write --set \"xg*=0.5\""},
    {"a_fraction", "--model norm_group --set xg=0.5", 3, "--set \"xg*=0.5\" multiplies"},
    {"two_equals_signs", "--model norm_group --set l1==40", 2, "as in --set l1=40"},
    {"settings_in_one", "--model norm_group --set l1=40,l2=4", 2, "--set l1=40 --set l2=4"},
    {"a_range_with_dots", "rank norm_group -a block=[64..1024]", 2, "block=[64:1024]"},
    {"a_folder_as_model", "sensitivity %p/../../../models", 3, "models/attention.json"},
    {"a_precision_below_the_least", "run wpnm --rel-error 1e-10", 2,
     "found \"1e-10\", expected a number from 1e-09 to 1"},
    {"a_range_of_exponents", "sweep copy -a n[pow2]=[12:99]", 2, "found the exponent 99"},
    {"several_devices_of_a_model", "--model copy --device h200,h100", 2,
     "pnsim compare copy --device h200,h100"},
    {"another_name_of_the_papers_net", "--model copy --net paper", 3, "the paper's net is wpnm"},
    {"an_option_of_the_other_program", "--model copy --times times.csv", 2,
     "experiment validate --pages RAW.csv --source SOURCE.csv"},
    {"a_device_as_model", "--model h200", 2, "pnsim --model MODEL --device h200"},
    {"a_model_as_device", "--model copy --device %p/../../../models/copy.json", 3,
     "found a kernel model (its \"kind\"), expected a device profile"},
    {"a_page_as_device", "--model copy --device %p/torch.raw.csv", 3,
     "found a page or a report of ncu"},
    {"a_block_without_threads", "--model copy --set block=0", 2, "a block has 1 to 1024 threads"},
    {"a_negative_block", "--model copy --set block=-1", 2, "a block has 1 to 1024 threads"},
    {"a_block_that_is_too_large", "--model copy --set block=2048", 2,
     "a block has 1 to 1024 threads"},
    {"a_sweep_of_a_negative_block", "sweep radix_shared --net sm -a block=[-32]", 3,
     "block=-32: found -32, expected 1 to 1024"},
    {"a_side_of_a_block_without_threads", "compare norm_group --b block=0", 3,
     "block=0: found 0, expected 1 to 1024"},
    {"a_setting_of_a_side_without_equals", "compare copy --a block --b block=32", 2,
     "--a block: expected PATH=VALUE"},
    {"a_misspelt_nested_command", "device lst", 2, "did you mean \"list\"?"},
    {"a_name_of_a_profile_that_is_a_path", "device scale h200 --set sms=10 --name ../x -o z.json",
     2, "--name: found the name \"../x\", expected letters, digits"},
    {"a_figure_that_is_no_number", "device scale h200 --set sms=nan -o z.json", 2,
     "--set sms=nan: found \"nan\", expected a number"},
    {"an_output_in_no_directory", "--model copy --json=/no/such/folder/a.json", 74,
     "the directory /no/such/folder does not exist"},
    {"an_unknown_setting", "--model norm_group --net sm --set keys_per_thread=2", 2, "xa, xs, xg"},
};

class PnsimMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(PnsimMistakes, GetTheCommandToTypeNext) {
  std::string arguments = GetParam().arguments;
  if (const std::size_t at = arguments.find("%p"); at != std::string::npos) {
    arguments.replace(at, 2, std::string(PNSIM_TEST_DATA) + "/pages");
  }
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, GetParam().code) << result.err;
  EXPECT_THAT(result.err, HasSubstr(GetParam().says));
  EXPECT_EQ(result.out, "");
}

INSTANTIATE_TEST_SUITE_P(OneByOne, PnsimMistakes, testing::ValuesIn(kMistakes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(PnsimNames, ShippedFilesFilesMayBeInUpperCase) {
  const ProgramResult lower = run_program("--model norm_group --net sm --device h100 -q");
  const ProgramResult upper = run_program("--model Norm_Group --net SM --device H100 -q");
  EXPECT_EQ(upper.code, 0) << upper.err;
  EXPECT_EQ(upper.out, lower.out);
}

TEST(PnsimSettings, MayHaveBlanks) {
  const ProgramResult plain = run_program("--model norm_group --set 'xg*=0.5' -q");
  const ProgramResult blanks = run_program("--model norm_group --set 'xg *= 0.5' -q");
  EXPECT_EQ(blanks.code, 0) << blanks.err;
  EXPECT_EQ(blanks.out, plain.out);
}

TEST(PnsimDevice, ScaleMayBeQuiet) {
  const std::string file = scratch_folder() + "/s.json";
  const ProgramResult result = run_program("device scale h200 --set sms=108 -q -o " + file);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(PnsimNames, AGpuMayBeNamedAsReportsPrintIt) {
  const ProgramResult shipped = run_program("--model norm_group --net sm --device h100 -q");
  const ProgramResult printed =
      run_program("--model norm_group --net sm --device 'NVIDIA H100 80GB HBM3' -q");
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_EQ(printed.out, shipped.out);
}

// The word is the name of a model in a folder of the current one.
TEST(PnsimNames, AModelOfTheUserIsNoUnknownCommand) {
  const std::string folder = scratch_folder();
  std::filesystem::create_directory(folder + "/mine");
  write_text(folder + "/mine/0000-jacobi_step.json", "{}");
  const std::string err = folder + "/err";
  const int status = std::system(
      ("cd " + folder + " && " + PNSIM_PROGRAM + " jacobi_step 2>" + err + " </dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(file_text(err), HasSubstr("pnsim --model mine/0000-jacobi_step.json?"));
}

// The letters behind a known short name are its value.
TEST(PnsimOptions, MayHaveTheirValueAttached) {
  const ProgramResult result = run_program("run wpnm -j1 -q");
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST(PnsimSweep, TellsRowsFromOtherContentAndSaysWhatItReplaces) {
  const std::string file = scratch_folder() + "/table";
  const std::string sweep = "sweep wpnm -a l1=[1,2] ";
  const ProgramResult first = run_program(sweep + "--csv " + file);
  EXPECT_THAT(first.err, Not(HasSubstr("replaced")));
  EXPECT_THAT(run_program(sweep + "--csv " + file).err,
              HasSubstr(file + ": an earlier file of this name is replaced"));
  const ProgramResult rows = run_program(sweep + "-o " + file);
  EXPECT_EQ(rows.code, 2);
  EXPECT_THAT(rows.err, HasSubstr("something other than rows"));
  EXPECT_THAT(file_text(file), HasSubstr("l1_steps")) << "the file stays";
}

TEST(PnsimReasons, NeedTheSourcePage) {
  const std::string folder = scratch_folder() + "/models";
  const std::string page = std::string(PNSIM_TEST_DATA) + "/pages/norm_group.raw.csv";
  ASSERT_EQ(run_program("derive --ncu " + page + " -o " + folder).code, 0);
  const std::string model = std::filesystem::directory_iterator(folder)->path().string();
  const ProgramResult result = run_program("--model " + model + " --reasons");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("this point has only counts"));
  EXPECT_THAT(result.err, HasSubstr("pnsim derive --ncu RAW.csv --source SOURCE.csv -o DIR"));
}

TEST(PnsimRank, HasNoEmptyProblemInItsTitle) {
  const std::string folder = scratch_folder() + "/models";
  const std::string pages = std::string(PNSIM_TEST_DATA) + "/pages/norm_group.";
  ASSERT_EQ(
      run_program("derive --ncu " + pages + "raw.csv --source " + pages + "source.csv -o " + folder)
          .code,
      0);
  const std::string model = std::filesystem::directory_iterator(folder)->path().string();
  const ProgramResult result = run_program("rank " + model + " --axis block=[128,256]");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("()")));
}

TEST(PnsimTables, AreNoModels) {
  const std::string file = scratch_folder() + "/table.csv";
  write_text(file, "a,b\n1,2\n");
  const ProgramResult result = run_program("run " + file);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr("found a table (.csv), expected a net"));
}

}  // namespace
}  // namespace pnsim
