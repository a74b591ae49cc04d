// The frame that all programs share around main.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/base/error.h"

namespace pnsim {

// Error 2 for an empty argument and for a flag with an empty value (`--json=`). The flag parser
// would treat both as absent.
void refuse_empty_arguments(const std::vector<std::string>& args);

// The message of error 5 for std::bad_alloc: how much was in use, and what to do.
std::string out_of_memory_text();

// Runs `action` and returns the exit code. Meanwhile a closed pipe is a write error, and SIGINT,
// SIGTERM and SIGHUP end the process cleanly (leftovers.h), with 128 and their number. An exception
// is printed to stderr as "NAME: error: MESSAGE".
int run_program(const char* name, const std::function<ExitCode()>& action);

}  // namespace pnsim
