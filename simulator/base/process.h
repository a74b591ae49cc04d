// Runs another program and captures its output. It leads a process group of its own; a signal that
// ends this process ends the group (leftovers.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pnsim {

struct ProcessResult {
  int exit_code = 0;   // 128 + signal when a signal killed it
  std::string output;  // stdout (unless redirected to a file) and stderr, the last 64 KiB
};

struct ProcessOptions {
  std::string stdout_path =
      "";              // if not empty, stdout is written to this file, which is overwritten
  double limit_s = 0;  // if over 0, a program that runs longer is ended with its group
};

// argv[0] is a path. Standard input is empty. Error 4 when the program cannot be started, 5 when it
// runs longer than the limit, 74 when the file cannot be written.
ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options = {});

struct ProcessText {
  int exit_code = 0;     // as above
  std::string out;       // stdout
  std::string messages;  // stderr, the last 64 KiB
};

// The same, with stdout in memory. When it has more than `most_bytes`, the program is ended, and
// error 5 names it.
ProcessText read_process(const std::vector<std::string>& argv, std::size_t most_bytes);

// Finds the executable `name` in the folders of PATH; "" when there is none.
std::string find_on_path(const std::string& name);

// The command as a user would type it in a shell.
std::string shell_line(const std::vector<std::string>& argv);

}  // namespace pnsim
