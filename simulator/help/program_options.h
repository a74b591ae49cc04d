// What both programs have in common in reading their arguments: help, examples, unknown options.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pnsim {

// One example of --help. A test runs every command, in the order of the help texts, unless `about`
// ends in "(needs a GPU)" or "(needs ncu)"; then it only checks that the options exist.
struct Example {
  std::string about;  // "predict a shipped kernel with both nets"
  std::string command;
};

// By the name of the subcommand; "" is the program itself.
using Examples = std::map<std::string, std::vector<Example>>;

// Adds the examples and the exit codes to the end of each help text.
void add_examples(CLI::App& app, const Examples& examples);

// Adds -q, and for `verbose` (may be null) -v, to every subcommand that has none.
void add_message_flags(CLI::App& app, bool& quiet, bool* verbose);

// "help COMMAND" becomes "COMMAND --help", and "help" "--help".
std::vector<std::string> without_help_command(std::vector<std::string> arguments);

// Parses the arguments. False when they were answered by --help or --version. Error 2 for anything
// unknown or missing, with the nearest name. Options of `default_command` are known without a
// command, too.
bool parse_arguments(CLI::App& app, std::vector<std::string> arguments,
                     const std::string& default_command);

}  // namespace pnsim
