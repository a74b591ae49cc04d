// Tables fit the terminal; without one they are as wide as they are.
#include "tests/cli/terminal.h"

#include <gmock/gmock.h>

#include "simulator/base/data_files.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

std::vector<std::string> commands_with_tables() {
  std::vector<std::string> commands{"models",
                                    "doctor",
                                    "check wpnm sm",
                                    "run wpnm --set W=40 --set xa=9 --replicas 3",
                                    "run sm --reasons",
                                    "exact wpnm --set W=1",
                                    "--model norm_group --reasons",
                                    "--model radix_shared --net wpnm",
                                    "sensitivity wpnm --replicas 2",
                                    "sensitivity norm_group --net sm",
                                    "--help",
                                    "run --help",
                                    "sweep --help"};
  for (const char* folder : {"models/nets", "models/devices"}) {
    for (const std::string& name : shipped_names(folder)) commands.push_back("show " + name);
  }
  return commands;
}

void expect_to_fit(const std::string& command, std::size_t columns) {
  ::setenv("COLUMNS", std::to_string(columns).c_str(), 1);
  const ProgramResult result = run_program(command);
  ::unsetenv("COLUMNS");
  EXPECT_LE(result.code, 1) << command << "\n" << result.err;
  const std::string line = widest_line(result.out);
  EXPECT_LE(width_of(line), columns) << command << "\n" << line;
}

constexpr std::size_t kColumns[] = {80, 100, 120};

TEST(Terminal, NoLineIsWiderThanCOLUMNS) {
  for (const std::string& command : commands_with_tables()) {
    for (const std::size_t columns : kColumns) expect_to_fit(command, columns);
  }
}

// Models print the same tables, so each is shown in one of the widths.
TEST(Terminal, NoShippedModelIsWiderThanCOLUMNS) {
  const std::vector<std::string> names = shipped_names("models");
  ASSERT_GT(names.size(), std::size(kColumns));
  for (std::size_t i = 0; i < names.size(); ++i) {
    expect_to_fit("show " + names[i], kColumns[i % std::size(kColumns)]);
  }
}

TEST(Terminal, NoLineIsWiderThanARealTerminal) {
  for (const char* command : {"models", "show radix_shared", "show sm", "--model norm_group"}) {
    for (const unsigned short columns : {80, 100, 120}) {
      const TerminalResult result = run_on_terminal(command, columns);
      EXPECT_EQ(result.code, 0) << command;
      const std::string line = widest_line(result.screen);
      EXPECT_LE(width_of(line), columns) << command << "\n" << line;
      EXPECT_GT(width_of(line), columns / 2u) << command << "\n" << line;
    }
  }
}

TEST(Terminal, WithoutOneTablesHaveTheirOwnWidth) {
  const std::string plain = run_program("models").out;
  EXPECT_GT(width_of(widest_line(plain)), 200u);
  for (const char* columns : {"0", "-80", "wide", "80x"}) {
    ::setenv("COLUMNS", columns, 1);
    EXPECT_EQ(run_program("models").out, plain) << columns;
    ::unsetenv("COLUMNS");
  }
}

TEST(Terminal, JsonAndCsvDoNotDependOnTheWidth) {
  for (const char* command :
       {"--model radix_shared --json", "--model radix_shared --csv", "check wpnm --json"}) {
    const std::string plain = run_program(command).out;
    ::setenv("COLUMNS", "60", 1);
    EXPECT_EQ(run_program(command).out, plain) << command;
    ::unsetenv("COLUMNS");
  }
}

// A run of two seconds or more shows a line, which it removes.
TEST(Terminal, ASweepShowsItsTableUnlessRowsAreAskedFor) {
  const std::string sweep = "sweep wpnm -a l1=[1,2]";
  const TerminalResult table = run_on_terminal(sweep, 100);
  EXPECT_NE(table.screen.find("l1 (steps)"), std::string::npos) << table.screen;
  EXPECT_EQ(table.screen.find("{\"id\""), std::string::npos) << table.screen;
  const TerminalResult rows = run_on_terminal(sweep + " --json", 100);
  EXPECT_NE(rows.screen.find("{\"id\""), std::string::npos) << rows.screen;
  EXPECT_EQ(rows.screen.find("l1 (steps)"), std::string::npos) << rows.screen;
  EXPECT_NE(run_program(sweep).err.find("as rows of JSON on stdout"), std::string::npos);
  EXPECT_EQ(run_program(sweep + " --json -o rows.jsonl").code, 2);
}

TEST(Terminal, ALongRunShowsThatItIsWorkingAndAQuietOneDoesNot) {
  const std::string run = "run wpnm --until p0=5 --set W=64 --max-steps 20000000 ";
  const TerminalResult shown = run_on_terminal(run, 100);
  if (shown.screen.find("\r\033[K") == std::string::npos) GTEST_SKIP() << "took under 2 s";
  EXPECT_THAT(shown.screen, HasSubstr("working, "));
  EXPECT_EQ(run_on_terminal(run + "-q", 100).screen.find("\r\033[K"), std::string::npos);
  const ProgramResult piped = run_program(run);
  EXPECT_EQ(piped.err.find("working"), std::string::npos);
}

}  // namespace
}  // namespace pnsim
