// The parts of a command line that --help shows: those that belong to a group.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

namespace pnsim {

std::vector<const CLI::App*> shown_commands(const CLI::App& program);

// Options and arguments by position.
std::vector<const CLI::Option*> shown_options(const CLI::App& command);

// False for a flag.
bool takes_value(const CLI::Option& option);

}  // namespace pnsim
