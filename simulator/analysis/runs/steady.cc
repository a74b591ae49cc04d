#include "simulator/analysis/runs/steady.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pnsim {
namespace {

// The places whose tokens count the blocks of a kind: those that change with one block less.
// Nothing when that changes anything else.
std::optional<std::vector<PlaceId>> places_of_blocks(const NetTemplate& net_template,
                                                     ParameterValues values, std::size_t phase) {
  if (!only_tokens_use(net_template, std::vector<std::string>{"B", "blocks"})) return std::nullopt;
  const Marking all = initial_marking(net_template, values);
  --values.at("B")[0];
  --values.at("blocks")[phase];
  const Marking less = initial_marking(net_template, values);
  std::vector<PlaceId> places;
  for (std::uint32_t p = 0; p < all.size(); ++p) {
    if (all[p] == less[p]) continue;
    if (all[p] - less[p] != 1) return std::nullopt;
    places.push_back(PlaceId{p});
  }
  return places;
}

}  // namespace

SteadyRuns run_steadily(const NetTemplate& net_template, const ParameterValues& values,
                        const RunOptions& options) {
  const std::vector<std::int64_t>& kinds = values.at("blocks");
  const auto most = std::max_element(kinds.begin(), kinds.end());
  AlikeBlocks alike{{}, {}, *most, values.at("R")[0], kMaxLeftOutError};
  RunOptions mine = options;
  // Warps on an SM share more places (block slots) than the lane engine supports.
  mine.lanes = options.gpu != nullptr;  // on a GPU the engine reports the reason
  if (!options.all_blocks && *most > kRoundsLookedAt * alike.resident) {
    const auto phase = static_cast<std::size_t>(most - kinds.begin());
    if (auto places = places_of_blocks(net_template, values, phase); places && !places->empty()) {
      alike.places = std::move(*places);
      mine.alike = &alike;
    }
  }
  const Net net = instantiate(net_template, values, Part::kNotDead);
  // The other goal places become empty only after the last block has ended.
  for (const PlaceId p : net.goal()) {
    if (std::find(alike.places.begin(), alike.places.end(), p) == alike.places.end())
      alike.behind.push_back(p);
  }
  SteadyRuns out{run_replicas(net, mine), values.at("B")[0], values.at("B")[0], 0};
  for (const RunResult& run : out.runs.runs) {
    out.simulated = std::min(out.simulated, out.blocks - run.blocks_left_out);
    out.error_bound = std::max(out.error_bound, run.left_out_error);
  }
  return out;
}

}  // namespace pnsim
