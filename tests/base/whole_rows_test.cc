// Appends complete rows only, and removes an incomplete row at the end of the file first.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "simulator/base/output.h"
#include "simulator/base/rows.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::error_of;
using test::TempFolder;

// Appends while no file may grow over `bytes`, as if the disk were full.
std::string error_of_append(const std::string& path, const std::string& line, rlim_t bytes) {
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit limit{bytes, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const std::string said = error_of(ExitCode::kOutput, [&] { append_line(path, line); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  return said;
}

TEST(AppendLine, LeavesNoHalfOfARowOnAFullDisk) {
  const TempFolder folder;
  const std::string first = R"({"id":"1"})",
                    second = R"({"id":"2","text":")" + std::string(200, 'x') + "\"}";
  append_line(folder.path("x"), first);
  EXPECT_NE(error_of_append(folder.path("x"), second, 100).find("cannot be written"),
            std::string::npos);
  EXPECT_EQ(folder.read("x"), first + "\n");
  append_line(folder.path("x"), second);
  EXPECT_EQ(load_rows(folder.path("x")).size(), 2u);
}

TEST(AppendLine, CutsOffATornRowAndEndsAWholeOne) {
  const TempFolder folder;
  const std::string row = R"({"id":"1"})", next = R"({"id":"2"})";
  const std::string long_tail = R"({"id":"3","text":")" + std::string(10'000, 'x');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {row + "\n{\"id\":\"3\",\"va", row + "\n" + next + "\n"},
      {row + "\n" + long_tail, row + "\n" + next + "\n"},
      {"{\"id", next + "\n"},
      {row, row + "\n" + next + "\n"},  // whole, but for its newline
      {"", next + "\n"},
      {row + "\n", row + "\n" + next + "\n"}};
  for (const auto& [before, after] : cases) {
    folder.write("x", before);
    append_line(folder.path("x"), next);
    EXPECT_EQ(folder.read("x"), after) << before.substr(0, 40);
  }
}

// The file may be one that was named by mistake: its last line stays.
TEST(AppendLine, CutsNothingOffAFileThatHoldsNoRows) {
  const TempFolder folder;
  for (const std::string text : {"first line\nmy only notes", "int main()\n{", "{my notes", "[1,",
                                 "{\"id\":\"1\"}\nnotes", "12"}) {
    const std::string path = folder.write("x", text);
    EXPECT_EQ(error_of(ExitCode::kBadInput, [&] { append_line(path, R"({"id":"2"})"); }),
              path +
                  ": the last line has no newline and is not a row: nothing was appended; name "
                  "another file, or end the line with a newline");
    EXPECT_EQ(folder.read("x"), text);
  }
}

}  // namespace
}  // namespace pnsim
