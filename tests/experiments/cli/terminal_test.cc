// Tables of experiment fit the terminal, and its files do not depend on it.
#include "tests/cli/terminal.h"

#include <gmock/gmock.h>

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

class Columns {
 public:
  explicit Columns(std::size_t columns) { ::setenv("COLUMNS", std::to_string(columns).c_str(), 1); }
  ~Columns() { ::unsetenv("COLUMNS"); }
};

void expect_all_to_fit(const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    for (const std::size_t columns : {80, 100, 120}) {
      const Columns set(columns);
      const ProgramResult result = run_program(command);
      EXPECT_EQ(result.code, 0) << command << "\n" << result.err;
      const std::string line = widest_line(result.out);
      EXPECT_LE(width_of(line), columns) << command << "\n" << line;
    }
  }
}

TEST(ExperimentTerminal, NoLineIsWiderThanCOLUMNS) {
  const std::string folder = scratch_folder();
  expect_all_to_fit({"run copy --compare-gpu=recorded -v --out " + folder, "report " + folder,
                     "validate copy --nets sm --out " + folder + "/validation", "list",
                     "show radix", "devices", "doctor", "repeat", "microbench --list",
                     "calibrate copy --out " + folder + "/scale.jsonl", "--help", "run --help"});
}

TEST(ExperimentTerminal, NoLineOfATableIsWiderThanCOLUMNS) {
  expect_all_to_fit({"table report", "table homework", "table imbalance", "table modes",
                     "table sorting", "table heuristics",
                     "table atomics --out " + scratch_folder()});
}

TEST(ExperimentTerminal, FilesOfARunDoNotDependOnTheWidth) {
  const std::string folder = scratch_folder(), run = "run copy --compare-gpu=recorded -q --out ";
  ASSERT_EQ(run_program(run + folder + "/a").code, 0);
  const Columns narrow(60);
  ASSERT_EQ(run_program(run + folder + "/b").code, 0);
  EXPECT_EQ(file_text(folder + "/a/points.csv"), file_text(folder + "/b/points.csv"));
  const std::string a = file_text(folder + "/a/report.md"), b = file_text(folder + "/b/report.md");
  EXPECT_EQ(width_of(widest_line(a)), width_of(widest_line(b)));
  EXPECT_EQ(std::count(a.begin(), a.end(), '\n'), std::count(b.begin(), b.end(), '\n'));
}

TEST(ExperimentTerminal, ARealTerminalIsMeasured) {
  const TerminalResult result = run_on_terminal("table homework", 90);
  EXPECT_EQ(result.code, 0);
  EXPECT_LE(width_of(widest_line(result.screen)), 90u) << widest_line(result.screen);
}

}  // namespace
}  // namespace pnsim::experiments
