#include "simulator/base/program.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "simulator/base/json.h"
#include "simulator/base/output.h"

namespace pnsim {
namespace {

int report(const char* name, ExitCode code, const char* message) {
  if (code != ExitCode::kBrokenPipe) std::fprintf(stderr, "%s: error: %s\n", name, message);
  return static_cast<int>(code);
}

constexpr int kHeapStep = 64 << 20;  // bytes

// Nets and engines are some large lists each, made and dropped one after the other: what is given back to the
// system has to be cleared again, page by page.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that is taken
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, kHeapStep);
}

// They are walked in no order: with large pages the processor finds them sooner, and they come by the 2 MB instead of
// by the 4 kB. Of the heap's first part, which holds most nets; where the system grants none nothing changes.
void ask_for_large_pages() {
  const auto end_of_heap = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
  const std::uintptr_t before = end_of_heap();
  void* const grown = std::malloc(kHeapStep / 4);  // more than is left: the heap grows
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(grown), after = end_of_heap();
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (before + page - 1) / page * page;
  if (before != 0 && begin < after && at < after) madvise(reinterpret_cast<void*>(begin), after - begin, MADV_HUGEPAGE);
  std::free(grown);
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

int run_program(const char* name, const std::function<ExitCode()>& action) {
  keep_freed_memory();
  ask_for_large_pages();
  ignore_broken_pipe_signal();
  std::signal(SIGINT, [](int) { _exit(static_cast<int>(ExitCode::kInterrupted)); });
  try {
    return static_cast<int>(action());
  } catch (const Error& error) {
    return report(name, error.code(), error.what());
  } catch (const Json::type_error& error) {
    if (error.id != kJsonNotUtf8) return report(name, ExitCode::kInternal, error.what());
    return report(name, ExitCode::kBadInput,
                  "a name (of a file or in it) is not UTF-8: it cannot be written as JSON");
  } catch (const std::bad_alloc&) {
    return report(name, ExitCode::kLimit, "out of memory");
  } catch (const std::exception& error) {
    return report(name, ExitCode::kInternal, error.what());
  }
}

}  // namespace pnsim
