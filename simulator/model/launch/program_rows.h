// The program of a warp as rows that refer to each other: the form in which nets walk programs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "simulator/base/error.h"
#include "simulator/model/launch/program.h"

namespace pnsim {

inline constexpr std::int64_t kNoRow = -1;
inline constexpr std::size_t kMaxProgramRows = 16'384;  // segments, or loops, of a program

// The successor of a row: a segment, the end of a loop's iteration, or (neither) the program's end.
struct Follower {
  std::int64_t segment = kNoRow;
  std::int64_t loop = kNoRow;
};

struct LoopRow {
  std::int64_t trips = 1;
  std::int64_t body = 0;  // its first segment
  Follower next;
};

// `What` holds the properties of a segment that a net needs.
template <class What>
struct ProgramRows {
  struct SegmentRow {
    What what;
    Follower next;
  };
  std::vector<SegmentRow> segments;
  std::vector<LoopRow> loops;

  // Error 3 beyond kMaxProgramRows, also of the next two.
  void check(const std::string& kernel) const {
    for (const auto& [rows, name] :
         {std::pair{segments.size(), "segments"}, std::pair{loops.size(), "loops"}}) {
      if (rows <= kMaxProgramRows) continue;
      fail_input("kernel " + kernel, "a program has over " + std::to_string(kMaxProgramRows) + " " +
                                         name + ": more than a net takes");
    }
  }

  std::int64_t add_segment(What what, Follower next, const std::string& kernel) {
    segments.push_back({std::move(what), next});
    check(kernel);
    return static_cast<std::int64_t>(segments.size()) - 1;
  }

  std::int64_t add_loop(const LoopRow& loop, const std::string& kernel) {
    loops.push_back(loop);
    check(kernel);
    return static_cast<std::int64_t>(loops.size()) - 1;
  }

  // Adds a program that is followed by `next`; returns its first row. `what_of` makes the What of
  // an item without a body. Rows are added from the last item to the first, since every row refers
  // to its successor. Empty loops have no row.
  template <class WhatOf>
  Follower add(const std::vector<ProgramItem>& items, Follower next, const std::string& kernel,
               const WhatOf& what_of) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      if (item->repeat == 0) continue;
      if (item->body.empty()) {
        if (item->repeat != 1) fail_input("kernel " + kernel, "a segment is repeated by a loop");
        next = {add_segment(what_of(*item), next, kernel), kNoRow};
      } else if (item->repeat == 1) {
        next = add(item->body, next, kernel, what_of);
      } else {
        const std::int64_t loop = add_loop({item->repeat, 0, next}, kernel);
        const Follower body = add(item->body, {kNoRow, loop}, kernel, what_of);
        if (body.segment == kNoRow) continue;
        loops[static_cast<std::size_t>(loop)].body = body.segment;
        next = {body.segment, kNoRow};
      }
    }
    return next;
  }
};

}  // namespace pnsim
