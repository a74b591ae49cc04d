// Provenance of a result: version, commit, time and command.
#pragma once

#include <string>

namespace pnsim {

std::string program_version();  // "0.1.0"
// At configure time; "-dirty" when the tree had changes, or "unknown".
std::string build_commit();
std::string utc_now();  // "2026-11-20T23:40:00Z"

bool is_utf8(const std::string& text);

// A name for JSON, which holds UTF-8 only: itself, or where it is not UTF-8 as a shell reads it
// back
// ($'b\xe9.csv').
std::string name_for_json(const std::string& name);

// Returns the arguments as a user would type them, without the folder of the program. An argument
// that is not UTF-8 has its bytes escaped.
std::string command_line(int argc, const char* const* argv);

}  // namespace pnsim
