// Two hidden commands of both programs, for installations and shells:
//   PROGRAM manual             prints the manual page, in the language of man(7)
//   PROGRAM complete WORD...   prints what the last word can become
#pragma once

#include <string>
#include <vector>

#include "simulator/help/completion.h"

namespace pnsim {

// Whether the arguments (after the program's name) are one of these commands. The words of
// `complete` may be anything, so that they are not parsed as a command line.
bool is_help_command(const std::vector<std::string>& args);

// What that command prints. Error 2 when `manual` has arguments.
std::string help_command_text(const CLI::App& program, const std::vector<std::string>& args,
                              const CompletionRules& rules);

}  // namespace pnsim
