// The words that can follow in a command line, for the completion of shells.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace pnsim {

// Names that may be typed as the value of one argument, beside the names of files.
struct NamedValues {
  std::string command;   // the command that has the argument; "" for every command
  std::string argument;  // "--net", or an argument by position: "INPUT"
  std::function<std::vector<std::string>()> names;
};

struct CompletionRules {
  std::vector<NamedValues> values;  // the first that fits is taken
  std::string default_command;      // the one whose options may be typed without it; or ""
};

// The line that follows the candidates where the name of a file may be typed, too.
inline constexpr const char* kFilesToo = ":files";

// Candidates for the last of `words`, which follow the name of the program; the last one may be ""
// or a beginning. One line each: the word, and after a tab what it is, where that is known.
// `--option=` is completed to `--option=VALUE`. Never fails for words that are not valid.
std::string completions(const CLI::App& program, const std::vector<std::string>& words,
                        const CompletionRules& rules);

}  // namespace pnsim
