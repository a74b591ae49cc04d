// A launch -> the parameters of a net whose warps walk their programs but know of a segment only the
// paper's three counts (models/nets/wpnm_program.json): order and nothing else.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/kernel_model.h"
#include "simulator/model/net_template.h"

namespace pnsim {

// Names of the parameters that program_counts() fills in and that cannot be set.
const std::vector<std::string>& count_program_parameters();

// The template has all of them.
bool walks_counts(const NetTemplate& net_template);

// Parameters of a wave of `blocks` blocks. Block j of b stands for block floor((j + 1/2) grid / b) of
// the launch, with all its warps; of a launch that does not say which warps are in which block, warp
// i of W stands for warp floor((i + 1/2) N / W), as in launch_waves(). Error 3 for a program with
// more segments or loops than a net takes.
ParameterValues program_counts(const Launch& launch, std::int64_t blocks);

}  // namespace pnsim
