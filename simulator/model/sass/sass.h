// Sums over the source page of Nsight Compute: executed SASS instructions by class.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/model/launch/opcodes.h"
#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/source_page.h"

namespace pnsim {

// The paper's class of a SASS instruction such as "@!P0 LDG.E R2, desc[UR4][R2.64]". Texture, local
// and generic accesses, global atomics and asynchronous copies are global. Shared atomics and
// matrix loads from shared memory are shared. All others are arithmetic.
InstructionClass class_of_sass(const std::string& instruction);

// Sums over one launch.
struct SourceCounts {
  std::string kernel;
  std::int64_t instructions = 0;
  InstructionCounts totals;
  std::int64_t generic =
      0;  // of totals.global: generic accesses, some of which may touch shared memory
  // Thread instructions of arithmetic, without predicated-off threads. 0 where the page does not
  // count threads.
  std::int64_t arithmetic_operations = 0;
  // [column of the raw page] the value that it must have. Sums over columns that the table lacks
  // are absent.
  std::map<std::string, std::int64_t> sums;
  bool operator==(const SourceCounts&) const = default;
};

SourceCounts counts_of(const SourceTable& table);  // error 3 over 2^63

// The sums of every table that read_source_page() finds.
std::vector<SourceCounts> read_ncu_source(const std::string& csv_text, const std::string& origin);

}  // namespace pnsim
