#include "simulator/base/output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "simulator/base/activity.h"
#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/base/rows.h"
#include "simulator/base/text_width.h"
#include "simulator/base/whole_file.h"
#include "simulator/base/write_all.h"

namespace pnsim {
namespace {

[[noreturn]] void fail_output(const std::string& path) {
  const ExitCode code = errno == EPIPE ? ExitCode::kBrokenPipe : ExitCode::kOutput;
  throw Error(code, path + ": cannot be written: " + std::strerror(errno));
}

// Closes the file on scope exit. `close` reports a failure to close, where a full disk may show
// first.
class File {
 public:
  File(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

bool is_regular_file(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

off_t size_of(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_size : 0;
}

// What stands behind the last newline.
std::string tail_of(int fd) {
  std::string tail;
  char chunk[4096];
  for (off_t end = size_of(fd); end > 0;) {
    const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(sizeof chunk));
    const ssize_t got = ::pread(fd, chunk, static_cast<std::size_t>(end - begin), begin);
    if (got <= 0) return tail;
    const std::string_view text(chunk, static_cast<std::size_t>(got));
    const std::size_t newline = text.rfind('\n');
    if (newline != std::string_view::npos) return std::string(text.substr(newline + 1)) + tail;
    tail.insert(0, text);
    end = begin;
  }
  return tail;
}

// Whether the first `bytes` of the file are lines of JSON objects only.
bool are_rows(int fd, off_t bytes) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  for (std::size_t got = 0; got < text.size();) {
    const ssize_t more = ::pread(fd, &text[got], text.size() - got, static_cast<off_t>(got));
    if (more <= 0) return false;
    got += static_cast<std::size_t>(more);
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && (!line.starts_with('{') || !InputJson::accept(line))) return false;
  }
  return true;
}

// A process that was killed may have left a part of a row: it is cut off. A whole row without its
// newline gets one. False with errno when that fails. Error 3 for any other last line without a
// newline: the file is not one of rows, and nothing of it may be lost.
bool mend_tail(int fd, const std::string& path) {
  const std::string tail = tail_of(fd);
  if (tail.empty()) return true;
  if (tail.starts_with('{') && InputJson::accept(tail)) return write_all(fd, "\n");
  if (!is_torn_row(tail) || !are_rows(fd, size_of(fd) - static_cast<off_t>(tail.size()))) {
    fail_input(path,
               "the last line has no newline and is not a row: nothing was appended; name another "
               "file, or end the line with a newline");
  }
  return ::ftruncate(fd, size_of(fd) - static_cast<off_t>(tail.size())) == 0;
}

// All of the line or nothing of it. False with errno.
bool append_whole(int fd, const std::string& path, std::string_view line) {
  if (!is_regular_file(fd)) return write_all(fd, line);
  while (::flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  if (!mend_tail(fd, path)) return false;
  const off_t before = size_of(fd);
  if (write_all(fd, line)) return true;
  const int cause = errno;
  if (::ftruncate(fd, before) != 0) {
    // A part of a row stays at the end; the next call takes it away.
  }
  errno = cause;
  return false;
}

}  // namespace

void write_file_whole(const OutputFile& file, std::string_view content) {
  WholeFile whole(file);
  whole.add(content);
  whole.keep();
}

FolderLock::FolderLock(const std::string& path, IfBusy if_busy)
    : folder_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) throw Error(ExitCode::kOutput, path + ": " + std::strerror(errno));
  const int how = if_busy == IfBusy::kFail ? LOCK_EX | LOCK_NB : LOCK_EX;
  int failed = 0;
  while ((failed = ::flock(folder_, how)) != 0 && errno == EINTR) {
  }
  if (failed == 0 || errno != EWOULDBLOCK) return;
  ::close(folder_);
  fail_unavailable(path +
                   ": another process is writing to this folder; wait for it, or name another "
                   "folder with --out");
}

FolderLock::~FolderLock() { ::close(folder_); }

void make_folder(const OutputFile& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.path(), error);
  if (error) {
    throw Error(ExitCode::kOutput, folder.path() + ": cannot be made: " + error.message());
  }
  if (::faccessat(AT_FDCWD, folder.path().c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    throw Error(ExitCode::kOutput, folder.path() + ": no files can be written into this folder: " +
                                       std::strerror(errno) + "; name another folder");
  }
}

void append_line(const OutputFile& target, std::string_view line) {
  const std::string& path = target.path();
  struct stat status {};
  const bool is_special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  // To mend the end it has to be read; a pipe is opened for writing alone.
  File file(path, (is_special ? O_WRONLY : O_RDWR) | O_CREAT | O_APPEND);
  if (!file.is_open()) fail_output(path);
  const std::string whole = std::string(line) + "\n";
  if (!append_whole(file.fd(), path, whole) || !file.close()) fail_output(path);
}

void write_stdout(std::string_view text) {
  const WithoutActivityLine guard;
  if (!write_all(STDOUT_FILENO, text)) fail_output("stdout");
}

void write_text(const std::string& text) { write_stdout(fit_lines(text, output_columns())); }

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace pnsim
