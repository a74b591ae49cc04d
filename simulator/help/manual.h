// The manual page of a program, from the description of its commands and options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pnsim {

// The page in the language of man(7), section 1. The first line of the program's description is
// "NAME: what it is"; further lines become the section DESCRIPTION. Hidden commands and options
// (without a group) are left out.
std::string manual_page(const CLI::App& program, const std::string& version);

}  // namespace pnsim
