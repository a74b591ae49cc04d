#include "simulator/base/data_files.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "simulator/base/build_facts.h"
#include "simulator/base/device_files.h"
#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/near_files.h"
#include "simulator/base/nearest.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

bool holds_models(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "models" / "nets", ignored);
}

// The folder of the running program; empty where the system does not tell.
fs::path program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

// A path as seen from the folder of the program, without "..".
fs::path from_program(const std::string& path) {
  const fs::path normal = (program_folder() / path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

// The repository, for a program in a build folder. CMake writes its path, relative to the build
// folder, to a file there; an installation has no such file. "" when there is none.
fs::path repository_root() {
  std::ifstream file(program_folder() / "data_folder.txt");
  std::string path;
  return std::getline(file, path) ? from_program(path) : fs::path();
}

std::vector<std::string> search_path() {
  std::vector<std::string> folders;
  const char* value = std::getenv("PNSIM_MODEL_PATH");
  std::stringstream parts(value ? value : "");
  for (std::string folder; std::getline(parts, folder, ':');) {
    if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

}  // namespace

std::string data_root() {
  const char* home = std::getenv("PNSIM_HOME");
  if (home && *home) {
    if (holds_models(home)) return home;
    fail_unavailable(
        std::string("PNSIM_HOME=") + home +
        " holds no models/nets folder; set it to the folder that holds models/ and results/");
  }
  const fs::path repository = repository_root();
  if (!repository.empty() && holds_models(repository)) return repository.string();
  const fs::path installed = from_program(PNSIM_DATA_FOLDER);
  if (holds_models(installed)) return installed.string();
  fail_unavailable("the shipped models were not found: " + installed.string() +
                   " holds no models/nets folder. Install pnsim again, or set PNSIM_HOME to the "
                   "folder that holds models/ and results/");
}

std::vector<std::string> candidate_paths(const std::string& name,
                                         const std::vector<std::string>& folders) {
  std::vector<std::string> stems{name};
  const bool has_suffix = has_extension(name, ".json") || has_extension(name, ".pnml");
  if (!has_suffix) stems.push_back(name + ".json");
  if (fs::path(name).is_absolute()) return stems;
  const bool is_bare = !has_suffix && name.find('/') == std::string::npos;
  std::vector<std::string> paths = is_bare ? std::vector<std::string>{} : stems;
  std::vector<std::string> roots = search_path();
  for (const std::string& folder : folders) roots.push_back(data_root() + "/" + folder);
  for (const std::string& root : roots) {
    for (const std::string& stem : stems) paths.push_back(root + "/" + stem);
  }
  if (is_bare) paths.insert(paths.end(), stems.begin(), stems.end());
  return paths;
}

namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// "h100" for the bare name "H100"; "" when there is none.
std::string shipped_in_other_case(const std::string& name,
                                  const std::vector<std::string>& folders) {
  if (name.find('/') != std::string::npos) return "";
  for (const std::string& folder : folders) {
    for (const std::string& shipped : shipped_names(folder)) {
      if (lower_case(shipped) != lower_case(name)) continue;
      return data_root() + "/" + folder + "/" + shipped + ".json";
    }
  }
  return "";
}

[[noreturn]] void fail_folder(const std::string& name) {
  std::error_code ignored;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(name, ignored)) {
    const std::string file = entry.path().string();
    if (has_extension(file, ".json")) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  const std::string advice = files.empty() ? ""
                                           : "; name one of its " + std::to_string(files.size()) +
                                                 " .json files, such as " + files.front();
  fail_input(name, "found a directory, expected a file" + advice);
}

// By another name of the GPU; "" for the name of a file. Error 3 for a GPU without a profile.
std::string device_file(const std::string& name) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos || has_extension(name, ".json")) return "";
  if (fs::is_directory(name, ignored)) return "";
  const std::string folder = data_root() + "/models/devices";
  const std::vector<std::string> names = shipped_names("models/devices");
  const std::string file = device_file_of_gpu(name, folder, names);
  if (file.empty()) fail_no_device(name, folder, names);
  return file;
}

// A near file of the user's comes before a near shipped one.
[[noreturn]] void fail_no_file(const std::string& name, const std::vector<std::string>& folders,
                               bool is_of_device) {
  std::vector<std::string> known;
  std::string missing;
  for (const std::string& folder : folders) {
    const std::vector<std::string> shipped = shipped_names(folder);
    known.insert(known.end(), shipped.begin(), shipped.end());
    if (shipped.empty()) missing = data_root() + "/" + folder;
  }
  const std::string stem = fs::path(name).stem().string();
  const std::string near = is_of_device ? "" : near_file(name);
  std::string advice = near.empty() ? suggestion(stem, known) : "; did you mean \"" + near + "\"?";
  if (folders == std::vector<std::string>{"models/nets"} && lower_case(name).starts_with("paper")) {
    advice = "; the paper's net is wpnm";
  }
  if (is_of_device) advice = "; pnsim device list shows the shipped profiles";
  fail_input(name, "no such file, and no shipped one of that name" + advice +
                       (missing.empty() ? "" : "; nothing is shipped in " + missing));
}

}  // namespace

std::string find_data_file(const std::string& name, const std::vector<std::string>& folders) {
  std::error_code ignored;
  for (const std::string& path : candidate_paths(name, folders)) {
    if (is_file(path)) return path;
  }
  if (const std::string path = shipped_in_other_case(name, folders); !path.empty()) return path;
  const bool is_of_device = folders == std::vector<std::string>{"models/devices"};
  if (is_of_device) {
    const std::string file = device_file(name);
    if (!file.empty()) return file;
  }
  if (fs::is_directory(name, ignored)) fail_folder(name);
  fail_no_file(name, folders, is_of_device);
}

std::vector<std::string> shipped_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data_root() + "/" + folder, ignored)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace pnsim
