#include "tests/fuzz/bounded_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace pnsim::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

std::string first_megabyte(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(1 << 20, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Whether this driver, and so the programs of its build, have AddressSanitizer.
constexpr bool has_address_sanitizer() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer);
#else
  return false;
#endif
}

// AddressSanitizer reserves terabytes of addresses: a bound on them would end every program at its
// start. It bounds the memory in use itself. A small quarantine keeps freed memory out of the sums.
void bound_memory(std::uint64_t bytes) {
  if (has_address_sanitizer()) {
    const std::string options =
        "quarantine_size_mb=16:hard_rss_limit_mb=" + std::to_string(bytes / 1'000'000);
    ::setenv("ASAN_OPTIONS", options.c_str(), 1);
    return;
  }
  const rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &memory);
}

[[noreturn]] void become(const std::vector<std::string>& argv, const std::string& folder,
                         const std::string& home, const ChildBounds& bounds) {
  bound_memory(bounds.address_space);
  const rlimit time{bounds.seconds, bounds.seconds + 1};
  ::setrlimit(RLIMIT_CPU, &time);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open((folder + ".out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int err = ::open((folder + ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (::chdir(folder.c_str()) != 0 || in < 0 || out < 0 || err < 0) ::_exit(126);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  ::setenv("PNSIM_HOME", home.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  ::_exit(126);
}

}  // namespace

ChildResult run_bounded(const std::vector<std::string>& argv, const std::string& folder,
                        const std::string& home, const ChildBounds& bounds) {
  ChildResult result;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const pid_t pid = ::fork();
  if (pid == 0) become(argv, folder, home, bounds);
  int status = 0;
  rusage usage{};
  for (auto pause = std::chrono::microseconds(200); ::wait4(pid, &status, WNOHANG, &usage) == 0;) {
    if (elapsed() > 10 * static_cast<double>(bounds.seconds)) {
      result.hung = true;
      ::kill(pid, SIGKILL);
      ::wait4(pid, &status, 0, &usage);
      break;
    }
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(5)) pause *= 2;
  }
  result.seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.hung = result.hung || result.signal == SIGXCPU;
  result.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  result.out = first_megabyte(folder + ".out");
  result.err = first_megabyte(folder + ".err");
  return result;
}

}  // namespace pnsim::fuzz
