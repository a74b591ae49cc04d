#include "simulator/model/launch/outstanding_loads.h"

#include <algorithm>
#include <utility>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

constexpr std::size_t kMost = 16;  // segments with outstanding loads: a bound on the work

bool waits_for_loads(const Segment& segment) {
  return std::any_of(segment.waits_for.begin(), segment.waits_for.end(),
                     [](LateResult result) { return is_load(result); });
}

bool makes_loads(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) { return is_global_load(class_of(access)); });
}

// A warp walks through its program.
class Walk {
 public:
  explicit Walk(const Launch& launch)
      : launch_(launch), before_(launch.segments.size()), is_visited_(launch.segments.size()) {}

  void begin() { outstanding_.clear(); }
  void follow(const std::vector<ProgramItem>& program) {
    for_each_item(program, [&](const ProgramPlace& place) {
      if (place.item.segment) visit(*place.item.segment);
    });
  }
  std::vector<std::vector<std::size_t>> take() { return std::move(before_); }

 private:
  void visit(std::size_t s) {
    const Segment& segment = launch_.segments[s];
    if (waits_for_loads(segment)) outstanding_.clear();
    if (!is_visited_[s]) before_[s] = outstanding_;
    is_visited_[s] = true;
    const bool is_new =
        std::find(outstanding_.begin(), outstanding_.end(), s) == outstanding_.end();
    if (is_new && makes_loads(segment) && outstanding_.size() < kMost) outstanding_.push_back(s);
  }

  const Launch& launch_;
  std::vector<std::vector<std::size_t>> before_;
  std::vector<bool> is_visited_;
  std::vector<std::size_t> outstanding_;
};

}  // namespace

std::vector<std::vector<std::size_t>> outstanding_before(const Launch& launch) {
  Walk walk(launch);
  for (const WarpKind& kind : launch.warp_kinds) {
    walk.begin();
    walk.follow(kind.program);
  }
  return walk.take();
}

}  // namespace pnsim
