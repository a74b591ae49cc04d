// What a name of a net, place or transition may be. Internal to simulator/net.
#pragma once

#include <string_view>

namespace pnsim {

// Why `name` cannot be a name, or nullptr when it can: not empty, valid UTF-8, no control
// characters (they would break tables, DOT and XML).
const char* name_fault(std::string_view name);

}  // namespace pnsim
