// The access to memory of one line of the source page.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/flow.h"

namespace pnsim {

double ratio(std::int64_t sum, std::int64_t n);   // 0 where either was not counted or is 0
std::int64_t access_bytes(const CodeLine& line);  // of one lane: from the page or the modifiers
double lanes_of(const CodeLine& line, std::int64_t active);  // with a true guard, of one execution
bool adds_floats(const std::string& opcode);
bool copies_through_l1(const std::string& opcode);  // asynchronously, from global to shared memory

TextureKind texture_kind(const CodeLine& line);  // of a fetch, from its operands: "2D", "ARRAY_2D"

// Look-ups in L1 of local accesses, which the page lacks. The words of all lanes at one local
// address are neighbours, so four sectors are one line.
double lines_of_local(double sectors);

}  // namespace pnsim
