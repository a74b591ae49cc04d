#include "simulator/base/error.h"

namespace pnsim {

void fail_input(const std::string& where, const std::string& message) {
  throw Error(ExitCode::kBadInput, where + ": " + message);
}

void fail_usage(const std::string& message) { throw Error(ExitCode::kUsage, message); }

void fail_unavailable(const std::string& message) {
  throw Error(ExitCode::kUnavailable, message);
}

void fail_limit(const std::string& message) { throw Error(ExitCode::kLimit, message); }

}  // namespace pnsim
