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
  if (open_and_lock() || if_busy == IfBusy::kStayClosed) return;
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

void RowFile::append(std::string_view rows) {
  const std::uint64_t before = size();
  if (write_all(fd_, rows)) return;
  const int cause = errno;
  // The rows that were written completely stay in the file.
  const std::string_view written = rows.substr(0, size() - std::min(before, size()));
  const std::size_t end = written.rfind('\n');
  const std::uint64_t whole = before + (end == std::string_view::npos ? 0 : end + 1);
  if (is_regular_ && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0) {
    // An incomplete row stays at the end of the file; --resume removes it.
  }
  errno = cause;
  fail();
}

void RowFile::cut(std::uint64_t bytes) {
  if (is_regular_ && ::ftruncate(fd_, static_cast<off_t>(bytes)) != 0) fail();
}

void RowFile::sync() {
  if (is_regular_ && ::fsync(fd_) != 0) fail();
}

void RowFile::fail() const {
  const ExitCode code = errno == EPIPE ? ExitCode::kBrokenPipe : ExitCode::kOutput;
  throw Error(code, path_ + ": cannot be written: " + std::strerror(errno));
}

}  // namespace pnsim
