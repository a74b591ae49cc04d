#include "simulator/base/program.h"

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
