// Where models are searched, and in which order.
#include "simulator/base/data_files.h"

#include <gtest/gtest.h>

#include "simulator/base/json.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::Environment;
using test::error_of;
using test::input_error_of;
using test::TempFolder;

const std::vector<std::string> kFolders = {"models", "models/nets"};

// A home folder with shipped models, two folders of PNSIM_MODEL_PATH, and a working folder.
class DataFiles : public testing::Test {
 protected:
  DataFiles()
      : old_working_(std::filesystem::current_path()),
        home_("PNSIM_HOME", folder_.path("home")),
        path_("PNSIM_MODEL_PATH", folder_.path("first") + "::" + folder_.path("second")) {
    put("home/models/nets/net.json");
    put("home/models/shared_sort.json");
    put("working/here.txt");
    std::filesystem::current_path(folder_.path("working"));
  }
  ~DataFiles() override { std::filesystem::current_path(old_working_); }

  void put(const std::string& name) const { folder_.write(name, name); }

  // The name under which put() wrote the file that was found.
  std::string found(const std::string& name) const {
    return read_file(find_data_file(name, kFolders));
  }

  TempFolder folder_;
  std::filesystem::path old_working_;
  Environment home_, path_;
};

TEST_F(DataFiles, LooksAsGivenThenInTheModelPathThenAmongTheShipped) {
  put("home/models/m.json");
  EXPECT_EQ(found("m"), "home/models/m.json");
  put("second/m.json");
  EXPECT_EQ(found("m"), "second/m.json");
  put("first/m.json");
  EXPECT_EQ(found("m"), "first/m.json");
  put("working/m.json");
  EXPECT_EQ(found("./m"), "working/m.json");
  EXPECT_EQ(found("m.json"), "working/m.json");
}

TEST_F(DataFiles, AFileInTheCurrentFolderReplacesNoShippedOneOfABareName) {
  put("working/net.json");
  EXPECT_EQ(found("net"), "home/models/nets/net.json");
  EXPECT_EQ(found("net.json"), "working/net.json");
  put("working/own.json");
  EXPECT_EQ(found("own"), "working/own.json");
}

TEST_F(DataFiles, LooksInTheFoldersInTheirOrder) {
  put("home/models/nets/m.json");
  EXPECT_EQ(found("m"), "home/models/nets/m.json");
  put("home/models/m.json");
  EXPECT_EQ(found("m"), "home/models/m.json");
}

TEST_F(DataFiles, TakesNamesWithAndWithoutJson) {
  EXPECT_EQ(found("net"), "home/models/nets/net.json");
  EXPECT_EQ(found("net.json"), "home/models/nets/net.json");
  put("working/sub/x.pnml");
  EXPECT_EQ(found("sub/x.pnml"), "working/sub/x.pnml");
  EXPECT_EQ(candidate_paths("x.pnml", {}).front(), "x.pnml");
}

TEST_F(DataFiles, TakesAnAbsolutePathAsItIs) {
  EXPECT_EQ(found(folder_.path("working/here.txt")), "working/here.txt");
  EXPECT_EQ(candidate_paths("/a/b", kFolders), (std::vector<std::string>{"/a/b", "/a/b.json"}));
  input_error_of([&] { found("/net"); });  // not searched among the shipped files
}

TEST_F(DataFiles, NamesTheNearestShippedOne) {
  EXPECT_EQ(input_error_of([&] { found("share_sort.json"); }),
            "share_sort.json: no such file, and no shipped one of that name; did you mean "
            "\"shared_sort\"?");
  EXPECT_EQ(
      input_error_of([&] { found("zzzzzzzzzzzzzzz"); }),
      "zzzzzzzzzzzzzzz: no such file, and no shipped one of that name; known: shared_sort, net");
}

TEST_F(DataFiles, NamesANearFileOfTheUser) {
  put("working/models/0000-jacobi_step.json");
  const std::string meant = "did you mean \"models/0000-jacobi_step.json\"?";
  for (const char* name : {"models/0000-jacobi.json", "models/0000-jacoby_step.json",
                           "models/0000-jacobi", "jacobi_step"}) {
    const std::string said = input_error_of([&] { found(name); });
    EXPECT_TRUE(said.ends_with(meant)) << said;
  }
  EXPECT_EQ(input_error_of([&] { found("models/zzz.json"); }).find("jacobi"), std::string::npos);
}

class DeviceFiles : public DataFiles {
 protected:
  DeviceFiles() {
    folder_.write("home/models/devices/h100.json", R"({"title": "NVIDIA H100 80GB HBM3"})");
    folder_.write("home/models/devices/h200.json", R"({"title": "NVIDIA H200"})");
    folder_.write("home/models/devices/l40s.json", R"({"title": "NVIDIA L40S"})");
  }

  static std::string device(const std::string& name) {
    return std::filesystem::path(find_data_file(name, {"models/devices"})).stem().string();
  }
};

TEST_F(DeviceFiles, AreFoundByTheNameThatTheDriverPrints) {
  EXPECT_EQ(device("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(device("nvidia h100 80gb hbm3"), "h100");
  EXPECT_EQ(device("NVIDIA H100"), "h100");
  EXPECT_EQ(device("NVIDIA H200"), "h200");
  EXPECT_EQ(device("h-200"), "h200");
  EXPECT_EQ(device("L40S"), "l40s");
}

// A b200 is no typing error.
TEST_F(DeviceFiles, AnotherGpuIsNotAnsweredWithANearName) {
  for (const char* name :
       {"b200", "b100", "gh200", "h800", "h20", "a10", "l40", "rtx3090", "NVIDIA H100 PCIe"}) {
    const std::string said = input_error_of([&] { device(name); });
    EXPECT_EQ(said.find("did you mean"), std::string::npos) << said;
    EXPECT_NE(said.find(": no profile of this GPU is shipped; known: h100, h200, l40s (pnsim "
                        "device list describes them). A device profile holds "),
              std::string::npos)
        << said;
  }
  EXPECT_NE(input_error_of([&] { device("NVIDIA B200"); }).find("-o b200.json` estimates"),
            std::string::npos);
}

TEST_F(DeviceFiles, AMissingFileIsNoUnknownGpu) {
  EXPECT_EQ(input_error_of([&] { device("mine/h300.json"); }),
            "mine/h300.json: no such file, and no shipped one of that name; pnsim device list "
            "shows the shipped profiles");
}

TEST_F(DataFiles, RefusesAFolder) {
  std::filesystem::create_directory("folder");
  EXPECT_EQ(input_error_of([&] { found("folder"); }), "folder: found a directory, expected a file");
}

TEST_F(DataFiles, AFolderDoesNotHideAFileFurtherOn) {
  std::filesystem::create_directory("net");
  EXPECT_EQ(found("net"), "home/models/nets/net.json");
}

TEST_F(DataFiles, ListsTheShippedNamesSorted) {
  put("home/models/b.json");
  put("home/models/a.json");
  put("home/models/readme.txt");
  EXPECT_EQ(shipped_names("models"), (std::vector<std::string>{"a", "b", "shared_sort"}));
  EXPECT_TRUE(shipped_names("models/none").empty());
}

TEST_F(DataFiles, TheHomeIsTheDataRoot) { EXPECT_EQ(data_root(), folder_.path("home")); }

TEST_F(DataFiles, AHomeWithoutModelsIsExitCode4) {
  const Environment home("PNSIM_HOME", folder_.path("working"));
  EXPECT_EQ(
      error_of(ExitCode::kUnavailable, [] { data_root(); }),
      "PNSIM_HOME=" + folder_.path("working") +
          " holds no models/nets folder; set it to the folder that holds models/ and results/");
}

TEST_F(DataFiles, AFolderWithoutShippedFilesIsNamed) {
  std::filesystem::remove(folder_.path("home/models/shared_sort.json"));
  EXPECT_EQ(input_error_of([&] { found("shared_sort"); }),
            "shared_sort: no such file, and no shipped one of that name; known: net; nothing is "
            "shipped in " +
                folder_.path("home") + "/models");
}

TEST(DataRoot, WithoutAHomeIsFoundFromTheProgram) {
  const Environment home("PNSIM_HOME", "");
  EXPECT_TRUE(std::filesystem::is_regular_file(data_root() + "/models/nets/wpnm.json"));
}

}  // namespace
}  // namespace pnsim
