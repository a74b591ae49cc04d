// The one exception of the project and the exit codes of its programs.
#pragma once

#include <stdexcept>
#include <string>

namespace pnsim {

// What a program tells its caller; the table is in docs/commands.md.
enum class ExitCode : int {
  kOk = 0,
  kCheckFailed = 1,  // done, but a declared goal was not reached or a check failed
  kUsage = 2,        // wrong flags, unknown path or axis
  kBadInput = 3,     // a file that does not say what it must
  kUnavailable = 4,  // something asked for is not there: GPU, counters, a recorded point
  kLimit = 5,        // a limit was reached: steps, markings, tokens
  kInternal = 70,    // a defect of the program itself
  kOutput = 74,      // output could not be written
  kInterrupted = 130,
  kBrokenPipe = 141,  // the reader of stdout went away: no message
};

// Thrown where something is wrong, caught once, in main. The message stands alone: it says where,
// what was found, what was expected, and the nearest valid name if there is one.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message);
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Bad content of an input. `where` is a file with a JSON pointer or a line: "net.json: /places/3".
[[noreturn]] void fail_input(const std::string& where, const std::string& message);
[[noreturn]] void fail_usage(const std::string& message);
[[noreturn]] void fail_unavailable(const std::string& message);
[[noreturn]] void fail_limit(const std::string& message);

}  // namespace pnsim
