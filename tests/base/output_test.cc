// Files are written completely or not at all, and a failed write is an error.
#include "simulator/base/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::error_of;
using test::TempFolder;

// Several processes each increment a number in a file: no increment is lost.
TEST(FolderLock, KeepsOthersOutWhileItLives) {
  const TempFolder folder;
  write_file_whole(folder.path("n"), "0");
  constexpr int kProcesses = 8, kTimes = 25;
  for (int i = 0; i < kProcesses; ++i) {
    if (fork() != 0) continue;
    for (int k = 0; k < kTimes; ++k) {
      const FolderLock lock(folder.path("."));
      write_file_whole(folder.path("n"), std::to_string(std::stoi(folder.read("n")) + 1));
    }
    _exit(0);
  }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(folder.read("n"), std::to_string(kProcesses * kTimes));
}

TEST(FolderLock, AMissingFolderIsRefused) {
  EXPECT_NE(error_of(ExitCode::kOutput, [] { FolderLock lock("/no/such/folder"); })
                .find("/no/such/folder"),
            std::string::npos);
}

TEST(WriteFileWhole, WritesAndReplaces) {
  const TempFolder folder;
  write_file_whole(folder.path("x"), "first");
  EXPECT_EQ(folder.read("x"), "first");
  write_file_whole(folder.path("x"), "second, longer");
  write_file_whole(folder.path("x"), "3");
  EXPECT_EQ(folder.read("x"), "3");
  EXPECT_EQ(folder.files(), 1u);  // no partial file remains next to it
}

TEST(WriteFileWhole, WritesThroughALink) {
  const TempFolder folder;
  write_file_whole(folder.path("x"), "first");
  ASSERT_EQ(::symlink("x", folder.path("link").c_str()), 0);
  write_file_whole(folder.path("link"), "second");
  EXPECT_EQ(folder.read("x"), "second");
  struct stat status {};
  ASSERT_EQ(::lstat(folder.path("link").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
}

// The file that such a link names does not exist yet.
TEST(WriteFileWhole, WritesThroughADanglingLink) {
  const TempFolder folder;
  ASSERT_EQ(::symlink("real", folder.path("link").c_str()), 0);
  ASSERT_EQ(::symlink("link", folder.path("second").c_str()), 0);
  write_file_whole(folder.path("second"), "text");
  EXPECT_EQ(folder.read("real"), "text");
  EXPECT_EQ(folder.files(), 3u);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("second")));
  ASSERT_EQ(::symlink("b", folder.path("a").c_str()), 0);
  ASSERT_EQ(::symlink("a", folder.path("b").c_str()), 0);
  EXPECT_NE(error_of(ExitCode::kOutput, [&] { write_file_whole(folder.path("a"), "text"); })
                .find("a: cannot be written: "),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("a")));
}

TEST(WriteFileWhole, NamesAFolderThatIsNotThere) {
  const TempFolder folder;
  const std::string path = folder.path("no/x");
  EXPECT_EQ(error_of(ExitCode::kOutput, [&] { write_file_whole(path, "a"); }),
            path + ": cannot be written: No such file or directory");
}

TEST(WriteFileWhole, RefusesAFolderAsTarget) {
  const TempFolder folder;
  EXPECT_EQ(error_of(ExitCode::kOutput, [&] { write_file_whole(folder.path(), "a"); }),
            folder.path() + ": cannot be written: Is a directory");
}

TEST(WriteFileWhole, RefusesAFolderThatTakesNoFiles) {
  EXPECT_NE(error_of(ExitCode::kOutput, [] { write_file_whole("/proc/pnsim", "a"); })
                .find("/proc/pnsim: cannot be written: "),
            std::string::npos);
}

TEST(WriteFileWhole, SaysThatTheDiskIsFull) {
  EXPECT_EQ(error_of(ExitCode::kOutput, [] { write_file_whole("/dev/full", "a"); }),
            "/dev/full: cannot be written: No space left on device");
}

TEST(WriteFileWhole, WritesStraightToWhatIsNoRegularFile) {
  EXPECT_NO_THROW(write_file_whole("/dev/null", "a"));
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));  // the device file was not replaced
}

// Limits the file size of this process to `bytes`, with the effect of a full disk.
class DiskFullAt {
 public:
  explicit DiskFullAt(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  DiskFullAt(const DiskFullAt&) = delete;
  DiskFullAt& operator=(const DiskFullAt&) = delete;
  ~DiskFullAt() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST(WriteFileWhole, LeavesTheOldFileWhenTheDiskFillsUpHalfway) {
  const TempFolder folder;
  write_file_whole(folder.path("x"), "old");
  std::string said;
  {
    const DiskFullAt limit(4096);
    said = error_of(ExitCode::kOutput,
                    [&] { write_file_whole(folder.path("x"), std::string(100'000, 'n')); });
  }
  EXPECT_EQ(said, folder.path("x") + ": cannot be written: File too large");
  EXPECT_EQ(folder.read("x"), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(AppendLine, AddsLines) {
  const TempFolder folder;
  append_line(folder.path("x"), "one");
  append_line(folder.path("x"), "two");
  EXPECT_EQ(folder.read("x"), "one\ntwo\n");
  EXPECT_EQ(error_of(ExitCode::kOutput, [] { append_line("/dev/full", "a"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(error_of(ExitCode::kOutput, [&] { append_line(folder.path("no/x"), "a"); }),
            folder.path("no/x") + ": cannot be written: No such file or directory");
}

TEST(ErrorMessage, GoesOnBehindANul) {
  const Error error(ExitCode::kBadInput, std::string("found \"a\0b\"", 11) + ", expected c");
  EXPECT_STREQ(error.what(), "found \"a\\0b\", expected c");
}

TEST(MakeFolder, MakesParentsAndIsContentWithWhatIsThere) {
  const TempFolder folder;
  make_folder(folder.path("a/b/c"));
  make_folder(folder.path("a/b/c"));
  EXPECT_TRUE(std::filesystem::is_directory(folder.path("a/b/c")));
  folder.write("file", "");
  EXPECT_TRUE(error_of(ExitCode::kOutput, [&] {
                make_folder(folder.path("file/d"));
              }).starts_with(folder.path("file/d") + ": cannot be made: "));
}

// Runs in a child process: reports what write_stdout throws with its stdout replaced by `fd`.
[[noreturn]] void exit_with_error_of_stdout(int fd) {
  ignore_write_signals();
  ::dup2(fd, STDOUT_FILENO);
  try {
    write_stdout(std::string(1'000'000, 'x'));
  } catch (const Error& error) {
    std::_Exit(static_cast<int>(error.code()));
  }
  std::_Exit(0);
}

TEST(WriteStdout, ToAReaderThatWentAwayIsExitCode141) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_EXIT(exit_with_error_of_stdout(ends[1]), testing::ExitedWithCode(141), "");
  ::close(ends[1]);
}

TEST(WriteStdout, ToAFullDiskIsExitCode74) {
  const int full = ::open("/dev/full", O_WRONLY);
  EXPECT_EXIT(exit_with_error_of_stdout(full), testing::ExitedWithCode(74), "");
  ::close(full);
}

TEST(WriteStdout, WritesAllOfALongText) {
  const TempFolder folder;
  const int file = ::open(folder.path("out").c_str(), O_WRONLY | O_CREAT, 0600);
  EXPECT_EXIT(exit_with_error_of_stdout(file), testing::ExitedWithCode(0), "");
  ::close(file);
  EXPECT_EQ(folder.read("out").size(), 1'000'000u);
}

}  // namespace
}  // namespace pnsim
