// The control flow of a kernel that was executed: basic blocks and how they follow each other.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/model/sass/sass_text.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// One instruction of the page, understood.
struct CodeLine {
  SourceRow row;
  SassInstruction sass;
};
using Code = std::vector<CodeLine>;

Code parse_code(const SourceTable& table);

// Instructions first ... last of the code, all executed `count` > 0 times; nothing jumps into or
// out of the middle. Blocks that were not executed are left out.
struct BasicBlock {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int64_t count = 0;
  std::vector<std::size_t> next;  // blocks that may follow; branches never taken are left out
  std::vector<std::size_t> previous;
};

// In address order; the first is where all warps start. Calls lead to the called code, returns
// behind the call (where code is called from several places: behind the first).
struct Flow {
  std::vector<BasicBlock> blocks;
  std::vector<std::size_t> order;      // reverse postorder: what comes before what, loops apart
  std::vector<std::size_t> dominator;  // [block] the last one that every way to it passes
  bool dominates(std::size_t a, std::size_t b) const;
};

Flow find_flow(const Code& code);

}  // namespace pnsim
