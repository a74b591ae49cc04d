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

// argv[0] is a path. Standard input is empty. With `stdout_path`, stdout is written to that file,
// which is overwritten. Error 4 when the program cannot be started, 74 when the file cannot be
// written.
ProcessResult run_process(const std::vector<std::string>& argv,
                          const std::string& stdout_path = "");

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
