// The command lines that the mutation driver starts from.
#pragma once

#include <string>
#include <vector>

namespace pnsim::fuzz {

struct CommandCase {
  std::string program;                       // "pnsim" or "experiment"
  std::string words;                         // arguments; names of input files as in `files`
  std::vector<std::string> files;            // inputs, of input_files()
  std::vector<std::string> may_change = {};  // inputs that the command is to write
  std::string command() const;               // "pnsim run", for tables
};
std::vector<CommandCase> command_cases();

// A file that cases name, with its content.
struct InputFile {
  std::string name;
  std::string text;
};
// Made from shipped files and test data; `pnsim` is the built program, which makes rows of sweeps.
std::vector<InputFile> input_files();

}  // namespace pnsim::fuzz
