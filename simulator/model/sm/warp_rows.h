// The programs that one warp of an SM executes, block after block, as rows of the net. Short
// segments that only compute are joined to those before them, and equal ends of programs share
// rows.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/model/cost/segment_cost.h"
#include "simulator/model/launch/program_rows.h"
#include "simulator/model/sm/row_segments.h"

namespace pnsim {

// The costs of the segments of programs. A number identifies a segment, or several segments that
// were joined.
struct ProgramCosts {
  std::vector<SegmentCost> segments;                               // [number]
  std::function<SegmentCost(const InstructionCounts&)> of_counts;  // of items without a number
  double branch_cycles = 0;                                        // back to the head of a loop
  bool joins_segments = true;  // short segments that only compute join those before them
  // The numbers of which the last numbers, as many as these, are variants: of the same segments.
  std::vector<std::size_t> origins = {};
};

// Programs of a launch and their costs.
class CostedPrograms {
 public:
  // `programs` [kind of warps]; ProgramItem::segment is a number.
  CostedPrograms(std::string kernel, std::vector<std::vector<ProgramItem>> programs,
                 ProgramCosts costs);

  // As the warps execute it, with short segments joined. ProgramItem::segment is a number.
  const std::vector<ProgramItem>& joined(std::size_t kind);
  // For the segments that the number names, or for the counts where there is no number.
  SegmentCost cost(const ProgramItem& item) const;

  std::int64_t barriers_of(std::size_t kind) const;  // barriers that a warp arrives at
  const std::string& kernel() const { return kernel_; }

  // [number] the segments that it names: SegmentPart::segment is a position in the `segments` of
  // the costs that were given.
  const RowParts& parts() const { return parts_; }

 private:
  std::int64_t barriers_of(const std::vector<ProgramItem>& items) const;
  std::vector<ProgramItem> join(const std::vector<ProgramItem>& items);
  void append(ProgramItem item, std::vector<ProgramItem>& to);
  std::optional<std::size_t> repeated(const ProgramItem& loop);
  std::optional<std::size_t> number_of(
      std::pair<std::size_t, std::int64_t> what, const SegmentCost& cost,
      std::initializer_list<std::size_t> joined,
      std::map<std::pair<std::size_t, std::int64_t>, std::size_t>& known);
  void add_parts(std::initializer_list<std::size_t> joined, double work);

  std::string kernel_;
  std::vector<std::vector<ProgramItem>> programs_;  // [kind]
  ProgramCosts costs_;
  RowParts parts_;
  std::vector<std::optional<std::vector<ProgramItem>>> joined_;                // [kind]
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> pairs_, loops_;  // their numbers
};

// The rows of one warp.
class WarpRows {
 public:
  using Rows = ProgramRows<SegmentCost>;

  // Appends a program; returns its first segment. The warp arrives at `extra_barriers` more
  // barriers at its end, those of other warps of the block after it: an exited warp must not block
  // a barrier. Error 3 beyond kMaxProgramRows.
  std::int64_t append(CostedPrograms& programs, std::size_t kind, std::int64_t extra_barriers);

  const std::vector<Rows::SegmentRow>& segments() const { return rows_.segments; }
  const std::vector<LoopRow>& loops() const { return rows_.loops; }
  // [row of segments()] its number in CostedPrograms::parts(), or kNoNumber.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

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
  std::int64_t add_row(const SegmentCost& cost, Follower next, std::optional<std::size_t> number,
                       const std::string& kernel);
  Follower end_of(std::int64_t extra_barriers, const std::string& kernel);
  std::int64_t text_of(const ProgramItem& item);

  Rows rows_;
  std::vector<std::uint32_t> numbers_;
  std::map<Key, Follower> known_;
  std::map<std::vector<std::int64_t>, std::int64_t>
      texts_;  // of a loop: its trip count, then its items
  std::int64_t last_text_ = 0;
  std::map<std::int64_t, Follower> ends_;  // [extra barriers]
};

}  // namespace pnsim
