// The messages of a program on stderr. stdout is for data.
#pragma once

#include <string>

namespace pnsim {

enum class LogLevel { kWarnings, kNotices, kDetails };

// Messages of spdlog's default logger come out as "PROGRAM: MESSAGE" from now on, and a message
// that was printed before is not printed again. kWarnings leaves out notices; kDetails adds
// debugging ones.
void set_up_log(const std::string& program, LogLevel level);

}  // namespace pnsim
