#include "simulator/analysis/check/check_runs.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/error.h"
#include "simulator/base/table.h"
#include "simulator/engine/fast_engine.h"
#include "simulator/net/groups.h"
#include "simulator/net/invariants.h"

namespace pnsim {
namespace {

// Watches the runs of one net within a common budget of work.
class Watch {
 public:
  Watch(const Net& net, const WatchOptions& options)
      : net_(net), options_(options), log_(net), changes_(net.transition_count()) {
    out_.fired.resize(net.transition_count());
    out_.enabled_at_end.resize(net.transition_count());
    for (std::uint32_t t = 0; t < changes_.size(); ++t) {
      changes_[t] = !effect_of(net, TransitionId{t}).empty();
    }
  }

  WatchedRuns run() {
    try {
      for (std::uint32_t replica = 0; replica < options_.replicas; ++replica) {
        const std::uint64_t before = work_;
        out_.runs.push_back(run_one({.seed = options_.seed, .replica = replica, .stream = 0}));
        // The rest of the budget would not suffice for another such run.
        if (2 * work_ - before > options_.max_work) break;
      }
    } catch (const Error& error) {
      if (error.code() != ExitCode::kLimit) throw;
      out_.error = error.what();
    }
    out_.conflicts = log_.counts();
    note_enabled_at_end();
    return std::move(out_);
  }

 private:
  WatchedRun run_one(RunId id);
  bool is_over(const FastEngine& engine, std::span<const TransitionId> fired) const;
  void note_enabled_at_end();

  const Net& net_;
  WatchOptions options_;
  ConflictLog log_;
  std::vector<char> changes_;  // [transition] whether a firing changes the marking
  std::uint64_t work_ = 0;
  WatchedRuns out_;
};

// Whether the step drew nothing and changed nothing, so that every further step is the same.
bool Watch::is_over(const FastEngine& engine, std::span<const TransitionId> fired) const {
  return !engine.has_conflicts() && std::none_of(fired.begin(), fired.end(),
                                                 [&](TransitionId t) { return changes_[t.value]; });
}

WatchedRun Watch::run_one(RunId id) {
  FastEngine engine(net_, id);
  RunCounter counter(net_, id);
  while (true) {
    const bool spent = work_ > options_.max_work;
    if (const auto outcome = engine.outcome(spent ? engine.steps() : options_.max_steps)) {
      return {counter.result(*outcome, engine.marking()), false};
    }
    const std::span<const TransitionId> fired = engine.choose();
    work_ += 16 + changes_.size() / 64 + engine.enabled_count();
    for (const TransitionId t : fired) out_.fired[t.value] = true;
    if (is_over(engine, fired)) {
      return {counter.result(Outcome::kLimit, engine.marking()), true};
    }
    engine.add_conflicts_to(log_);
    counter.count_step(engine.marking(), fired);
    engine.fire();
  }
}

void Watch::note_enabled_at_end() {
  StepPlan plan(net_);
  for (const WatchedRun& run : out_.runs) {
    if (!run.has_ended()) continue;
    plan.examine(run.result.final_marking);
    for (const TransitionId t : plan.enabled()) out_.enabled_at_end[t.value] = true;
  }
}

// Whether any transition consumes tokens of the place. [place]
std::vector<char> used_places(const Net& net) {
  std::vector<char> used(net.place_count());
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    for (const Arc& arc : net.inputs(TransitionId{t})) used[arc.place.value] = true;
  }
  return used;
}

}  // namespace

std::size_t WatchedRuns::ended() const {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run.has_ended(); }));
}

std::size_t WatchedRuns::repeating() const {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run.repeats; }));
}

std::size_t WatchedRuns::with_outcome(Outcome outcome) const {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [&](const auto& run) { return run.result.outcome == outcome; }));
}

WatchedRuns watch_runs(const Net& net, const WatchOptions& options) {
  return Watch(net, options).run();
}

std::vector<Residue> residue_of(const Net& net, const WatchedRuns& watched) {
  const NodeGroups groups = place_groups(net);
  const std::vector<char> used = used_places(net);
  const auto runs = static_cast<double>(watched.ended());
  std::vector<Residue> all(groups.names.size());
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    Residue& residue = all[groups.group_of[p]];
    const Tokens initial = net.initial_marking()[p];
    bool is_marked = false;
    for (const WatchedRun& run : watched.runs) {
      if (!run.has_ended()) continue;
      const Tokens left = run.result.final_marking[p];
      is_marked |= left > 0;
      residue.mean_tokens += static_cast<double>(left) / runs;
      residue.is_left_behind |= used[p] && left > initial;
    }
    residue.place = groups.names[groups.group_of[p]];
    residue.instances += is_marked ? 1 : 0;
    residue.initial_tokens += static_cast<double>(initial);
  }
  std::erase_if(all, [](const Residue& residue) { return residue.instances == 0; });
  return all;
}

std::string tokens_text(double tokens) {
  const bool is_whole = tokens == std::floor(tokens) && tokens < 1e15;
  return is_whole ? grouped(static_cast<long long>(tokens)) : significant(tokens, 4);
}

}  // namespace pnsim
