// The parameters of models/nets/wpnm_program.json from a launch. Its warps walk their programs, but
// each segment has only the paper's three instruction counts.
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

// Parameters of the wave on the SM whose blocks of these rounds execute the most instructions (the
// first of several such SMs). If the launch has no kinds of blocks, warp i of W represents warp
// floor((i + 1/2) N / W) of N, as in launch_waves(). Error 3 for a program with more segments or
// loops than a net takes.
ParameterValues program_counts(const Launch& launch, const Rounds& rounds, std::int64_t sms);

}  // namespace pnsim
