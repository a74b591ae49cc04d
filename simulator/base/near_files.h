// The file that is meant where a path names none.
#pragma once

#include <string>

namespace pnsim {

// A .json file in the folder of `path` whose name contains that of `path` or is near to it
// ("models/0000-jacobi_step.json" for "models/0000-jacobi.json"). For a bare name ("jacobi_step") a
// file in the current folder, or in a folder in it, whose name contains it. "" when there is none.
// Folders of very many files are not searched.
std::string near_file(const std::string& path);

}  // namespace pnsim
