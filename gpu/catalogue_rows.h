// The rows of the catalogue. Look-up functions are in catalogue.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/program.h"

namespace pnsim::gpu {

// The programs from documents, then the project's own programs: those for any GPU, and those that
// need tensor cores, asynchronous copies or waiting between blocks.
std::vector<Program> catalogue_rows();
std::vector<Program> own_rows();
std::vector<Program> more_rows();
std::vector<Program> tensor_rows();

// Returns 2^first ... 2^last.
std::vector<std::int64_t> powers_of_two(unsigned first, unsigned last);

// An axis that accepts only `values`, which are ascending.
ProgramAxis listed(std::string name, std::string meaning, std::vector<std::int64_t> values,
                   std::int64_t preset);
ProgramAxis tile_axis(std::int64_t preset);
ProgramAxis block_axis();

}  // namespace pnsim::gpu
