// The single exception type of the project, and the exit codes of its programs.
#pragma once

#include <stdexcept>
#include <string>

namespace pnsim {

// The exit status of a program; docs/commands.md has the table.
enum class ExitCode : int {
  kOk = 0,
  kCheckFailed = 1,  // completed, but a declared goal was not reached or a check failed
  kUsage = 2,        // wrong flags, unknown path or axis
  kBadInput = 3,     // an input file has invalid content
  kUnavailable = 4,  // something required is missing: a GPU, counters, a recorded point
  kLimit = 5,        // a limit was reached: steps, markings, tokens
  kInternal = 70,    // a defect of the program itself
  kOutput = 74,      // output could not be written
  kInterrupted = 130,
  kBrokenPipe = 141,  // the reader closed stdout: no message
};

// Thrown at the place of the fault and caught once, in main. The message must be complete by
// itself: the place, what was found, what was expected, and the nearest valid name if there is one.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message);
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Reports invalid content of an input. `where` is a file with a JSON pointer or a line, for example
// "net.json: /places/3".
// Where a text may be cut near byte `at` without splitting a character of UTF-8.
std::size_t boundary_before(const std::string& text, std::size_t at);

[[noreturn]] void fail_input(const std::string& where, const std::string& message);
[[noreturn]] void fail_usage(const std::string& message);
[[noreturn]] void fail_unavailable(const std::string& message);
[[noreturn]] void fail_limit(const std::string& message);

}  // namespace pnsim
