#include "simulator/analysis/steady.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace pnsim {
namespace {

constexpr std::int64_t kFirstRounds = 2;  // of resident blocks: a and w to begin with

// Runs with other numbers of blocks of one kind. Their nets differ in the initial tokens alone, unless a
// template does something else with these numbers: so a net is made once.
class BlockRuns {
 public:
  BlockRuns(const NetTemplate& net_template, ParameterValues values, std::size_t phase,
            const RunOptions& options)
      : template_(net_template),
        values_(std::move(values)),
        phase_(phase),
        options_(options),
        only_tokens_(only_tokens_use(net_template, std::vector<std::string>{"B", "blocks"})) {}

  // With `blocks` of the kind. Who competed with whom is asked of the last run alone.
  ReplicaRuns run(std::int64_t blocks, bool is_last) {
    std::int64_t& kind = values_.at("blocks")[phase_];
    values_.at("B")[0] -= kind - blocks;
    kind = blocks;
    std::optional<Marking> marking;
    if (net_ && only_tokens_) marking = initial_marking(template_, values_);
    if (marking && is_of_net(*marking)) {
      net_ = std::move(*net_).with_initial_marking(std::move(*marking));
    } else {
      net_ = instantiate(template_, values_, Part::kNotDead);
    }
    RunOptions options = options_;
    options.log_conflicts = options.log_conflicts && is_last;
    // Warps that share the slots of blocks, and an SM, share more places than lanes may.
    options.lanes = options.gpu != nullptr;  // which says why not
    return run_replicas(*net_, options);
  }

 private:
  // Who is dead in the net may be alive where it had no tokens to begin with.
  bool is_of_net(const Marking& marking) const {
    const Marking& first = net_->initial_marking();
    for (std::size_t p = 0; p < marking.size(); ++p) {
      if (first[p] == 0 && marking[p] != 0) return false;
    }
    return true;
  }

  const NetTemplate& template_;
  ParameterValues values_;
  std::size_t phase_;
  const RunOptions& options_;
  bool only_tokens_;
  std::optional<Net> net_;
};

double mean_steps(const ReplicaRuns& runs) {
  double sum = 0;
  for (const RunResult& run : runs.runs) sum += static_cast<double>(run.steps);
  return sum / static_cast<double>(runs.runs.size());
}

std::uint64_t further(std::uint64_t first, std::uint64_t last, double times) {
  const double grown = static_cast<double>(last) - static_cast<double>(first);
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(last) + times * grown));
}

// `last` and `times` more of what it has over `first`.
void extend(const ReplicaRuns& first, ReplicaRuns& last, double times) {
  const auto grow = [&](std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& from) {
    if (to && from) to = further(*from, *to, times);
  };
  for (std::size_t r = 0; r < last.runs.size(); ++r) {
    RunResult& run = last.runs[r];
    const RunResult& from = first.runs[r];
    run.steps = further(from.steps, run.steps, times);
    run.firings = further(from.firings, run.firings, times);
    grow(run.waiting_steps, from.waiting_steps);
    grow(run.idle_scheduler_steps, from.idle_scheduler_steps);
  }
}

}  // namespace

SteadyRuns run_steadily(const NetTemplate& net, ParameterValues values, const RunOptions& options) {
  const std::vector<std::int64_t>& kinds = values.at("blocks");
  const auto most = std::max_element(kinds.begin(), kinds.end());
  const auto phase = static_cast<std::size_t>(most - kinds.begin());
  const std::int64_t blocks = *most, all = values.at("B")[0], resident = values.at("R")[0];
  BlockRuns runs(net, std::move(values), phase, options);
  std::optional<ReplicaRuns> known;  // with a blocks
  for (std::int64_t a = kFirstRounds * resident;; a *= 2) {
    // Three runs of 6 a blocks in all, against one of `blocks`.
    if (options.all_blocks || blocks < 8 * a) {
      return {runs.run(blocks, true), all, all, 0};
    }
    const ReplicaRuns one = known ? std::move(*known) : runs.run(a, false);
    ReplicaRuns two = runs.run(2 * a, false);
    ReplicaRuns three = runs.run(3 * a, true);
    const auto left_out = static_cast<double>(blocks - 3 * a) / static_cast<double>(a);  // times a
    const double first = mean_steps(two) - mean_steps(one);
    const double second = mean_steps(three) - mean_steps(two);
    const double steps = mean_steps(three) + left_out * (first + second) / 2;
    const double bound = std::abs(second - first) / 2 * left_out / std::max(steps, 1.0);
    if (three.outcome != Outcome::kGoal || bound > kMaxLeftOutError) {
      known = std::move(two);
      continue;
    }
    extend(one, three, left_out / 2);
    return {std::move(three), all, all - blocks + 3 * a, bound};
  }
}

}  // namespace pnsim
