// What is wrong with arguments that cannot be parsed, and the command to type next.
#pragma once

#include <string>
#include <vector>

#include "simulator/help/usage_help.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace pnsim {

// Error 2 for an option that the command does not have, with the nearest one. CLI11 reports it only
// after everything else. A long option with a single dash (`-net sm`) is refused as well: it would
// be read as a short option with its value. So is an option in place of the value of another one
// (`--source -o DIR`).
void refuse_unknown_options(const CLI::App& app, const std::vector<std::string>& arguments,
                            const UsageHelp& help);

// Error 2 for the value of an option with whole numbers that is not in decimal digits. CLI11 reads
// "010" as 8 and "0x10" as 16. The arguments have been parsed.
void refuse_other_bases(const CLI::App& app);

// Error 2 for what CLI11 refused. `arguments` are those that were parsed.
[[noreturn]] void fail_parse(const CLI::App& app, const CLI::ParseError& error,
                             const std::vector<std::string>& arguments, const UsageHelp& help);

// Error 2 for `word`, which was read as something else ("side b") but is meant as the value of
// `flag`: "--csv t.csv" instead of "--csv=t.csv".
[[noreturn]] void fail_flag_value(const std::string& word, const std::string& read_as,
                                  const std::string& flag);

}  // namespace pnsim
