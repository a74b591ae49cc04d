// The control flow of an executed kernel: its basic blocks and the edges between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/model/sass/sass_text.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// One instruction of the source page, parsed.
struct CodeLine {
  SourceRow row;
  SassInstruction sass;
};
using Code = std::vector<CodeLine>;

Code parse_code(const SourceTable& table);

// Instructions first ... last of the code, all executed `count` > 0 times. No branch enters or
// leaves the middle. Code that was not executed has no block.
struct BasicBlock {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int64_t count = 0;
  std::vector<std::size_t> next;  // successors; none for branches that were never taken
  std::vector<std::size_t> previous;
};

// Blocks are in address order; all warps start at the first. A call leads to the called code. A
// return leads behind the call; with several calls of the same code, behind the one that is
// executed most and does not lie in that code.
struct Flow {
  std::vector<BasicBlock> blocks;
  std::vector<std::size_t> order;      // reverse postorder
  std::vector<std::size_t> dominator;  // [block] its immediate dominator
  bool dominates(std::size_t a, std::size_t b) const;
  // Edges into a block, without those that close a loop at it.
  std::ptrdiff_t entries_into(std::size_t block) const;
};

Flow find_flow(const Code& code);

}  // namespace pnsim
