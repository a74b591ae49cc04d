#include "simulator/base/error.h"

namespace pnsim {
namespace {

// what() ends at the first NUL byte, which a broken file may put into a message.
std::string without_nul(const std::string& message) {
  std::string out;
  for (const char c : message) c == '\0' ? out += "\\0" : out += c;
  return out;
}

}  // namespace

Error::Error(ExitCode code, const std::string& message)
    : std::runtime_error(without_nul(message)), code_(code) {}

void fail_input(const std::string& where, const std::string& message) {
  throw Error(ExitCode::kBadInput, where + ": " + message);
}

void fail_usage(const std::string& message) { throw Error(ExitCode::kUsage, message); }

void fail_unavailable(const std::string& message) { throw Error(ExitCode::kUnavailable, message); }

void fail_limit(const std::string& message) { throw Error(ExitCode::kLimit, message); }

}  // namespace pnsim
