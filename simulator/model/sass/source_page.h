// The source page of Nsight Compute: every SASS instruction of every profiled launch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pnsim {

// The page without a byte order mark and without the profiler's messages before it ("==PROF==
// ...").
std::string page_of(const std::string& text);

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

  bool has(std::int64_t SourceRow::*count) const {
    return std::find(counts.begin(), counts.end(), count) != counts.end();
  }
  std::string where() const { return origin + ": row " + std::to_string(row); }
  std::string where(std::size_t line) const {
    return origin + ": row " + std::to_string(row + 2 + line);
  }
  bool same_rows(const SourceTable& other) const {
    return kernel == other.kernel && rows == other.rows;
  }
};

// Reads `ncu --page source --csv --print-source sass`: one entry a table, in order. Some versions
// of ncu print the table of every launch twice in a row; both are returned. The columns "Source"
// and "Instructions Executed" are required, others are optional. Error 3 names the row.
std::vector<SourceTable> read_source_page(const std::string& csv_text, const std::string& origin);

// One table a launch: every table, or every second one where each is printed twice in a row. Error
// 3 unless there are one or two tables for each launch.
std::vector<SourceTable> one_table_a_launch(std::vector<SourceTable> tables, std::size_t launches,
                                            const std::string& origin);

}  // namespace pnsim
