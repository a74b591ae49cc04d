// pnsim doctor ends with 0, whatever state the data folder is in.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

TEST(PnsimDoctor, ABrokenRowIsAFinding) {
  namespace fs = std::filesystem;
  const std::string home = scratch_folder();
  const fs::path shipped = fs::path(PNSIM_TEST_DATA).parent_path().parent_path();
  fs::create_directories(home + "/models/nets");
  fs::create_directories(home + "/models/devices");
  fs::create_directories(home + "/results/h200");
  fs::copy(shipped / "models/devices/h200.json", home + "/models/devices/h200.json");
  write_text(home + "/results/h200/times.jsonl", "{\"id\":\"x\",\"kind\":5}\n");
  ::setenv("PNSIM_HOME", home.c_str(), 1);
  const ProgramResult result = run_program("doctor");
  ::unsetenv("PNSIM_HOME");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              testing::HasSubstr("times.jsonl: line 1: /kind: found 5, expected a string"));
}

}  // namespace
}  // namespace pnsim
