// The extension of a file's name, which says what the file holds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// Whether the path ends in `extension` (".json"). Upper and lower case are equal, because some
// systems write names as "NET.JSON".
bool has_extension(std::string_view path, std::string_view extension);

// The files of a folder that end in `extension`, sorted paths, and how many other entries it has.
// Hidden files (".name") and folders are others. Error 3 when the folder cannot be read: it says
// what was `expected` ("a folder of models").
struct FilesOfFolder {
  std::vector<std::string> paths;
  std::size_t others = 0;
};
FilesOfFolder files_of_folder(const std::string& folder, std::string_view extension,
                              const std::string& expected);

}  // namespace pnsim
