// The whole of `pnsim`, for the program and for the page (web/engine).
#pragma once

namespace pnsim {

// Runs one command line (argv[0] is the name of the program) and returns the exit code.
int pnsim_program(int argc, char** argv);

}  // namespace pnsim
