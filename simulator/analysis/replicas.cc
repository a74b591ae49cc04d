#include "simulator/analysis/replicas.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/parallel.h"

namespace pnsim {

EngineKind parse_engine(const std::string& name) {
  if (name == "auto") return EngineKind::kAuto;
  if (name == "reference") return EngineKind::kReference;
  if (name == "fast") return EngineKind::kFast;
  const std::vector<std::string> known{"auto", "reference", "fast"};
  fail_usage("unknown engine \"" + name + "\"" + suggestion(name, known));
}

std::string engine_name(EngineKind kind) {
  return kind == EngineKind::kReference ? "reference" : "fast";
}

ReplicaRuns run_replicas(const Net& net, const RunOptions& options) {
  const auto run_net = options.engine == EngineKind::kReference ? run_reference : run_fast;
  ReplicaRuns out{std::vector<RunResult>(options.replicas), Outcome::kGoal, {}};
  std::vector<ConflictCounts> conflicts(options.replicas);
  parallel_for(options.replicas, options.threads, [&](std::size_t i) {
    const RunId id{options.seed, options.first_replica + static_cast<std::uint32_t>(i),
                   options.stream};
    if (!options.log_conflicts) {
      out.runs[i] = run_net(net, id, options.max_steps, nullptr);
      return;
    }
    ConflictLog log(net);
    out.runs[i] = run_net(net, id, options.max_steps, &log);
    conflicts[i] = log.counts();
  });
  for (const RunResult& run : out.runs) out.outcome = std::min(out.outcome, run.outcome);
  for (const ConflictCounts& counts : conflicts) add_conflicts(out.conflicts, counts);
  return out;
}

void add_conflicts(ConflictCounts& sum, const ConflictCounts& more) {
  for (const auto& [place, count] : more) {
    auto it = std::find_if(sum.begin(), sum.end(), [&](const auto& e) { return e.first == place; });
    if (it == sum.end()) it = sum.insert(sum.end(), {place, {}});
    it->second.times += count.times;
    it->second.transitions.insert(count.transitions.begin(), count.transitions.end());
    for (const auto& [transition, won] : count.won) it->second.won[transition] += won;
  }
}

}  // namespace pnsim
