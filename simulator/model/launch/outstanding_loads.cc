#include "simulator/model/launch/outstanding_loads.h"

#include <algorithm>
#include <utility>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

constexpr std::size_t kMost = 16;  // segments with outstanding loads, and cases: bounds on the work

bool waits_for_loads(const Segment& segment) {
  return std::any_of(segment.waits_for.begin(), segment.waits_for.end(),
                     [](LateResult result) { return is_load(result); });
}

bool outlive_a_wait(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) { return access.outlives_wait; });
}

bool makes_loads(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) { return is_global_load(class_of(access)); });
}

// Warps walk through their programs. A body is walked through twice: once for the first iteration
// and once for all others; in deep loops once, since the walk doubles with each loop around.
class Walk {
 public:
  explicit Walk(const Launch& launch)
      : launch_(launch), before_(launch.segments.size()), executions_(launch.segments.size()) {}

  void begin() {
    lose_overtaken();
    outstanding_.clear();
  }
  void follow(const std::vector<ProgramItem>& program, double times, int depth = 0) {
    constexpr int kMostDoubled = 8;
    for (const ProgramItem& item : program) {
      if (item.repeat <= 0) continue;
      const auto repeats = static_cast<double>(item.repeat);
      const bool is_doubled = item.repeat > 1 && depth < kMostDoubled;
      follow_once(item, is_doubled ? times : times * repeats, depth);
      if (is_doubled) follow_once(item, times * (repeats - 1), depth);
    }
  }
  // Sums of executions become shares of them.
  std::vector<LoadsBefore> take() {
    lose_overtaken();
    for (std::size_t s = 0; s < before_.size(); ++s) {
      if (executions_[s] <= 0) continue;
      for (OvertakenLoads& one : before_[s].overtaken)
        one.share = std::min(one.share / executions_[s], 1.0);
    }
    return std::move(before_);
  }

 private:
  void lose_overtaken() {
    for (const std::size_t other : overtaken_) before_[other].loses_loads = true;
    overtaken_.clear();
  }
  void follow_once(const ProgramItem& item, double times, int depth) {
    if (item.segment) {
      visit(*item.segment, times);
    } else {
      follow(item.body, times, depth + 1);
    }
  }

  void visit(std::size_t s, double times) {
    const Segment& segment = launch_.segments[s];
    if (waits_for_loads(segment)) {
      lose_overtaken();
      for (const std::size_t other : outstanding_) {
        if (outlive_a_wait(launch_.segments[other])) overtaken_.push_back(other);
      }
      awaited_ = std::move(outstanding_);
      outstanding_.clear();
    }
    executions_[s] += times;
    if (!makes_loads(segment)) return;
    if (!overtaken_.empty()) add_case(s, {std::move(overtaken_), awaited_, times});
    overtaken_.clear();
    if (!add_some(s, outstanding_)) before_[s].loses_loads = true;
  }

  void add_case(std::size_t s, OvertakenLoads now) {
    std::vector<OvertakenLoads>& cases = before_[s].overtaken;
    std::sort(now.segments.begin(), now.segments.end());
    std::sort(now.awaited.begin(), now.awaited.end());
    const auto same = std::find_if(cases.begin(), cases.end(), [&](const OvertakenLoads& one) {
      return one.segments == now.segments && one.awaited == now.awaited;
    });
    if (same != cases.end()) {
      same->share += now.share;
    } else if (cases.size() < kMost) {
      cases.push_back(std::move(now));
    } else {
      nearest_case(cases, now).share += now.share;
    }
  }

  // The case that has most of its segments in common.
  static OvertakenLoads& nearest_case(std::vector<OvertakenLoads>& cases,
                                      const OvertakenLoads& now) {
    const auto common = [&](const OvertakenLoads& one) {
      return std::count_if(one.segments.begin(), one.segments.end(), [&](std::size_t segment) {
        return std::binary_search(now.segments.begin(), now.segments.end(), segment);
      });
    };
    return *std::max_element(
        cases.begin(), cases.end(),
        [&](const OvertakenLoads& a, const OvertakenLoads& b) { return common(a) < common(b); });
  }

  static bool add_some(std::size_t segment, std::vector<std::size_t>& to) {
    if (to.size() >= kMost) return false;
    add(segment, to);
    return true;
  }
  static void add(std::size_t segment, std::vector<std::size_t>& to) {
    if (std::find(to.begin(), to.end(), segment) == to.end()) to.push_back(segment);
  }

  const Launch& launch_;
  std::vector<LoadsBefore> before_;
  std::vector<double> executions_;  // [Launch::segments]
  std::vector<std::size_t> outstanding_;
  std::vector<std::size_t> overtaken_, awaited_;  // at the last wait
};

}  // namespace

std::vector<LoadsBefore> loads_before(const Launch& launch) {
  Walk walk(launch);
  for (const WarpKind& kind : launch.warp_kinds) {
    walk.begin();
    walk.follow(kind.program, static_cast<double>(kind.warps));
  }
  return walk.take();
}

}  // namespace pnsim
