// The rules for names of nets, places and transitions. Internal to simulator/net.
#pragma once

#include <string_view>

namespace pnsim {

// Why `name` is invalid, or nullptr when it is valid: not empty, UTF-8, no control characters (they
// would break tables, DOT and XML).
const char* name_fault(std::string_view name);

}  // namespace pnsim
