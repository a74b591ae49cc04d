#include "simulator/base/row_file.h"

#include <sys/resource.h>

#include <functional>
#include <memory>

#include "simulator/base/output.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

TEST(RowFile, AppendsToWhatIsThereAndCuts) {
  const test::TempFolder folder;
  const std::string path = folder.write("rows", "one\n");
  RowFile file(path);
  EXPECT_EQ(file.size(), 4u);
  file.append("two\nthree\n");
  EXPECT_EQ(folder.read("rows"), "one\ntwo\nthree\n");
  file.cut(8);
  file.append("3\n");
  file.sync();
  EXPECT_EQ(folder.read("rows"), "one\ntwo\n3\n");
}

TEST(RowFile, IsLockedUntilItGoes) {
  const test::TempFolder folder;
  const std::string path = folder.path("rows");
  auto first = std::make_unique<RowFile>(path);
  const std::string said = test::error_of(ExitCode::kUnavailable, [&] { RowFile second(path); });
  EXPECT_NE(said.find(path + ": another process is writing"), std::string::npos);
  EXPECT_FALSE(RowFile(path, RowFile::IfBusy::kStayClosed).is_open());
  first.reset();
  EXPECT_TRUE(RowFile(path).is_open());
}

// A file size limit ends a write in its middle, as a full disk does.
TEST(RowFile, KeepsTheRowsThatAWriteWasDoneWith) {
  const test::TempFolder folder;
  const std::string path = folder.write("rows", "");
  ignore_write_signals();
  RowFile file(path);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tight{13, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  test::error_of(ExitCode::kOutput, [&] { file.append("one\ntwo\nthree\nfour\n"); });
  test::error_of(ExitCode::kOutput, [&] { file.append("seventeen\n"); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(folder.read("rows"), "one\ntwo\n");
}

// The lock does not bind programs that do not ask for it.
TEST(RowFile, NoticesThatAnotherProgramRemovedReplacedOrChangedIt) {
  const test::TempFolder folder;
  const std::string path = folder.path("rows");
  const auto said = [&](const std::function<void()>& change) {
    std::filesystem::remove(path);
    RowFile file(path);
    file.append("one\ntwo\n");
    change();
    test::error_of(ExitCode::kOutput, [&] { file.append("three\n"); });
    return test::error_of(ExitCode::kOutput, [&] { file.sync(); });
  };
  EXPECT_NE(said([&] { std::filesystem::remove(path); }).find(path + ": another program removed"),
            std::string::npos);
  EXPECT_NE(said([&] {
              std::filesystem::resize_file(path, 4);
            }).find("changed this file (4 bytes, expected 8)"),
            std::string::npos);
  EXPECT_NE(said([&] {
              folder.write("new", "one\ntwo\n");
              std::filesystem::rename(folder.path("new"), path);
            }).find("replaced this file"),
            std::string::npos);
}

TEST(RowFile, CannotBeMadeInAFolderThatIsNotThere) {
  test::error_of(ExitCode::kOutput, [] { RowFile file("/no/such/folder/rows"); });
}

TEST(RowFile, WhatIsNoRegularFileIsWrittenButNotLocked) {
  RowFile first("/dev/null"), second("/dev/null");
  second.append("x\n");
  EXPECT_EQ(second.size(), 0u);
  RowFile full("/dev/full");
  test::error_of(ExitCode::kOutput, [&] { full.append("x\n"); });
}

// A file size limit ends a write in its middle.
TEST(RowFile, AFailedAppendLeavesTheRowsItHad) {
  const test::TempFolder folder;
  ignore_write_signals();
  RowFile file(folder.path("rows"));
  file.append("one\n");
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{6, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = test::error_of(ExitCode::kOutput, [&] { file.append("two\n"); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_NE(said.find("too large"), std::string::npos) << said;
  EXPECT_EQ(folder.read("rows"), "one\n");
}

}  // namespace
}  // namespace pnsim
