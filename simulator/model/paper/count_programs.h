// From a launch to the parameters of a net whose warps walk their programs, but which has only the
// paper's three counts of each segment (models/nets/wpnm_program.json).
#pragma once

#include <string>
#include <vector>

#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/net_template.h"

namespace pnsim {

// Names of the parameters that program_counts() fills in and that cannot be set.
const std::vector<std::string>& count_program_parameters();

// The template has all of them.
bool walks_counts(const NetTemplate& net_template);

// Blocks that an SM executes together: the rounds first_round ... first_round + blocks - 1 of the
// launch, each of which gives every SM one block.
struct Rounds {
  std::int64_t first_round = 0;
  std::int64_t blocks = 1;
};

// Parameters of a wave: that of the SM whose blocks of these rounds execute the most instructions
// (of several such SMs, the first). Where a launch does not say which warps are in which block,
// warp i of W stands for warp floor((i + 1/2) N / W) of N, as in launch_waves(). Error 3 for a
// program with more segments or loops than a net takes.
ParameterValues program_counts(const Launch& launch, const Rounds& rounds, std::int64_t sms);

}  // namespace pnsim
