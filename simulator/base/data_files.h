// Finding the files that come with the program: models, nets, devices, recorded results.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

// The folder that holds models/ and results/: $PNSIM_HOME, else a parent of the running program,
// else the folder it was built from. Error 4 when none holds models/nets.
std::string data_root();

// The paths where `name` may stand, best first: as given; each folder of PNSIM_MODEL_PATH
// (':'-separated); then `folders` below data_root(). With and without ".json" added.
std::vector<std::string> candidate_paths(const std::string& name,
                                         const std::vector<std::string>& folders);

// The first candidate that is a file. Error 3 with the nearest shipped name when there is none.
std::string find_data_file(const std::string& name, const std::vector<std::string>& folders);

// Names (without ".json") of the shipped files in one folder below data_root(), sorted.
std::vector<std::string> shipped_names(const std::string& folder);

}  // namespace pnsim
