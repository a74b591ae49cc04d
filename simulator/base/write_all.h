// write(2) until all is written.
#pragma once

#include <string_view>

namespace pnsim {

// False with errno when the system takes no more.
bool write_all(int fd, std::string_view text);

}  // namespace pnsim
