// Runs a program with bounds on its time and memory, and measures both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pnsim::fuzz {

struct ChildBounds {
  std::uint64_t seconds = 60;  // of processor time; ten times as long in all, for busy machines
  std::uint64_t address_space = 3'000'000'000;  // bytes; with AddressSanitizer: of memory in use
};

struct ChildResult {
  int code = -1;       // exit code; -1: see signal
  int signal = 0;      // that ended it
  bool hung = false;   // it was ended by bounds.seconds
  double seconds = 0;  // of processor time
  std::uint64_t peak_bytes = 0;
  std::string out, err;  // the first megabyte of each
};

// Runs argv in `folder` with nothing on stdin. PNSIM_HOME is `home`.
ChildResult run_bounded(const std::vector<std::string>& argv, const std::string& folder,
                        const std::string& home, const ChildBounds& bounds = {});

}  // namespace pnsim::fuzz
