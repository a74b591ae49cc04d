// Names of kernels as the profiler prints them, and as models have them.
#pragma once

#include <string>

namespace pnsim {

// "void scan<int>(const int *, int)" -> "scan".
std::string plain_kernel_name(std::string name);

}  // namespace pnsim
