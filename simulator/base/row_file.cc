#include "simulator/base/row_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "simulator/base/error.h"
#include "simulator/base/write_all.h"

namespace pnsim {

RowFile::RowFile(const OutputFile& file, IfBusy if_busy) : path_(file.path()) {
  if (open_and_lock()) {
    expected_size_ = size();
    return;
  }
  if (if_busy == IfBusy::kStayClosed) return;
  fail_unavailable(path_ +
                   ": another process is writing this file; wait for it, or name another "
                   "file with -o");
}

RowFile::~RowFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool RowFile::open_and_lock() {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail();
    return true;
  }
  is_regular_ = true;
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail();
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK) fail();
  ::close(fd_);
  fd_ = -1;
  return false;
}

std::uint64_t RowFile::size() const {
  struct stat status {};
  if (!is_regular_) return 0;
  if (::fstat(fd_, &status) != 0) fail();
  return static_cast<std::uint64_t>(status.st_size);
}

// The lock does not keep other programs from removing or truncating the file.
void RowFile::check_in_place() const {
  if (!is_regular_) return;
  struct stat mine {};
  struct stat there {};
  if (::fstat(fd_, &mine) != 0) fail();
  const bool is_there = ::stat(path_.c_str(), &there) == 0;
  const bool is_mine = is_there && there.st_ino == mine.st_ino && there.st_dev == mine.st_dev;
  const auto size = static_cast<std::uint64_t>(mine.st_size);
  if (is_mine && size == expected_size_) return;
  std::string what = "removed this file";
  if (is_there && !is_mine) what = "replaced this file";
  if (is_mine) {
    what = "changed this file (" + std::to_string(size) + " bytes, expected " +
           std::to_string(expected_size_) + ")";
  }
  throw Error(ExitCode::kOutput, path_ + ": another program " + what +
                                     " while rows were written to it, and rows are lost: run the "
                                     "command again, with another file name");
}

void RowFile::append(std::string_view rows) {
  check_in_place();
  const std::uint64_t before = size();
  if (write_all(fd_, rows)) {
    expected_size_ += rows.size();
    return;
  }
  const int cause = errno;
  // The rows that were written completely stay in the file.
  const std::string_view written = rows.substr(0, size() - std::min(before, size()));
  const std::size_t end = written.rfind('\n');
  const std::uint64_t whole = before + (end == std::string_view::npos ? 0 : end + 1);
  if (is_regular_ && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0) {
    // An incomplete row stays at the end of the file; --resume removes it.
  }
  if (is_regular_) expected_size_ = size();
  errno = cause;
  fail();
}

void RowFile::cut(std::uint64_t bytes) {
  if (is_regular_ && ::ftruncate(fd_, static_cast<off_t>(bytes)) != 0) fail();
  expected_size_ = bytes;
}

void RowFile::sync() {
  if (is_regular_ && ::fsync(fd_) != 0) fail();
  check_in_place();
}

void RowFile::fail() const {
  const ExitCode code = errno == EPIPE ? ExitCode::kBrokenPipe : ExitCode::kOutput;
  throw Error(code, path_ + ": cannot be written: " + std::strerror(errno));
}

}  // namespace pnsim
