// Names of kernels as the profiler prints them, and as models have them.
#pragma once

#include <string>
#include <string_view>

namespace pnsim {

// "void scan<int>(const int *, int)" -> "scan". A mangled name ("_Z4scanPKii") is demangled first.
std::string plain_kernel_name(std::string name);

// "void scan<int, 4>(const int *, int)" -> "<int, 4>"; "" for a kernel that is no template.
std::string template_arguments(std::string name);

// Whether two plain names can be those of one kernel: equal, or one lacks namespaces of the other
// ("native::fill" and "at::native::fill"; cuDNN's names lack inner ones, too).
bool is_same_kernel(std::string_view a, std::string_view b);

}  // namespace pnsim
