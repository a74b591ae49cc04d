#include "simulator/model/waves.h"

#include <algorithm>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// Which kind a warp of the launch is.
class KindFinder {
 public:
  explicit KindFinder(const Launch& launch) : launch_(launch) {
    for (const BlockKind& kind : launch.block_kinds) add(kind.blocks * launch.warps_per_block());
    if (!launch.block_kinds.empty()) return;
    for (const WarpKind& kind : launch.warp_kinds) add(kind.warps);
  }

  std::size_t kind_of(std::int64_t warp) const {
    const auto it = std::upper_bound(ends_.begin(), ends_.end(), warp);
    const auto found = static_cast<std::size_t>(it - ends_.begin());
    if (launch_.block_kinds.empty()) return found;
    std::int64_t place = warp % launch_.warps_per_block();
    for (const auto& [kind, count] : launch_.block_kinds[found].warps) {
      if (place < count) return kind;
      place -= count;
    }
    return 0;
  }

 private:
  void add(std::int64_t warps) { ends_.push_back(warps + (ends_.empty() ? 0 : ends_.back())); }

  const Launch& launch_;
  std::vector<std::int64_t> ends_;  // first warp of the launch after these blocks, or this kind
};

Wave make_wave(const Launch& launch, std::int64_t blocks) {
  const std::int64_t count = blocks * launch.warps_per_block();
  if (count > kMaxWarps) {
    fail_input("kernel " + launch.kernel, "found " + std::to_string(count) +
                                              " warps on one SM, expected at most " +
                                              std::to_string(kMaxWarps));
  }
  std::vector<InstructionCounts> of_kind;
  for (const WarpKind& kind : launch.warp_kinds) {
    of_kind.push_back(total_counts(kind.program, "kernel " + launch.kernel));
  }
  const KindFinder kinds(launch);
  Wave wave{blocks, {}};
  const __int128 all = launch.grid * launch.warps_per_block();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto stands_for = static_cast<std::int64_t>((2 * i + 1) * all / (2 * count));
    wave.warps.push_back(of_kind[kinds.kind_of(stands_for)]);
  }
  return wave;
}

}  // namespace

LaunchWaves launch_waves(const Launch& launch, std::int64_t sms) {
  const std::int64_t blocks = (launch.grid + sms - 1) / sms;
  const std::int64_t at_once = std::min(blocks, launch.resident_blocks);
  LaunchWaves waves;
  waves.full_waves = blocks / at_once;
  waves.full = make_wave(launch, at_once);
  if (blocks % at_once != 0) waves.tail = make_wave(launch, blocks % at_once);
  return waves;
}

}  // namespace pnsim
