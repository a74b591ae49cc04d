// Finds the files that ship with the program: models, nets, devices, recorded results.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

// The folder that holds models/ and results/: $PNSIM_HOME; else the repository, for a program in
// its build folder; else share/pnsim of the installation, found from the program's location. Error
// 4 when it holds no models/nets.
std::string data_root();

// The paths where `name` may be, in order of preference. What looks like a file, with a "/" or a
// suffix (.json, .pnml): as given, then in each folder of PNSIM_MODEL_PATH (':'-separated), then in
// `folders` below data_root(). A bare name is tried as given last, so that a file that happens to
// lie in the current folder replaces no shipped one. Each is tried with ".json" appended, too.
std::vector<std::string> candidate_paths(const std::string& name,
                                         const std::vector<std::string>& folders);

// The first candidate path that is a file; without one, the shipped file whose name differs in
// upper and lower case only ("H100"); in models/devices also the profile of a GPU as the driver
// names it. Error 3 when there is none: it names the nearest shipped file or a near file in the
// named folder, and for a device all that are known (device_files.h).
std::string find_data_file(const std::string& name, const std::vector<std::string>& folders);

// Names (without ".json") of the shipped files in one folder below data_root(), sorted.
std::vector<std::string> shipped_names(const std::string& folder);

}  // namespace pnsim
