// OutputFile checks every output: which paths it accepts and which it refuses.
#include "simulator/base/output_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "simulator/base/json.h"
#include "simulator/base/output.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::Environment;
using test::error_of;
using test::TempFolder;

TEST(OutputFile, IsNoFileThatWasRead) {
  const TempFolder folder;
  const std::string input = folder.write("in.json", "{}");
  load_json(input);
  ASSERT_EQ(::link(input.c_str(), folder.path("hard").c_str()), 0);
  for (const std::string& path : {input, folder.path("./in.json"), folder.path("hard")}) {
    EXPECT_EQ(error_of(ExitCode::kUsage, [&] { write_file_whole(path, "x"); }),
              "the output " + path + " is an input: name another file");
    EXPECT_EQ(error_of(ExitCode::kUsage, [&] { append_line(path, "x"); }),
              "the output " + path + " is an input: name another file");
  }
  EXPECT_EQ(folder.read("in.json"), "{}");
  forget_inputs();
  write_file_whole(input, "x");
  EXPECT_EQ(folder.read("in.json"), "x");
}

// A file system reuses the inode of a deleted file.
TEST(OutputFile, MayHaveTheInodeOfAnInputThatIsGone) {
  const TempFolder folder;
  const std::string input = folder.write("in.json", "{}");
  load_json(input);
  ASSERT_EQ(::rename(input.c_str(), folder.path("other.json").c_str()), 0);
  EXPECT_NO_THROW(write_file_whole(folder.path("other.json"), "x"));
  forget_inputs();
}

TEST(OutputFile, ACommandThatStoresStaysInItsFolder) {
  const TempFolder root;
  root.write("models/nets/wpnm.json", "{}");
  root.write("models/devices/a.json", "{}");
  root.write("results/a/times.jsonl", "");
  const Environment home("PNSIM_HOME", root.path());
  const std::string times = root.path("results/a/times.jsonl"), other = root.write("own", "");
  load_json(root.path("models/devices/a.json"));
  EXPECT_NO_THROW(OutputFile::stored(times, ShippedFolder::kResults));
  EXPECT_NO_THROW(OutputFile::stored(root.path("results/b/new.jsonl"), ShippedFolder::kResults));
  EXPECT_NO_THROW(OutputFile::stored(root.path("models/devices/a.json"), ShippedFolder::kDevices));
  EXPECT_NO_THROW(OutputFile::updated(root.path("models/devices/a.json"), ShippedFolder::kModels));
  EXPECT_NO_THROW(OutputFile::stored(other, ShippedFolder::kResults));
  const auto refused = [](const std::string& path, ShippedFolder folder) {
    return error_of(ExitCode::kUsage, [&] { OutputFile::stored(path, folder); }) +
           error_of(ExitCode::kUsage, [&] { OutputFile::updated(path, folder, {path}); });
  };
  EXPECT_NE(refused(times, ShippedFolder::kModels).find("is a recorded file"), std::string::npos);
  EXPECT_NE(refused(root.path("models/nets/wpnm.json"), ShippedFolder::kDevices)
                .find("is a shipped file"),
            std::string::npos);
  forget_inputs();
}

// The effective user is another one while this lives: root may write everywhere.
class OrdinaryUser {
 public:
  OrdinaryUser() : old_(::geteuid()) {
    if (old_ == 0 && ::seteuid(65534) != 0) ADD_FAILURE() << "root cannot become another user";
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;
  ~OrdinaryUser() { EXPECT_EQ(::seteuid(old_), 0); }

 private:
  uid_t old_;
};

TEST(OutputFile, AReadOnlyDataFolderIsCopied) {
  namespace fs = std::filesystem;
  const TempFolder root;
  root.write("models/nets/wpnm.json", "{}");
  const std::string times = root.write("results/a/times.jsonl", "");
  const std::string device = root.write("models/devices/a.json", "{}");
  const Environment home("PNSIM_HOME", root.path());
  const auto read_only = fs::perms{0555};
  for (const std::string& path : {root.path(), root.path("results"), root.path("results/a"), times,
                                  root.path("models/devices"), device}) {
    fs::permissions(path, read_only);
  }
  {
    const OrdinaryUser user;
    const auto refused = [](auto call) { return error_of(ExitCode::kOutput, call); };
    EXPECT_EQ(
        refused([&] { OutputFile::stored(times, ShippedFolder::kResults); }),
        "the output " + times + " is in the data folder " + root.path() +
            ", which you may not write; use a copy of it: cp -r " + root.path() +
            " ~/pnsim-data; export PNSIM_HOME=~/pnsim-data; or name another place with --out, "
            "if the command has that option");
    refused([&] { OutputFile::stored(root.path("results/b/x.jsonl"), ShippedFolder::kResults); });
    refused([&] { OutputFile::updated(device, ShippedFolder::kDevices); });
  }
  for (const std::string& path :
       {root.path(), root.path("results"), root.path("results/a"), root.path("models/devices")}) {
    fs::permissions(path, fs::perms::owner_all);
  }
}

TEST(OutputFolder, IsRefusedWhereNoFileCanBeMade) {
  const TempFolder root;
  make_folder(root.path("read_only"));
  std::filesystem::permissions(root.path("read_only"), std::filesystem::perms{0555});
  std::filesystem::permissions(root.path(), std::filesystem::perms{0755});
  const OrdinaryUser user;
  EXPECT_EQ(error_of(ExitCode::kOutput, [&] { make_folder(root.path("read_only")); }),
            root.path("read_only") +
                ": no files can be written into this folder: Permission denied; name another "
                "folder");
}

TEST(OutputFile, TwoOutputsAreTwoFiles) {
  const TempFolder folder;
  const std::string file = folder.path("x"), link = folder.path("link");
  ASSERT_EQ(::symlink("x", link.c_str()), 0);
  for (const std::string& other : {file, folder.path("./x"), link}) {
    EXPECT_EQ(error_of(ExitCode::kUsage,
                       [&] {
                         check_output_files({file, "", other});
                       }),
              "two outputs name the same file: " + other);
  }
  EXPECT_NO_THROW(check_output_files({file, folder.path("y")}));
  EXPECT_NO_THROW(check_output_files({"/dev/null", "/dev/null", "-", "-", "", ""}));
}

TEST(OutputFile, NeedsADirectoryThatIsThereOrIsMade) {
  const test::TempFolder folder;
  const auto fault = [](const std::string& path, const std::string& made) -> std::string {
    try {
      check_output_folders({"", "-", path}, made);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kOutput);
      return error.what();
    }
    return "";
  };
  const std::string out = folder.path("a/out"), html = folder.path("a/x.html");
  EXPECT_EQ(fault(folder.path("x.html"), ""), "");
  EXPECT_NE(fault(html, "").find("x.html: cannot be written: the directory "), std::string::npos);
  EXPECT_EQ(fault(html, out), "") << "the parents of the folder are made as well";
  EXPECT_EQ(fault(out + "/x.html", out), "");
  EXPECT_NE(fault(out + "/b/x.html", out), "") << "a folder below is not made";
  EXPECT_NE(fault(folder.path("a/ou/x.html"), out), "") << "a part of the name is another folder";
}

}  // namespace
}  // namespace pnsim
