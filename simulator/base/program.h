// What the main functions of all programs do around their work.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/base/error.h"

namespace pnsim {

// Error 2 for an empty argument and for a flag with an empty value (`--json=`): both would pass as
// not given.
void refuse_empty_arguments(const std::vector<std::string>& args);

// Does `action` and returns the exit code. A closed pipe is a write error meanwhile, SIGINT ends
// the process with 130. What is thrown is said on stderr, after "NAME: error: ".
int run_program(const char* name, const std::function<ExitCode()>& action);

}  // namespace pnsim
