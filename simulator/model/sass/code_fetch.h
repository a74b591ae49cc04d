// Code that a launch fetches because other kernels have run since its kernel last did: their code
// has taken its place in the instruction caches of the SMs.
#pragma once

#include <cstdint>

#include "simulator/model/sass/flow.h"

namespace pnsim {

// Sums over the code that was executed, in the order of addresses: what an SM fetches once. A line
// has 128 bytes. The first 4 KiB of a kernel are there when it begins, and its first 64 KiB (near)
// arrive sooner than code behind them (far): microbenchmarks code_fetch_line, code_fetch_jump.
struct CodeFetch {
  std::int64_t lines = 0, far_lines = 0;  // straight on, lines that are skipped by short jumps too
  std::int64_t jumps = 0, far_jumps = 0;  // over more than three lines
  std::int64_t executed_bytes = 0;        // of the lines with an executed instruction
  // What L2 fetches when the launch begins, executed or not: the first 64 KiB at most.
  std::int64_t bytes_ahead = 0;

  bool is_empty() const { return lines + far_lines + jumps + far_jumps == 0; }
};

CodeFetch code_fetch(const Code& code);

}  // namespace pnsim
