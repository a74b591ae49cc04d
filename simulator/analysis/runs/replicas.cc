#include "simulator/analysis/runs/replicas.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "simulator/analysis/runs/gpu_use.h"
#include "simulator/analysis/runs/simd_use.h"
#include "simulator/base/activity.h"
#include "simulator/base/parallel.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/run.h"

namespace pnsim {
namespace {

constexpr std::size_t kRunsOfJob = 4;

// `runner` is null for the reference engine.
RunResult run_one(const Net& net, RunId id, const RunOptions& options, FastRunner* runner,
                  ConflictLog* log) {
  if (options.alike) {
    return runner ? run_incremental(net, id, options.max_steps, log, *options.alike)
                  : run_reference(net, id, options.max_steps, log, *options.alike);
  }
  const AtFixedMarking at_fixed = options.ends_fixed ? AtFixedMarking::kEnd : AtFixedMarking::kGoOn;
  if (!runner) return run_reference(net, id, options.max_steps, log, options.units, at_fixed);
  if (options.units.empty() && !options.ends_fixed) return runner->run(id, options.max_steps, log);
  return run_incremental(net, id, options.max_steps, log, options.units, at_fixed);
}

// The engines for lanes, SIMD and GPU know no fixed marking; most nets have none.
RunOptions suited_to(const Net& net, RunOptions options) {
  options.ends_fixed = options.ends_fixed && may_end_fixed(net);
  if (!options.ends_fixed) return options;
  options.lanes = options.simd = false;
  options.gpu = nullptr;
  return options;
}

}  // namespace

ReplicaRuns run_replicas(const Net& net, const RunOptions& wanted) {
  const RunOptions options = suited_to(net, wanted);
  ReplicaRuns out{std::vector<RunResult>(options.replicas), Outcome::kGoal, {}};
  std::optional<ConflictLog> conflicts;
  if (options.log_conflicts) conflicts.emplace(net);
  const bool fast = options.engine != EngineKind::kReference;
  std::optional<FastRunner> first;
  if (fast) first.emplace(net, options.lanes);
  std::vector<std::uint32_t> left(options.replicas);  // positions left for the CPU
  std::iota(left.begin(), left.end(), 0u);
  if (first && options.gpu && options.units.empty() && !options.alike) {
    left = run_on_gpu(*first, options, out.runs, conflicts ? &*conflicts : nullptr);
  }
  if (first && left.size() == options.replicas && !options.alike) {
    left = run_in_simd(net, *first, options, out.runs, conflicts ? &*conflicts : nullptr);
  }
  std::mutex mutex;
  // The runs of one job share the transition tables that the runner builds.
  const std::size_t jobs = (left.size() + kRunsOfJob - 1) / kRunsOfJob;
  Task task("replicas", left.size());
  parallel_for(jobs, options.threads, [&](std::size_t job) {
    std::optional<FastRunner> runner = first;
    std::optional<ConflictLog> log;
    if (conflicts && jobs > 1) log.emplace(net);
    ConflictLog* const to = log ? &*log : conflicts ? &*conflicts : nullptr;
    const std::size_t end = std::min(left.size(), (job + 1) * kRunsOfJob);
    for (std::size_t k = job * kRunsOfJob; k < end; ++k) {
      const std::uint32_t i = left[k];
      const RunId id{options.seed, options.first_replica + i, options.stream};
      out.runs[i] = run_one(net, id, options, runner ? &*runner : nullptr, to);
      task.add_done();
      if (i >= kMaxFinalMarkings) out.runs[i].final_marking = {};
    }
    if (!log) return;
    const std::lock_guard lock(mutex);  // sums do not depend on the order
    conflicts->add(*log);
  });
  for (const RunResult& run : out.runs) out.outcome = std::min(out.outcome, run.outcome);
  if (conflicts) out.conflicts = conflicts->counts();
  return out;
}

void add_conflicts(ConflictCounts& sum, const ConflictCounts& more) {
  for (const auto& [place, count] : more) {
    auto it = std::find_if(sum.begin(), sum.end(),
                           [&, &name = place](const auto& e) { return e.first == name; });
    if (it == sum.end()) it = sum.insert(sum.end(), {place, {}});
    it->second.times += count.times;
    it->second.transitions.insert(count.transitions.begin(), count.transitions.end());
    for (const auto& [transition, won] : count.won) it->second.won[transition] += won;
  }
}

}  // namespace pnsim
