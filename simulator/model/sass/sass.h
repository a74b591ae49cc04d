// The source page of Nsight Compute: SASS instructions by opcode and how often warps executed them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/launch/opcodes.h"
#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// The paper's class of a SASS instruction such as "@!P0 LDG.E R2, desc[UR4][R2.64]". Texture,
// local, generic accesses, global atomics and asynchronous copies are global; shared atomics and
// matrix loads from shared are shared; all else is arithmetic.
InstructionClass class_of_sass(const std::string& instruction);

// Sums over one launch.
struct SourceCounts {
  std::string kernel;
  std::int64_t instructions = 0;
  InstructionCounts totals;
  // Of threads, predicated-off ones left out: what is neither a global nor a shared access. 0 where
  // the page does not count threads.
  std::int64_t arithmetic_operations = 0;
  // What columns of the raw page must hold, by their names. A sum over a column that the table does
  // not have is left out.
  std::map<std::string, std::int64_t> sums;
  bool operator==(const SourceCounts&) const = default;
};

SourceCounts counts_of(const SourceTable& table);  // error 3 over 2^63

// Of every table that read_source_page() finds.
std::vector<SourceCounts> read_ncu_source(const std::string& csv_text, const std::string& origin);

}  // namespace pnsim
