#include "simulator/model/paper/waves.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/launch/deal_out.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {
namespace {

// Kinds of warps in warp order. If the launch has kinds of blocks, a net without blocks cannot use
// them: it gets the sums, dealt out class by class as for any profile.
std::vector<WarpKind> kinds_in_order(const Launch& launch) {
  if (launch.block_kinds.empty()) return launch.warp_kinds;
  const std::string where = "kernel " + launch.kernel;
  std::vector<ProgramItem> all;
  for (const WarpKind& kind : launch.warp_kinds) {
    all.push_back({kind.warps, total_counts(kind.program, where), {}});
  }
  return deal_out(total_counts(all, where), launch.grid * launch.warps_per_block());
}

Wave make_wave(const Launch& launch, std::int64_t blocks) {
  const std::int64_t count = blocks * launch.warps_per_block();
  if (count > kMaxWarps) {
    fail_input("kernel " + launch.kernel, "found " + std::to_string(count) +
                                              " warps on one SM, expected at most " +
                                              std::to_string(kMaxWarps));
  }
  std::vector<InstructionCounts> of_kind;
  std::vector<std::int64_t> end_of_kind;  // first warp of the launch after this kind
  for (const WarpKind& kind : kinds_in_order(launch)) {
    of_kind.push_back(total_counts(kind.program, "kernel " + launch.kernel));
    end_of_kind.push_back(kind.warps + (end_of_kind.empty() ? 0 : end_of_kind.back()));
  }
  Wave wave{blocks, {}};
  const __int128 all = end_of_kind.back();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto stands_for = static_cast<std::int64_t>((2 * i + 1) * all / (2 * count));
    const auto kind = std::upper_bound(end_of_kind.begin(), end_of_kind.end(), stands_for);
    wave.warps.push_back(of_kind[static_cast<std::size_t>(kind - end_of_kind.begin())]);
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
