#include "experiments/run/grid.h"

#include <algorithm>

namespace pnsim::experiments {

std::vector<JudgedCell> judge(std::span<const PointResult> results, std::span<const GridCell> cells,
                              const ParameterValues& reference) {
  std::vector<JudgedCell> judged;
  for (const GridCell& cell : cells) {
    std::vector<PointResult> mine(results.begin(), results.end());
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i].steps = cell.steps.at(i);
    JudgedCell out;
    out.parameters = cell.parameters;
    out.us_per_step = fit_us_per_step(mine);
    out.training = summarize_errors(mine, out.us_per_step, Subset::kTraining);
    out.held_out = summarize_errors(mine, out.us_per_step, Subset::kHeldOut);
    out.held_out_ranking = agreement(rank_programs(mine), Subset::kHeldOut);
    out.correlation = correlate(mine);
    out.is_reference = cell.parameters == reference;
    judged.push_back(std::move(out));
  }
  const auto best = std::min_element(
      judged.begin(), judged.end(),
      [](const JudgedCell& a, const JudgedCell& b) { return a.training.mean < b.training.mean; });
  if (best != judged.end()) best->is_best = true;
  return judged;
}

}  // namespace pnsim::experiments
