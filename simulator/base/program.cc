#include "simulator/base/program.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <new>

#include "simulator/base/json.h"
#include "simulator/base/leftovers.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"
#include "simulator/base/text_width.h"

namespace pnsim {
namespace {

int report(const char* name, ExitCode code, const char* message) {
  if (code != ExitCode::kBrokenPipe) std::fprintf(stderr, "%s: error: %s\n", name, message);
  return static_cast<int>(code);
}

constexpr int kHeapStep = 64 << 20;  // bytes
// Bytes of address space; the system commits memory on first touch.
constexpr int kFirstHeap = 1 << 30;

// A net and an engine are a few large arrays each, allocated and freed one after the other. Memory
// returned to the system must be cleared again page by page. So even the largest arrays stay on the
// heap.
void keep_freed_memory() {
#if !defined(__EMSCRIPTEN__)  // the memory of WebAssembly is never returned
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, kHeapStep);
#endif
}

// True when the address space is limited (in WebAssembly to 32 bits), or when a sanitizer manages
// it.
bool addresses_are_scarce() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__EMSCRIPTEN__)
  return true;
#else
  const auto is_limited = [](auto resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
  };
  return is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA);
#endif
}

// The program accesses these arrays in random order. Large pages (2 MB instead of 4 kB) reduce TLB
// misses and page faults. The request covers the first part of the heap, which holds most nets. It
// starts in the last small page before a large-page boundary, because the system only grants large
// pages for untouched memory. A system that grants none behaves as before.
void request_large_pages() {
  if (addresses_are_scarce()) return;
  constexpr std::uintptr_t kLargePage = 2 << 20;
  const auto end_of_heap = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t before = end_of_heap();
  const std::uintptr_t begin = (before + page + kLargePage - 1) / kLargePage * kLargePage;
  sbrk(static_cast<std::intptr_t>(begin - page - before));
  void* const grown = std::malloc(kFirstHeap);  // more than is left, so the heap grows
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(grown), after = end_of_heap();
  if (begin - page <= at && at < begin && begin < after) {
    madvise(reinterpret_cast<void*>(begin), after - begin, MADV_HUGEPAGE);
  }
  std::free(grown);
}

// A file that is opened gets the lowest free descriptor. Where a standard stream is closed, that
// would be its own, and messages would land in the file. What is opened instead of stdout takes
// nothing, so that results do not vanish without an error.
void open_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    const int opened = ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != fd) ::close(opened);
  }
}

// A program that runs under nohup ignores the end of its terminal, and so does this one.
void end_cleanly_by_signals() {
  std::signal(SIGINT, end_by_signal);
  std::signal(SIGTERM, end_by_signal);
  if (std::signal(SIGHUP, end_by_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

}  // namespace

void refuse_empty_arguments(const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    if (arg.empty()) fail_usage("found an empty argument");
    if (arg.starts_with("--") && arg.ends_with("=")) {
      fail_usage("found \"" + arg + "\" without a value");
    }
  }
}

// A limit (ulimit -v, a container's) may be far below the machine's memory.
std::string out_of_memory_text() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return "out of memory with " + std::to_string(use.ru_maxrss >> 10) +
         " MB in use: the net or the input is too large for this machine or its limits (ulimit "
         "-v). "
         "Use fewer threads (-j 1), a smaller problem or fewer points at once, or free memory";
}

int run_program(const char* name, const std::function<ExitCode()>& action) {
  open_standard_streams();
  keep_freed_memory();
  request_large_pages();
  ignore_write_signals();
  set_table_width(output_columns());
  end_cleanly_by_signals();
  try {
    return static_cast<int>(action());
  } catch (const Error& error) {
    return report(name, error.code(), error.what());
  } catch (const Json::type_error& error) {
    if (error.id != kJsonNotUtf8) return report(name, ExitCode::kInternal, error.what());
    return report(
        name, ExitCode::kBadInput,
        "found a name (of a file or in it) that is not UTF-8; JSON output requires UTF-8");
  } catch (const std::filesystem::filesystem_error& error) {
    // A path that cannot be looked at: its name is too long, or a folder may not be searched.
    const std::string text = error.path1().string() + ": " + error.code().message();
    return report(name, ExitCode::kBadInput, Error(ExitCode::kBadInput, text).what());
  } catch (const std::bad_alloc&) {
    return report(name, ExitCode::kLimit, out_of_memory_text().c_str());
  } catch (const std::exception& error) {
    return report(name, ExitCode::kInternal, error.what());
  }
}

}  // namespace pnsim
