#include "simulator/model/sm/untimed_block.h"

#include <algorithm>
#include <utility>

namespace pnsim {

UntimedBlocks::UntimedBlocks(const std::vector<std::vector<ProgramItem>>& programs,
                             StageTokens tokens, EventsOf events_of)
    : programs_(programs), tokens_(std::move(tokens)), of_segment_(std::move(events_of)) {}

bool UntimedBlocks::expand(std::span<const ProgramItem> program, Events& events) const {
  constexpr std::size_t kMostEvents = 1 << 20;
  for (const ProgramItem& item : program) {
    for (std::int64_t i = 0; i < item.repeat; ++i) {
      const std::size_t before = events.size();
      if (item.segment) {
        const StageEvents now = of_segment_(*item.segment);
        if (now.copies) events.push_back(Event::kCopy);
        if (now.multiplies) events.push_back(Event::kProduct);
        if (now.joins) events.push_back(Event::kBarrier);
      } else if (!expand(item.body, events)) {
        return false;
      }
      if (events.size() > kMostEvents) return false;
      if (events.size() == before) break;  // nor does another iteration
    }
  }
  return true;
}

const std::optional<UntimedBlocks::Events>& UntimedBlocks::events_of(std::size_t kind) {
  const auto [it, is_new] = events_.try_emplace(kind);
  if (is_new && !expand(programs_[kind], it->second.emplace())) it->second.reset();
  return it->second;
}

std::optional<std::int64_t> UntimedBlocks::left_in_ring(const std::vector<std::size_t>& kinds) {
  struct Warp {
    const Events* events;
    std::int64_t fills;  // of one of its copies
    std::size_t at = 0;
    bool has_arrived = false;  // at a barrier of the block
    bool has_ended() const { return at == events->size(); }
  };
  constexpr std::size_t kMostWalked = 1 << 24;  // a tenth of a second
  std::vector<Warp> warps;
  for (const std::size_t kind : kinds) {
    const std::optional<Events>& events = events_of(kind);
    if (!events) return std::nullopt;
    walked_ += events->size();
    if (walked_ > kMostWalked) return std::nullopt;
    warps.push_back({&*events, tokens_.fills[kind]});
  }
  std::int64_t room = tokens_.ring, filled = 0;
  const auto pass = [&](Warp& warp) {  // one event
    const Event event = (*warp.events)[warp.at];
    if (event == Event::kBarrier) {
      warp.has_arrived = true;
      return true;
    }
    const bool copies = event == Event::kCopy;
    std::int64_t &from = copies ? room : filled, &to = copies ? filled : room;
    const std::int64_t moved = copies ? warp.fills : tokens_.drains;
    if (from < moved) return false;
    from -= moved;
    to += moved;
    ++warp.at;
    return true;
  };
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (Warp& warp : warps) {
      while (!warp.has_ended() && !warp.has_arrived && pass(warp)) goes_on = true;
    }
    // Warps that have ended do not hold up a barrier.
    const bool opens = std::all_of(warps.begin(), warps.end(), [](const Warp& warp) {
      return warp.has_ended() || warp.has_arrived;
    });
    if (!opens) continue;
    for (Warp& warp : warps) {
      if (!warp.has_arrived) continue;
      warp.has_arrived = false;
      ++warp.at;
      goes_on = true;
    }
  }
  const bool all_ended =
      std::all_of(warps.begin(), warps.end(), [](const Warp& warp) { return warp.has_ended(); });
  return all_ended ? std::optional(filled) : std::nullopt;
}

}  // namespace pnsim
