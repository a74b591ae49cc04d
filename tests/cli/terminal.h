// Runs the built program on a terminal of a given width, and looks at how wide its lines are.
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "simulator/base/text_width.h"
#include "tests/cli/program.h"

namespace pnsim {

struct TerminalResult {
  int code = -1;
  std::string screen;  // both streams, as written
};

// `arguments` run through the shell.
inline TerminalResult run_on_terminal(const std::string& arguments, unsigned short columns) {
  const std::string command = std::string(PNSIM_PROGRAM) + " " + arguments;
  winsize size{};
  size.ws_row = 50;
  size.ws_col = columns;
  int master = -1;
  const pid_t pid = ::forkpty(&master, nullptr, nullptr, &size);
  if (pid == 0) {
    ::unsetenv("COLUMNS");
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(126);
  }
  TerminalResult result;
  char buffer[4096];
  for (ssize_t got; (got = ::read(master, buffer, sizeof buffer)) > 0;)
    result.screen.append(buffer, static_cast<std::size_t>(got));
  int status = 0;
  ::waitpid(pid, &status, 0);
  ::close(master);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

// The widest line. What a progress line wrote and removed does not count.
inline std::string widest_line(const std::string& text) {
  std::string widest;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t removed = line.rfind("\r\033[K");
    if (removed != std::string::npos) line.erase(0, removed + 4);
    if (width_of(line) > width_of(widest)) widest = line;
  }
  return widest;
}

}  // namespace pnsim
