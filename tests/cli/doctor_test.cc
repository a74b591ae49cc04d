// What commands do with a data folder that is broken, incomplete or missing. pnsim doctor ends with
// 0 whatever state it is in.
#include <gmock/gmock.h>

#include "tests/base/temp_folder.h"
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

TEST(PnsimDoctor, AMissingDataFolderIsAFinding) {
  const test::Environment home("PNSIM_HOME", "/no/such/folder");
  const ProgramResult result = run_program("doctor");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("not found: PNSIM_HOME=/no/such/folder"));
  EXPECT_EQ(run_program("doctor --nonsense").code, 2);
}

TEST(PnsimComplete, IsSilentWithoutADataFolder) {
  const test::Environment home("PNSIM_HOME", "/no/such/folder");
  for (const std::string words : {"--model ''", "show ''", "run --device h", "''"}) {
    const ProgramResult result = run_program("complete " + words);
    EXPECT_EQ(result.code, 0) << words;
    EXPECT_EQ(result.err, "") << words;
  }
}

// A data folder with the shipped nets, one kernel model, and this folder of devices.
class OddDevices : public testing::Test {
 protected:
  OddDevices() : home_(scratch_folder()), variable_("PNSIM_HOME", home_) {
    namespace fs = std::filesystem;
    const fs::path models = fs::path(PNSIM_TEST_DATA).parent_path().parent_path() / "models";
    fs::create_directories(home_ + "/models");
    fs::copy(models / "nets", home_ + "/models/nets", fs::copy_options::recursive);
    fs::copy(models / "copy.json", home_ + "/models/copy.json");
    fs::create_directories(home_ + "/models/devices");
    fs::copy(models / "devices/h200.json", home_ + "/models/devices/h200.json");
  }

  std::string home_;
  test::Environment variable_;
};

TEST_F(OddDevices, ABrokenOneCostsItsRow) {
  write_text(home_ + "/models/devices/broken.json", "{");
  std::filesystem::create_directories(home_ + "/models/devices/folder.json");
  for (const std::string command : {"device list", "models"}) {
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, testing::HasSubstr("NVIDIA H200")) << command;
    EXPECT_THAT(result.err,
                testing::HasSubstr("skipped: " + home_ + "/models/devices/broken.json"));
    EXPECT_THAT(result.err, testing::HasSubstr("folder.json: found a directory")) << command;
  }
  write_text(home_ + "/models/odd.json", "{}");
  EXPECT_THAT(run_program("models").out, testing::HasSubstr("\ncopy ")) << "the others are listed";
}

TEST_F(OddDevices, AFileInTheCurrentFolderReplacesNone) {
  const std::string here = home_ + "_here";
  std::filesystem::create_directories(here);
  write_text(here + "/h200.json", "{}");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(here);
  const ProgramResult shipped = run_program("--model copy --net sm --device h200 -q");
  const ProgramResult typed = run_program("--model copy --net sm --device ./h200.json -q");
  std::filesystem::current_path(before);
  EXPECT_EQ(shipped.code, 0) << shipped.err;
  EXPECT_EQ(typed.code, 3) << typed.err;
}

TEST_F(OddDevices, NoDevicesAtAllAreSaid) {
  std::filesystem::remove_all(home_ + "/models/devices");
  const std::string here = home_ + "_here";
  std::filesystem::create_directories(here);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(here);
  const ProgramResult result = run_program("--model copy");
  std::filesystem::current_path(before);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, testing::HasSubstr("the data folder " + home_ + " holds none at all"));
}

}  // namespace
}  // namespace pnsim
