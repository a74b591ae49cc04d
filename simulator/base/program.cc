#include "simulator/base/program.h"

#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>

#include "simulator/base/json.h"
#include "simulator/base/output.h"

namespace pnsim {
namespace {

int report(const char* name, ExitCode code, const char* message) {
  if (code != ExitCode::kBrokenPipe) std::fprintf(stderr, "%s: error: %s\n", name, message);
  return static_cast<int>(code);
}

// Nets and engines are some large lists each, made and dropped one after the other: what is given back to the
// system has to be cleared again, page by page.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that is taken
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 4 << 20);
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
