// The examples of --help, read as a user reads them.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace pnsim {

struct HelpExample {
  std::string about, command;

  bool needs_more() const { return about.find("(needs a") != std::string::npos || needs_ncu(); }
  bool needs_ncu() const { return about.find("(needs ncu)") != std::string::npos; }
};

inline std::string help_of(const std::string& command) {
  return run_program(command + " --help").out;
}

inline std::vector<HelpExample> examples_in(const std::string& help) {
  std::vector<HelpExample> out;
  std::istringstream lines(help.substr(std::min(help.find("\nExamples:\n"), help.size())));
  for (std::string line, about; std::getline(lines, line) && line != "Exit codes:";) {
    if (line.starts_with("    ")) {
      out.push_back({about, line.substr(4)});
    } else {
      about = line;
    }
  }
  return out;
}

// The names below "Subcommands:".
inline std::vector<std::string> subcommands_in(const std::string& help) {
  std::vector<std::string> out;
  std::istringstream lines(help.substr(std::min(help.find("\nSubcommands:\n"), help.size())));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  ")) {
    if (line[2] != ' ') out.push_back(words_of(line).front());
  }
  return out;
}

// Runs a command line of the help in `folder`; its first word is the name of the program.
inline int run_example(const std::string& command, const std::string& folder) {
  const std::string arguments = command.substr(command.find(' ') + 1);
  const std::string line =
      "cd " + folder + " && " + PNSIM_PROGRAM + " " + arguments + " >>examples.log 2>&1 </dev/null";
  const int status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace pnsim
