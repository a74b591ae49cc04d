#include "simulator/model/launch/executions.h"

#include <algorithm>
#include <map>

namespace pnsim {

void add_executions(const std::vector<ProgramItem>& program, double times,
                    std::vector<double>& to) {
  for_each_item(program, [&](const ProgramPlace& place) {
    if (place.item.segment)
      to[*place.item.segment] += times * static_cast<double>(place.executions);
  });
}

std::vector<double> executions_of(const Launch& launch) {
  std::vector<double> executions(launch.segments.size(), 0.0);
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (place.item.segment)
      executions[*place.item.segment] += static_cast<double>(place.executions);
  });
  return executions;
}

std::vector<bool> straight_segments(const Launch& launch) {
  std::vector<bool> is_straight(launch.segments.size(), true);
  for (const WarpKind& kind : launch.warp_kinds) {
    for (const ProgramItem& outermost : kind.program) {
      if (outermost.repeat <= 1) continue;
      for_each_item(only(outermost), [&](const ProgramPlace& place) {
        if (place.item.segment && place.executions > 0) is_straight[*place.item.segment] = false;
      });
    }
  }
  return is_straight;
}

namespace {

// Warps are no longer in step after the first access or the first loop.
void mark_opening(const std::vector<ProgramItem>& program, const std::vector<Segment>& segments,
                  std::vector<bool>& opens) {
  for (const ProgramItem& item : program) {
    if (item.repeat > 1 || !item.segment) return;
    opens[*item.segment] = true;
    if (!segments[*item.segment].accesses.empty()) return;
  }
}

}  // namespace

std::vector<bool> opening_segments(const Launch& launch) {
  std::vector<bool> opens(launch.segments.size(), false);
  for (const WarpKind& kind : launch.warp_kinds) mark_opening(kind.program, launch.segments, opens);
  return opens;
}

namespace {

// Adds warps and blocks that execute segments, block after block.
class ExecutingWarps {
 public:
  explicit ExecutingWarps(const Launch& launch)
      : kinds_(launch.warp_kinds.size()),
        warps_(launch.segments.size()),
        blocks_(launch.segments.size()) {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      std::vector<double> executions(launch.segments.size());
      add_executions(launch.warp_kinds[k].program, 1, executions);
      for (std::size_t s = 0; s < executions.size(); ++s) {
        if (executions[s] > 0) kinds_[k].push_back(s);
      }
    }
    launch.block_kinds.empty() ? add_in_order(launch) : add_blocks(launch);
  }

  std::vector<double> means() const {
    std::vector<double> out(warps_.size(), 1.0);
    for (std::size_t s = 0; s < out.size(); ++s) {
      if (blocks_[s] > 0) out[s] = std::max(warps_[s] / blocks_[s], 1.0);
    }
    return out;
  }

 private:
  void add_blocks(const Launch& launch) {
    for (const BlockKind& block : launch.block_kinds) {
      std::map<std::size_t, std::int64_t> warps;  // that execute a segment
      for (const BlockKind::Warps& of : block.warps) {
        for (const std::size_t s : kinds_[of.kind]) warps[s] += of.count;
      }
      for (const auto& [s, count] : warps) {
        warps_[s] += static_cast<double>(count) * static_cast<double>(block.blocks);
        blocks_[s] += static_cast<double>(block.blocks);
      }
    }
  }

  // The kinds are in warp order, so a block may have warps of several.
  void add_in_order(const Launch& launch) {
    const std::int64_t width = launch.warps_per_block();
    std::vector<std::int64_t> counted(warps_.size());  // blocks, from the first one on
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const std::int64_t end = begin + launch.warp_kinds[k].warps;
      const std::int64_t past = (end + width - 1) / width;
      for (const std::size_t s : kinds_[k]) {
        warps_[s] += static_cast<double>(end - begin);
        blocks_[s] += static_cast<double>(
            std::max<std::int64_t>(past - std::max(counted[s], begin / width), 0));
        counted[s] = past;
      }
      begin = end;
    }
  }

  std::vector<std::vector<std::size_t>> kinds_;  // [kind] the segments that its warps execute
  std::vector<double> warps_, blocks_;           // [segment] that execute it
};

}  // namespace

std::vector<double> executing_warps(const Launch& launch) { return ExecutingWarps(launch).means(); }

double counter_of(const Launch& launch, const char* name) {
  const auto it = launch.counters.find(name);
  return it == launch.counters.end() ? 0 : static_cast<double>(it->second);
}

}  // namespace pnsim
