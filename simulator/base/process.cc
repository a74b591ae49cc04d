#include "simulator/base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "simulator/base/error.h"

extern char** environ;

namespace pnsim {
namespace {

constexpr std::size_t kKeptBytes = 64 * 1024;

// The files that become file descriptors 0, 1 and 2 of the child.
class SpawnFiles {
 public:
  SpawnFiles(int output_pipe, int stdout_file) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, stdout_file >= 0 ? stdout_file : output_pipe,
                                     STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output_pipe, STDERR_FILENO);
  }
  ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnFiles(const SpawnFiles&) = delete;
  SpawnFiles& operator=(const SpawnFiles&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// Owns a descriptor and closes it; -1 means none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

int open_output(const std::string& path) {
  if (path.empty()) return -1;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    throw Error(ExitCode::kOutput, path + ": cannot be written: " + std::strerror(errno));
  }
  return fd;
}

pid_t spawn(const std::vector<std::string>& argv, const SpawnFiles& files) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, arguments[0], files.get(), nullptr, arguments.data(), environ);
  if (error != 0) fail_unavailable(argv[0] + ": cannot be started: " + std::strerror(error));
  return child;
}

// Reads to the end and keeps the last kKeptBytes.
std::string drain(int fd) {
  std::string kept;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return kept;
    kept.append(buffer.data(), static_cast<std::size_t>(count));
    if (kept.size() > 2 * kKeptBytes) kept.erase(0, kept.size() - kKeptBytes);
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool needs_quotes(const std::string& argument) {
  return argument.empty() ||
         argument.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;!#~") != std::string::npos;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const std::string& stdout_path) {
#if defined(__EMSCRIPTEN__)
  fail_unavailable(argv[0] +
                   ": a web page cannot start another program; run this command in a shell");
#endif
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(ExitCode::kInternal, std::string("pipe: ") + std::strerror(errno));
  }
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  Descriptor stdout_file(open_output(stdout_path));
  const pid_t child = spawn(argv, SpawnFiles(write_end.get(), stdout_file.get()));
  write_end.reset();  // otherwise the pipe would never end
  ProcessResult result;
  result.output = drain(read_end.get());
  result.exit_code = wait_for(child);
  return result;
}

std::string find_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string shell_line(const std::vector<std::string>& argv) {
  std::string line;
  for (const std::string& argument : argv) {
    if (!line.empty()) line += ' ';
    if (!needs_quotes(argument)) {
      line += argument;
      continue;
    }
    line += '\'';
    for (char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace pnsim
