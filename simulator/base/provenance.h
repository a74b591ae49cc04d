// Where a result comes from.
#pragma once

#include <string>

namespace pnsim {

std::string program_version();  // "0.1.0"
std::string build_commit();     // as configured, "-dirty" when the tree had changes, or "unknown"
std::string utc_now();          // "2026-11-20T23:40:00Z"

// The arguments as one would type them, without the folder of the program.
std::string command_line(int argc, const char* const* argv);

}  // namespace pnsim
