// The extension of a file's name, which says what the file holds.
#pragma once

#include <string_view>

namespace pnsim {

// Whether the path ends in `extension` (".json"). Upper and lower case are equal, because some
// systems write names as "NET.JSON".
bool has_extension(std::string_view path, std::string_view extension);

}  // namespace pnsim
