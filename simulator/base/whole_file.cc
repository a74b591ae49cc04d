#include "simulator/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "simulator/base/error.h"
#include "simulator/base/write_all.h"

namespace pnsim {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

// The partial file that a signal handler takes away. One at a time: whole files are written by one
// thread, one after the other; a second one at the same time is not noted.
char noted_partial[4096];
std::atomic<bool> is_partial_noted = false;

void note_partial(const std::string& path) {
  if (is_partial_noted || path.size() >= sizeof noted_partial) return;
  std::memcpy(noted_partial, path.c_str(), path.size() + 1);
  is_partial_noted = true;
}

void forget_partial(const std::string& path) {
  if (is_partial_noted && path == noted_partial) is_partial_noted = false;
}

}  // namespace

void remove_partial_file() {
  if (is_partial_noted) ::unlink(noted_partial);
}

WholeFile::WholeFile(const OutputFile& file) : path_(file.path()) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) errno = EISDIR, fail();
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail();
    return;
  }
  target_ = file.place();
  // Only links that lead to one another have no place.
  std::error_code none;
  if (std::filesystem::is_symlink(target_, none)) errno = ELOOP, fail();
  partial_ = target_ + ".partial." + std::to_string(::getpid());
  note_partial(partial_);
  fd_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) fail();
}

WholeFile::~WholeFile() {
  if (fd_ >= 0) ::close(fd_);
  if (partial_.empty()) return;
  ::unlink(partial_.c_str());
  forget_partial(partial_);
}

void WholeFile::add(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) flush();
}

void WholeFile::flush() {
  if (!write_all(fd_, buffer_)) fail();
  buffer_.clear();
}

void WholeFile::keep() {
  flush();
  const bool is_straight = partial_.empty();
  if (!is_straight && ::fsync(fd_) != 0) fail();
  if (::close(std::exchange(fd_, -1)) != 0) fail();
  if (is_straight) return;
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail();
  forget_partial(partial_);
  partial_.clear();
}

void WholeFile::fail() {
  const int cause = errno;
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  if (!partial_.empty()) ::unlink(partial_.c_str()), forget_partial(partial_);
  const ExitCode code = cause == EPIPE ? ExitCode::kBrokenPipe : ExitCode::kOutput;
  throw Error(code, path_ + ": cannot be written: " + std::strerror(cause));
}

}  // namespace pnsim
