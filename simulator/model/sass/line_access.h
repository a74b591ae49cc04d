// What a line of the source page says of its access to memory.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/model/sass/flow.h"

namespace pnsim {

double ratio(std::int64_t sum, std::int64_t n);   // 0 of nothing, and of what was not counted
std::int64_t access_bytes(const CodeLine& line);  // of one lane, by the page or by the modifiers
double lanes_of(const CodeLine& line, std::int64_t carried_out);  // with a true guard
bool adds_floats(const std::string& opcode);

// Look-ups of local accesses are not on the page. Words of one place of all lanes lie side by side:
// a line.
double lines_of_local(double sectors);

}  // namespace pnsim
