// Judges repeated rounds of the microbenchmarks: which of their numbers can be believed.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim::experiments {

struct JudgedRounds {
  // One row per number that at least two rounds agree on: the median over these rounds. Its rel_mad
  // is at least half of the rounds' relative range, and "rounds" is their number.
  std::vector<InputJson> rows;
  // Whole sentences: what was not used, and why.
  std::vector<std::string> rejected;
  // Whole sentences: numbers without two rounds that agree. They have no row.
  std::vector<std::string> disputed;
};

// `rounds` are the rows of results/DEVICE/microbench.jsonl, one vector per round. Not used are:
//  - a round whose benchmark sm_clock measured less than 95 % of `clock_mhz`, the highest clock;
//  - rows of a benchmark around which the driver reported a throttled clock, less than 90 % of
//    clock_mhz, or other processes on the GPU (gpu::MicroConditions);
//  - a row that differs from the median of the rounds by over 15 %. Launches from a stream and
//    transfers depend on the host too: they may differ by a factor of two.
// Throws error 3 for a row without the keys of gpu::micro_row.
JudgedRounds judge_rounds(const std::vector<std::vector<InputJson>>& rounds, double clock_mhz);

}  // namespace pnsim::experiments
