// A block whose warps pass stages of bulk copies and barriers, without time: whether all of them
// come to their ends.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "simulator/model/launch/program.h"

namespace pnsim {

// Tokens of the ring: a copy of a warp takes free ones and fills them, a product drains filled ones
// and frees them.
struct StageTokens {
  std::vector<std::int64_t> fills;  // [kind of warps]
  std::int64_t drains = 0;
  std::int64_t ring = 0;  // free when a block begins
};

// What a segment does at the ring, in this order, and whether it ends at a barrier of the block.
struct StageEvents {
  bool copies = false, multiplies = false, joins = false;
};

class UntimedBlocks {
 public:
  using EventsOf = std::function<StageEvents(std::size_t segment)>;

  // `programs` [kind of warps].
  UntimedBlocks(const std::vector<std::vector<ProgramItem>>& programs, StageTokens tokens,
                EventsOf events_of);

  // Filled tokens that a block of warps of these kinds leaves. None where not all of them come to
  // their ends, or the programs are too long to be walked.
  std::optional<std::int64_t> left_in_ring(const std::vector<std::size_t>& kinds);

 private:
  enum class Event : char { kCopy, kProduct, kBarrier };
  using Events = std::vector<Event>;

  bool expand(std::span<const ProgramItem> program, Events& events) const;
  const std::optional<Events>& events_of(std::size_t kind);

  const std::vector<std::vector<ProgramItem>>& programs_;
  StageTokens tokens_;
  EventsOf of_segment_;
  std::map<std::size_t, std::optional<Events>> events_;  // [kind] none: too many
  std::size_t walked_ = 0;                               // events of all blocks
};

}  // namespace pnsim
