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
// Made from shipped files and test data. The driver adds the rows of sweep_of_rows(): all.jsonl,
// and its halves even.jsonl and odd.jsonl.
std::string sweep_of_rows();
std::vector<InputFile> input_files();

}  // namespace pnsim::fuzz
