// The programs that one warp of an SM executes, block after block, as rows of the net: short
// segments that only compute join those before them, and what programs end with alike is there
// once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/launch/imbalance.h"
#include "simulator/model/launch/program_rows.h"

namespace pnsim {

// Programs of a launch, and what their segments cost: a number names a segment of
// Stretch::programs, or several of them that were joined.
class CostedPrograms {
 public:
  // All outlive it. `overlap`: of the way to memory, as overlap_of() says.
  CostedPrograms(const Launch& launch, const CostModel& model, double overlap);

  // As the warps execute it. ProgramItem::segment is such a number.
  const std::vector<ProgramItem>& joined(std::size_t kind);
  // A number names it, or nothing does but its counts.
  SegmentCost cost(const ProgramItem& item) const;

  std::int64_t barriers_of(std::size_t kind) const;  // that a warp comes to
  const std::string& kernel() const { return launch_.kernel; }

 private:
  std::int64_t barriers_of(const std::vector<ProgramItem>& items) const;
  std::vector<ProgramItem> join(const std::vector<ProgramItem>& items);
  void append(ProgramItem item, std::vector<ProgramItem>& to);
  std::optional<std::size_t> repeated(const ProgramItem& loop);
  std::optional<std::size_t> number_of(
      std::pair<std::size_t, std::int64_t> what, const SegmentCost& cost,
      std::map<std::pair<std::size_t, std::int64_t>, std::size_t>& known);
  SegmentCost segment_cost(std::size_t segment) const;

  const Launch& launch_;
  const CostModel& model_;
  double overlap_;
  Stretch stretch_;
  std::vector<SegmentCost> costs_;                                             // [number]
  std::vector<std::optional<std::vector<ProgramItem>>> joined_;                // [kind]
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> pairs_, loops_;  // their numbers
};

// The rows of one warp.
class WarpRows {
 public:
  using Rows = ProgramRows<SegmentCost>;

  // Appends a program; returns its first segment. `extra_barriers` at the end stand for those that
  // the other warps of the block come to after this one has ended: an ended warp holds up no
  // barrier. Error 3 beyond kMaxProgramRows.
  std::int64_t append(CostedPrograms& programs, std::size_t kind, std::int64_t extra_barriers);

  const std::vector<Rows::SegmentRow>& segments() const { return rows_.segments; }
  const std::vector<LoopRow>& loops() const { return rows_.loops; }

 private:
  // What is executed, and what follows.
  struct Key {
    std::int64_t text;
    std::int64_t next_segment, next_loop;
    auto operator<=>(const Key&) const = default;
  };
  Follower add(const std::vector<ProgramItem>& items, Follower next,
               const CostedPrograms& programs);
  Follower add_item(const ProgramItem& item, Follower next, const CostedPrograms& programs);
  Follower end_of(std::int64_t extra_barriers, const std::string& kernel);
  std::int64_t text_of(const ProgramItem& item);

  Rows rows_;
  std::map<Key, Follower> known_;
  std::map<std::vector<std::int64_t>, std::int64_t> texts_;  // of loops: times, then what is in it
  std::int64_t last_text_ = 0;
  std::map<std::int64_t, Follower> ends_;  // [extra barriers]
};

}  // namespace pnsim
