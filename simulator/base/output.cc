#include "simulator/base/output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "simulator/base/error.h"

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

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_straight(const std::string& path, std::string_view content) {
  File file(path, O_WRONLY);
  if (!file.is_open() || !write_all(file.fd(), content) || !file.close()) fail_output(path);
}

// A symbolic link is followed: the write replaces its target, not the link.
std::string target_of_links(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

void write_file_whole(const std::string& path, std::string_view content) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) errno = EISDIR, fail_output(path);
    return write_straight(path, content);
  }
  const std::string target = target_of_links(path);
  const std::string partial = target + ".partial." + std::to_string(::getpid());
  File file(partial, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) fail_output(path);
  const bool written = write_all(file.fd(), content) && ::fsync(file.fd()) == 0 && file.close() &&
                       std::rename(partial.c_str(), target.c_str()) == 0;
  if (!written) {
    const int cause = errno;
    ::unlink(partial.c_str());
    errno = cause;
    fail_output(path);
  }
}

FolderLock::FolderLock(const std::string& path)
    : folder_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) throw Error(ExitCode::kOutput, path + ": " + std::strerror(errno));
  while (::flock(folder_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FolderLock::~FolderLock() { ::close(folder_); }

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(ExitCode::kOutput, path + ": cannot be made: " + error.message());
}

void append_line(const std::string& path, std::string_view line) {
  File file(path, O_WRONLY | O_CREAT | O_APPEND);
  if (!file.is_open()) fail_output(path);
  const std::string whole = std::string(line) + "\n";
  if (!write_all(file.fd(), whole) || !file.close()) fail_output(path);
}

void write_stdout(std::string_view text) {
  if (!write_all(STDOUT_FILENO, text)) fail_output("stdout");
}

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace pnsim
