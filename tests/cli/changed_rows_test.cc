// Rows of a sweep that were changed after they were written.
#include "tests/cli/program.h"

namespace pnsim {
namespace {

const std::string kChanged = "sweep wpnm -q --set W=2 -a l1=[1:4] -a l2=[1,2]";

TEST(ChangedRow, IsRefusedByResumeAndMergeWithItsPlace) {
  const std::string folder = scratch_folder(), file = folder + "/rows.jsonl";
  const std::string whole = run_program(kChanged).out;
  struct Change {
    std::string what, by, says;
  };
  for (const Change& change :
       {Change{"\"steps\":{\"mean\":", "\"steps\":{\"mean\":\"x\",\"m\":",
               "/steps/mean: found \"x\", expected a number"},
        Change{"\"steps\":{\"mean\":", "\"steps\":{\"mean\":-", "/steps/mean: found -"},
        Change{"\"steps\":{\"mean\":", "\"steps\":{\"mean\":1e308,\"m\":",
               "/steps/mean: found 1e+308, expected a number from 0"},
        Change{"\"steps\":", "\"steps\":null,\"s\":", "/steps: found null, expected an object"},
        Change{"\"steps\":", "\"stepz\":", "(top level): the key \"steps\" is missing"},
        Change{"\"firings\":", "\"firing\":", "(top level): the key \"firings\" is missing"},
        Change{"\"net\":\"wpnm\"", "\"net\":\"sm\"",
               "/net: found \"sm\", expected \"wpnm\", as in the first row"},
        Change{"\"l1\":", "\"l1\":99", "/l1: found 99"},
        Change{"\"outcome\":\"goal\"", "\"outcome\":\"gaol\"",
               "/outcome: found \"gaol\", expected limit, dead, fixed or goal"}}) {
    std::string text = whole;
    const std::size_t second = text.find("\"parameters\"", text.find('\n'));
    const std::size_t from = change.what.starts_with("\"net") ? text.find('\n') : second;
    text.replace(text.find(change.what, from), change.what.size(), change.by);
    write_text(file, text);
    for (const std::string& command :
         {kChanged + " --resume -o " + file, "merge " + file + " -o " + folder + "/all"}) {
      const ProgramResult result = run_program(command);
      EXPECT_EQ(result.code, 3) << command << "\n" << text << result.err;
      EXPECT_NE(result.err.find(file + ": line 2: "), std::string::npos) << result.err;
      EXPECT_NE(result.err.find(change.says), std::string::npos) << result.err;
    }
    EXPECT_EQ(file_text(file), text);
  }
}

}  // namespace
}  // namespace pnsim
