// Handwritten listings of the source page: lines of SASS with their numbers of executions.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/model/derive/infer_programs.h"
#include "simulator/model/sass/sass_text.h"

namespace pnsim::test {

// Line i has address 16 i: "BRA 0x20" leads to line 2.
struct Line {
  std::string text;
  std::int64_t executed = 0;
  std::int64_t threads_on = kNotCounted;  // of 32 a warp instruction; none: as many as there are
};

inline SourceTable table_of(const std::vector<Line>& lines) {
  SourceTable table{"k", "s.csv", 1, {}, {}};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SourceRow row;
    row.address = 16 * i;
    row.text = lines[i].text;
    row.executed = lines[i].executed;
    row.threads = 32 * lines[i].executed;
    row.threads_on = lines[i].threads_on == kNotCounted ? row.threads : lines[i].threads_on;
    table.rows.push_back(row);
  }
  return table;
}

inline Launch shape(std::int64_t grid, std::int64_t block) {
  Launch launch;
  launch.kernel = "k";
  launch.grid = grid;
  launch.block = block;
  return launch;
}

// A launch whose raw page counts every access of the listing.
inline Launch with_all_accesses(Launch launch, const SourceTable& table) {
  for (const SourceRow& row : table.rows) {
    const OpcodeClass& cls = class_of_opcode(parse_sass(row.text).opcode);
    if (cls.is_access && row.executed > 0) launch.classes[std::string(cls.name)] += row.executed;
  }
  return launch;
}

inline Launch programs_of(const std::vector<Line>& lines, std::int64_t grid, std::int64_t block) {
  const SourceTable table = table_of(lines);
  return infer_programs(with_all_accesses(shape(grid, block), table), table);
}

// "0 12x(1 2) 3": segments by number, loops in brackets.
inline std::string text_of(const std::vector<ProgramItem>& program) {
  std::string text;
  for (const ProgramItem& item : program) {
    if (!text.empty()) text += " ";
    if (item.segment) {
      text += std::to_string(*item.segment);
    } else {
      text += std::to_string(item.repeat) + "x(" + text_of(item.body) + ")";
    }
  }
  return text;
}

// "2*0,1*1 | 3*0": warps of each kind, of the blocks in order; "5:" before blocks that repeat.
inline std::string blocks_text(const Launch& launch) {
  std::string text;
  for (const BlockKind& blocks : launch.block_kinds) {
    if (!text.empty()) text += " | ";
    if (blocks.blocks > 1) text += std::to_string(blocks.blocks) + ": ";
    std::string warps;
    for (const auto& [kind, count] : blocks.warps) {
      warps += (warps.empty() ? "" : ",") + std::to_string(count) + "*" + std::to_string(kind);
    }
    text += warps;
  }
  return text;
}

inline std::string waits_text(const Segment& segment) {
  std::string text;
  for (const LateResult result : segment.waits_for) {
    text += (text.empty() ? "" : "+") + std::string(name_of(result));
  }
  return text;
}

}  // namespace pnsim::test
