#include "simulator/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <sstream>

#include "simulator/base/error.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/table.h"

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

// A process group of its own, the signal mask of before, and the signals' default actions.
class SpawnAttributes {
 public:
  explicit SpawnAttributes(const sigset_t& mask) {
    sigset_t ignored_here;
    sigemptyset(&ignored_here);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&ignored_here, signal);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &mask);
    posix_spawnattr_setsigdefault(&attributes_, &ignored_here);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

// Signals wait while this object lives: none may come between the start of a child and its note.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

pid_t spawn(const std::vector<std::string>& argv, const SpawnFiles& files, const sigset_t& mask) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const SpawnAttributes attributes(mask);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, arguments[0], files.get(), attributes.get(), arguments.data(), environ);
  if (error != 0) fail_unavailable(argv[0] + ": cannot be started: " + std::strerror(error));
  return child;
}

// The end of the time that a program may take. Without a limit it never comes.
class Deadline {
 public:
  explicit Deadline(double limit_s) : limit_s_(limit_s) {}

  bool is_over() const { return limit_s_ > 0 && left_s() <= 0; }

  // For poll(): -1 without a limit.
  int left_ms() const {
    if (limit_s_ <= 0) return -1;
    constexpr double kMost = 1e6;  // poll() is called again
    return static_cast<int>(std::clamp(std::ceil(1e3 * left_s()), 0.0, kMost));
  }

 private:
  using Clock = std::chrono::steady_clock;

  double left_s() const {
    return limit_s_ - std::chrono::duration<double>(Clock::now() - start_).count();
  }

  double limit_s_;
  Clock::time_point start_ = Clock::now();
};

// A running child. When it goes out of scope before it was waited for, it is ended.
class ChildProcess {
 public:
  ChildProcess(const std::vector<std::string>& argv, const SpawnFiles& files) {
    const HeldSignals held;
    child_ = spawn(argv, files, held.before());
    noted_ = std::make_unique<NotedChild>(child_);
  }
  ~ChildProcess() {
    if (child_ > 0) end_child(child_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int wait() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    return ended(status);
  }

  // Returns nothing for a child that runs still at the deadline.
  std::optional<int> wait_until(const Deadline& deadline) {
    constexpr timespec kPause{0, 10'000'000};  // 10 ms
    int status = 0;
    while (waitpid(child_, &status, WNOHANG) == 0) {
      if (deadline.is_over()) return std::nullopt;
      nanosleep(&kPause, nullptr);
    }
    return ended(status);
  }

 private:
  int ended(int status) {
    noted_.reset();
    child_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  pid_t child_ = 0;
  std::unique_ptr<NotedChild> noted_;
};

class Pipe {
 public:
  Pipe() : Pipe(made()) {}

  int read_end() const { return read_.get(); }
  int write_end() const { return write_.get(); }
  void close_write_end() { write_.reset(); }  // otherwise the pipe would never end

 private:
  explicit Pipe(const std::array<int, 2>& ends) : read_(ends[0]), write_(ends[1]) {}
  static std::array<int, 2> made() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) == 0) return ends;
    throw Error(ExitCode::kInternal, std::string("pipe: ") + std::strerror(errno));
  }

  Descriptor read_, write_;
};

// What is read from a descriptor; false at its end.
bool read_more(int fd, std::string& to) {
  std::array<char, 65536> buffer;
  ssize_t count = 0;
  while ((count = read(fd, buffer.data(), buffer.size())) < 0 && errno == EINTR) {
  }
  if (count > 0) to.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

void keep_end(std::string& text) {
  if (text.size() > 2 * kKeptBytes) text.erase(0, text.size() - kKeptBytes);
}

// Reads to the end, or until the deadline, and keeps the last kKeptBytes.
std::string drain(int fd, const Deadline& deadline) {
  std::string kept;
  while (!deadline.is_over()) {
    pollfd end{fd, POLLIN, 0};
    if (poll(&end, 1, deadline.left_ms()) <= 0) continue;  // EINTR, or over
    if (!read_more(fd, kept)) break;
    keep_end(kept);
  }
  return kept;
}

bool needs_quotes(const std::string& argument) {
  return argument.empty() ||
         argument.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;!#~") != std::string::npos;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
#if defined(__EMSCRIPTEN__)
  fail_unavailable(argv[0] +
                   ": a web page cannot start another program; run this command in a shell");
#endif
  Pipe pipe;
  const Descriptor stdout_file(open_output(options.stdout_path));
  const Deadline deadline(options.limit_s);
  ChildProcess child(argv, SpawnFiles(pipe.write_end(), stdout_file.get()));
  pipe.close_write_end();
  ProcessResult result;
  result.output = drain(pipe.read_end(), deadline);
  const std::optional<int> exit_code = child.wait_until(deadline);
  if (!exit_code) {
    fail_limit(shell_line(argv) + ": ran longer than the limit of " +
               significant(options.limit_s, 3) + " s and was ended; allow more time");
  }
  result.exit_code = *exit_code;
  return result;
}

ProcessText read_process(const std::vector<std::string>& argv, std::size_t most_bytes) {
#if defined(__EMSCRIPTEN__)
  fail_unavailable(argv[0] +
                   ": a web page cannot start another program; run this command in a shell");
#endif
  Pipe out, messages;
  ChildProcess child(argv, SpawnFiles(messages.write_end(), out.write_end()));
  out.close_write_end();
  messages.close_write_end();
  ProcessText result;
  std::array<pollfd, 2> ends{
      {{out.read_end(), POLLIN, 0}, {messages.read_end(), POLLIN, 0}}};  // -1: at its end
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends.data(), ends.size(), -1) < 0) continue;  // EINTR
    if (ends[0].revents != 0 && !read_more(ends[0].fd, result.out)) ends[0].fd = -1;
    if (ends[1].revents != 0 && !read_more(ends[1].fd, result.messages)) ends[1].fd = -1;
    keep_end(result.messages);
    if (result.out.size() <= most_bytes) continue;
    fail_limit(shell_line(argv) + ": printed more than " + std::to_string(most_bytes >> 20) +
               " MB, the most that is read");
  }
  result.exit_code = child.wait();
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
