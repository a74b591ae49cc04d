#include "simulator/model/launch/in_flight.h"

#include <algorithm>
#include <utility>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

constexpr std::size_t kMost = 16;  // segments in flight: more bring no more lines that count

bool waits_for_loads(const Segment& segment) {
  return std::any_of(segment.waits_for.begin(), segment.waits_for.end(),
                     [](LateResult result) { return !is_quick(result); });
}

bool makes_loads(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) {
                       return is_global_load(*find_opcode_class(access.access_class));
                     });
}

// A warp's way through its program.
class Walk {
 public:
  explicit Walk(const Launch& launch)
      : launch_(launch), before_(launch.segments.size()), is_met_(launch.segments.size()) {}

  void begin() { in_flight_.clear(); }
  void follow(const std::vector<ProgramItem>& program) {
    for_each_item(program, [&](const ProgramPlace& place) {
      if (place.item.segment) meet(*place.item.segment);
    });
  }
  std::vector<std::vector<std::size_t>> take() { return std::move(before_); }

 private:
  void meet(std::size_t s) {
    const Segment& segment = launch_.segments[s];
    if (waits_for_loads(segment)) in_flight_.clear();
    if (!is_met_[s]) before_[s] = in_flight_;
    is_met_[s] = true;
    const bool is_new = std::find(in_flight_.begin(), in_flight_.end(), s) == in_flight_.end();
    if (is_new && makes_loads(segment) && in_flight_.size() < kMost) in_flight_.push_back(s);
  }

  const Launch& launch_;
  std::vector<std::vector<std::size_t>> before_;
  std::vector<bool> is_met_;
  std::vector<std::size_t> in_flight_;
};

}  // namespace

std::vector<std::vector<std::size_t>> in_flight_before(const Launch& launch) {
  Walk walk(launch);
  for (const WarpKind& kind : launch.warp_kinds) {
    walk.begin();
    walk.follow(kind.program);
  }
  return walk.take();
}

}  // namespace pnsim
