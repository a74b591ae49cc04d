// Names of files and kernels for the cells of tables.
#pragma once

#include <string>

namespace pnsim {

// A file's name, cut to 40 bytes; one that begins with a number, as those that `pnsim derive`
// writes, to 24: the rest is the kernel, which has a column of its own.
std::string short_file(const std::string& name);

// "at::native::reduce_kernel" and "<512, at::native::ReduceOp<float>>" ->
// "reduce_kernel<512, ReduceOp<float>>": without namespaces, cut to 56 bytes.
std::string short_kernel(const std::string& name, const std::string& template_arguments);

}  // namespace pnsim
