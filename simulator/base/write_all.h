// Calls write(2) until the whole text is written.
#pragma once

#include <string_view>

namespace pnsim {

// Returns false, and sets errno, when a write fails.
bool write_all(int fd, std::string_view text);

}  // namespace pnsim
