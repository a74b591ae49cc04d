// What --help and messages about wrong arguments say beside the description of the commands.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pnsim {

// One example of --help. A test runs every command, in the order of the help texts, unless `about`
// ends in "(needs a GPU)" or "(needs ncu)"; then it only checks that the options exist.
struct Example {
  std::string about;  // "predict a shipped kernel with both nets"
  std::string command;
};

// By the name of the subcommand, such as "run" or "device scale"; "" is the program itself.
using Examples = std::map<std::string, std::vector<Example>>;

// What a message about wrong arguments says beside the description of the commands.
struct UsageHelp {
  std::string default_command;  // its options are known without a command, too
  Examples examples;
  // By option: the command to type for several values, where the option takes one.
  std::map<std::string, std::string> several_values = {};
  // By option: what to type, where another command or program has it.
  std::map<std::string, std::string> elsewhere = {};
  // By command: what to type, where a file of a profile is given as an argument.
  std::map<std::string, std::string> of_pages = {};
};

}  // namespace pnsim
