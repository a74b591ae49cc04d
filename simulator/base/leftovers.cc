#include "simulator/base/leftovers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/whole_file.h"

namespace pnsim {
namespace {

constexpr std::size_t kSlots = 32;  // of each kind; more at one time are not noted
constexpr std::size_t kNoSlot = kSlots;
constexpr std::size_t kMostPath = 4096;
constexpr std::size_t kMostText = 2 * kMostPath;

std::array<std::atomic<pid_t>, kSlots> noted_children{};

// A signal handler may read a path only when its slot is full.
struct NotedPath {
  std::atomic<int> state = 0;  // 0: free, 1: being filled or read, 2: full
  char path[kMostPath] = {};
};
std::array<NotedPath, kSlots> noted_folders;

// Read by a signal handler only when it is full.
struct NotedText {
  std::atomic<int> state = 0;  // as of NotedPath
  std::size_t size = 0;
  char text[kMostText + 2] = {};
} noted_text;

void print_noted_text() {
  int full = 2;
  if (!noted_text.state.compare_exchange_strong(full, 1)) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, noted_text.text, noted_text.size);
}

std::size_t note_child(pid_t child) {
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    pid_t none = 0;
    if (noted_children[slot].compare_exchange_strong(none, child)) return slot;
  }
  return kNoSlot;
}

std::size_t note_folder(const std::string& path) {
  if (path.size() >= kMostPath) return kNoSlot;
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    int free = 0;
    if (!noted_folders[slot].state.compare_exchange_strong(free, 1)) continue;
    std::memcpy(noted_folders[slot].path, path.c_str(), path.size() + 1);
    noted_folders[slot].state = 2;
    return slot;
  }
  return kNoSlot;
}

// Nothing of the standard library removes folders in a signal handler: rm does it.
void remove_folder(NotedPath& folder) {
  int full = 2;
  if (!folder.state.compare_exchange_strong(full, 1)) return;
  char rm[] = "rm", flags[] = "-rf", end[] = "--";
  char* arguments[] = {rm, flags, end, folder.path, nullptr};
  const pid_t child = ::vfork();
  if (child == 0) {
    ::execv("/bin/rm", arguments);
    ::_exit(127);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

}  // namespace

NotedChild::NotedChild(pid_t child) : slot_(note_child(child)) {}

NotedChild::~NotedChild() {
  if (slot_ != kNoSlot) noted_children[slot_] = 0;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) {
    throw Error(ExitCode::kOutput, "TMPDIR: the folder of temporary files: " + error.message());
  }
  path_ = (parent / "pnsim-XXXXXX").string();
  if (!::mkdtemp(path_.data())) {
    throw Error(ExitCode::kOutput, path_ + ": cannot be made: " + std::strerror(errno));
  }
  slot_ = note_folder(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (slot_ != kNoSlot) noted_folders[slot_].state = 0;
}

InterruptText::~InterruptText() { noted_text.state = 0; }

void InterruptText::set(const std::string& text) const {
  noted_text.state = 1;
  const std::string line = "\n" + text.substr(0, kMostText) + "\n";
  std::memcpy(noted_text.text, line.data(), line.size());
  noted_text.size = line.size();
  noted_text.state = 2;
}

void end_child(pid_t child) {
  constexpr int kPolls = 200, kPollsForOthers = 10;
  constexpr timespec kPause{0, 10'000'000};  // 10 ms
  ::kill(-child, SIGTERM);
  // Processes of the group that have ended count until their parent reaps them, which may be never.
  int ended_at = kPolls;
  for (int i = 0; i < std::min(kPolls, ended_at + kPollsForOthers); ++i) {
    if (ended_at == kPolls && ::waitpid(child, nullptr, WNOHANG) != 0) ended_at = i;
    if (::kill(-child, 0) != 0) return;
    ::nanosleep(&kPause, nullptr);
  }
  ::kill(-child, SIGKILL);
  if (ended_at == kPolls) ::waitpid(child, nullptr, 0);
}

void end_by_signal(int signal) {
  for (auto& child : noted_children) {
    if (const pid_t group = child.exchange(0); group != 0) end_child(group);
  }
  for (NotedPath& folder : noted_folders) remove_folder(folder);
  remove_partial_file();
  print_noted_text();
  ::_exit(128 + signal);
}

}  // namespace pnsim
