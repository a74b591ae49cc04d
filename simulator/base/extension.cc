#include "simulator/base/extension.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "simulator/base/error.h"

namespace pnsim {

bool has_extension(std::string_view path, std::string_view extension) {
  if (path.size() < extension.size()) return false;
  const auto is_same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::equal(extension.begin(), extension.end(), path.end() - extension.size(), is_same);
}

FilesOfFolder files_of_folder(const std::string& folder, std::string_view extension,
                              const std::string& expected) {
  namespace fs = std::filesystem;
  FilesOfFolder out;
  std::error_code error, none;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (has_extension(name, extension) && !name.starts_with(".") && !it->is_directory(none))
      out.paths.push_back((fs::path(folder) / name).string());
    else
      ++out.others;
  }
  if (error) fail_input(folder, error.message() + ", expected " + expected);
  std::sort(out.paths.begin(), out.paths.end());
  return out;
}

}  // namespace pnsim
