// The rows of the catalogue, apart from looking them up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/program.h"

namespace pnsim::gpu {

// The programs of the documents, then the own ones.
std::vector<Program> catalogue_rows();
std::vector<Program> own_rows();

// 2^first ... 2^last.
std::vector<std::int64_t> powers_of_two(unsigned first, unsigned last);

// An axis that takes `values`, ascending, and no others.
ProgramAxis listed(std::string name, std::string meaning, std::vector<std::int64_t> values,
                   std::int64_t preset);
ProgramAxis tile_axis(std::int64_t preset);
ProgramAxis block_axis();

}  // namespace pnsim::gpu
