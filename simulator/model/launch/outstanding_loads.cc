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

// Warps walk through their programs. A body is walked through twice: once for the first iteration
// and once for all others.
class Walk {
 public:
  explicit Walk(const Launch& launch)
      : launch_(launch), before_(launch.segments.size()), executions_(launch.segments.size()) {}

  void begin() { outstanding_.clear(); }
  void follow(const std::vector<ProgramItem>& program, double times) {
    for (const ProgramItem& item : program) {
      follow_once(item, times);
      if (item.repeat > 1) follow_once(item, times * static_cast<double>(item.repeat - 1));
    }
  }
  // Sums of executions become shares of them.
  std::vector<std::vector<OutstandingLoads>> take() {
    for (std::size_t s = 0; s < before_.size(); ++s) {
      for (OutstandingLoads& loads : before_[s]) loads.share /= executions_[s];
    }
    return std::move(before_);
  }

 private:
  void follow_once(const ProgramItem& item, double times) {
    if (item.segment) {
      visit(*item.segment, times);
    } else {
      follow(item.body, times);
    }
  }

  void visit(std::size_t s, double times) {
    const Segment& segment = launch_.segments[s];
    if (waits_for_loads(segment)) outstanding_.clear();
    executions_[s] += times;
    for (const std::size_t earlier : outstanding_) add(earlier, times, before_[s]);
    const bool is_new =
        std::find(outstanding_.begin(), outstanding_.end(), s) == outstanding_.end();
    if (is_new && makes_loads(segment) && outstanding_.size() < kMost) outstanding_.push_back(s);
  }

  static void add(std::size_t earlier, double times, std::vector<OutstandingLoads>& to) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const OutstandingLoads& loads) {
      return loads.segment == earlier;
    });
    if (known != to.end()) {
      known->share += times;
    } else {
      to.push_back({earlier, times});
    }
  }

  const Launch& launch_;
  std::vector<std::vector<OutstandingLoads>> before_;
  std::vector<double> executions_;  // [Launch::segments]
  std::vector<std::size_t> outstanding_;
};

}  // namespace

std::vector<std::vector<OutstandingLoads>> outstanding_before(const Launch& launch) {
  Walk walk(launch);
  for (const WarpKind& kind : launch.warp_kinds) {
    walk.begin();
    walk.follow(kind.program, static_cast<double>(kind.warps));
  }
  return walk.take();
}

}  // namespace pnsim
