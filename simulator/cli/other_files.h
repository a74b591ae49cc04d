// Files that users name in place of a net or a model.
#pragma once

#include <string>

namespace pnsim {

// Error 3 for a file that cannot be a net or a model, such as a page of the profiler. It says which
// command reads the file. Returns for all other files.
void refuse_other_files(const std::string& path);

}  // namespace pnsim
