// What both programs have in common in reading their arguments: help, examples, unknown options.
#pragma once

#include <string>
#include <vector>

#include "simulator/help/usage_help.h"

namespace CLI {
class App;
}

namespace pnsim {

// Adds the examples and the exit codes to the end of each help text.
void add_examples(CLI::App& app, const Examples& examples);

// Adds -q, and for `verbose` (may be null) -v, to every subcommand that has none.
void add_message_flags(CLI::App& app, bool& quiet, bool* verbose);

// "help COMMAND" becomes "COMMAND --help", and "help" "--help".
std::vector<std::string> without_help_command(std::vector<std::string> arguments);

// Parses the arguments. False when they were answered by --help or --version. Error 2 for anything
// unknown or missing, with the nearest name or the command to type next.
bool parse_arguments(CLI::App& app, std::vector<std::string> arguments, const UsageHelp& help);

}  // namespace pnsim
