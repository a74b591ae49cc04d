// Whether a process still runs: it may have ended and wait for whoever reaps it.
#pragma once

#include <sys/types.h>

#include <fstream>
#include <string>

namespace pnsim {

inline bool is_running(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.size() > name_end + 2 && text[name_end + 2] != 'Z';
}

}  // namespace pnsim
