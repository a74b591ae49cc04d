// pnsim: simulates Petri-net models of GPU kernels.
#include "simulator/cli/pnsim_program.h"

int main(int argc, char** argv) { return pnsim::pnsim_program(argc, argv); }
