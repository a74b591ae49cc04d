// Runs the built program in a child process that a test can signal.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace pnsim {

class Child {
 public:
  // Runs the program with `arguments`. Both output streams go to `log`.
  Child(const std::vector<std::string>& arguments, const std::string& log) {
    std::vector<std::string> words{PNSIM_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(126);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait();
  }

  void send(int signal) const { ::kill(pid_, signal); }

  // Returns the exit code, or minus the signal that ended the process.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
};

// Waits until the file has at least this size. Returns false after a minute.
inline bool wait_for_bytes(const std::string& path, std::uintmax_t bytes) {
  for (int i = 0; i < 60'000; ++i) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(path, missing);
    if (!missing && size >= bytes) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

// Waits until the file contains this text. Returns false after a minute.
inline bool wait_for_text(const std::string& path, const std::string& text) {
  for (int i = 0; i < 60'000; ++i) {
    std::ifstream in(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    if (all.find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace pnsim
