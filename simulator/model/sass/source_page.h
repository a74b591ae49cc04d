// The source page of Nsight Compute: every SASS instruction of every profiled launch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace pnsim {

inline constexpr std::int64_t kNotCounted = -1;  // the page has no such column

// One instruction; the counts are sums over the launch.
struct SourceRow {
  std::uint64_t address = 0;
  std::string text;                       // "@!P0 LDG.E R2, desc[UR4][R2.64]"
  std::int64_t executed = 0;              // warp instructions
  std::int64_t threads = kNotCounted;     // thread instructions
  std::int64_t threads_on = kNotCounted;  // those with a true guard
  std::int64_t divergent = kNotCounted;   // branches that went both ways
  std::int64_t sectors = kNotCounted;     // of 32 bytes, global memory, that the addresses request
  std::int64_t local_sectors = kNotCounted;  // the same, local memory
  std::int64_t tags = kNotCounted;           // look-ups of cache lines in L1, global memory
  std::int64_t wavefronts = kNotCounted;     // cycles of shared memory
  std::int64_t access_bits = kNotCounted;    // of one lane
  bool operator==(const SourceRow&) const = default;
};

struct SourceTable {
  std::string kernel;   // plain name
  std::string origin;   // the file
  std::size_t row = 0;  // of the kernel's name, from 1; the instructions begin two rows below
  std::vector<SourceRow> rows;
  std::vector<std::int64_t SourceRow::*> counts;  // those with a column in the table
  std::size_t copies = 1;                         // how often it stands in the page in a row
  std::string fault{};  // the first invalid row, as an error says it; "" when all are valid
  // Called functions, whose rows follow those of the kernel (called_functions.h): the first line of
  // each, and the row of its name.
  struct Function {
    std::size_t line = 0, row = 0;
  };
  std::vector<Function> functions{};

  bool has(std::int64_t SourceRow::*count) const {
    return std::find(counts.begin(), counts.end(), count) != counts.end();
  }
  std::string where() const { return origin + ": row " + std::to_string(row); }
  std::string where(std::size_t line) const {
    const auto behind =
        std::upper_bound(functions.begin(), functions.end(), line,
                         [](std::size_t l, const Function& function) { return l < function.line; });
    const Function part = behind == functions.begin() ? Function{0, row} : *std::prev(behind);
    return origin + ": row " + std::to_string(part.row + 2 + line - part.line);
  }
  bool same_rows(const SourceTable& other) const {
    return kernel == other.kernel && rows == other.rows;
  }
};

// Reads `ncu --page source --csv --print-source sass`: one entry a table, in order. Some versions
// of ncu print the table of a launch twice in a row: equal tables in a row are one entry with
// `copies`. The columns "Source" and "Instructions Executed" are required, others are optional.
// Error 3 names the row, and for a page of another kind the command to type; error 5 for too many
// instructions. An invalid row of a table is its fault, and the rest of the table is skipped.
std::vector<SourceTable> read_source_tables(const std::string& csv_text, const std::string& origin);

// The same; error 3 for an invalid row.
std::vector<SourceTable> read_source_page(const std::string& csv_text, const std::string& origin);

// The opcode with modifiers. A generic access (LD, ST, ATOM) whose addresses all lie in shared
// memory is that of shared memory: the page counts its wavefronts there, and no look-ups in L1.
std::string opcode_of(const SourceRow& row, const std::string& opcode);

}  // namespace pnsim
