#include "simulator/analysis/runs/gpu_use.h"

#include <algorithm>
#include <numeric>

#include "simulator/base/error.h"
#include "simulator/base/table.h"
#include "simulator/engine/gpu_replicas.h"

namespace pnsim {
namespace {

std::string count_of_runs(std::uint64_t runs) {
  return grouped(static_cast<long long>(runs)) + (runs == 1 ? " run" : " runs");
}

std::vector<std::uint32_t> all_positions(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

bool same_results(const RunResult& a, const RunResult& b) {
  return a.outcome == b.outcome && a.steps == b.steps && a.firings == b.firings &&
         a.waiting_steps == b.waiting_steps && a.idle_scheduler_steps == b.idle_scheduler_steps &&
         a.final_marking == b.final_marking;
}

// The position of the run that is made on both. It varies with the seed, the stream and the
// replicas of a call. The run has a final marking.
std::uint32_t sample_of(const RunOptions& options) {
  const std::size_t kept = std::min<std::size_t>(options.replicas, kMaxFinalMarkings);
  return static_cast<std::uint32_t>((options.seed + options.stream + options.first_replica) % kept);
}

void compare_with_cpu(const FastRunner& runner, const RunOptions& options, const RunResult& found) {
  FastRunner here(runner);
  if (same_results(here.run(found.id, options.max_steps), found)) return;
  throw Error(ExitCode::kInternal, "a run on the GPU differs from the CPU's (seed " +
                                       std::to_string(found.id.seed) + ", replica " +
                                       std::to_string(found.id.replica) + ", stream " +
                                       std::to_string(found.id.stream) + ")");
}

}  // namespace

void GpuUse::add_left(std::uint64_t runs, const std::string& why) {
  if (runs == 0) return;
  left_ += runs;
  const std::lock_guard lock(mutex_);
  if (why_.empty()) why_ = why;
}

std::string GpuUse::text() const {
  std::string text = count_of_runs(on_gpu_) + " on the GPU";
  if (checked_ > 0) text += ", " + std::to_string(checked_) + " of them compared with the CPU's";
  if (left_ > 0) {
    const std::lock_guard lock(mutex_);
    text += "; " + count_of_runs(left_) + " on the CPU: " + why_;
  }
  return text;
}

std::vector<std::uint32_t> run_on_gpu(const FastRunner& runner, const RunOptions& options,
                                      std::vector<RunResult>& runs, ConflictLog* log) {
  const auto leave_all = [&](const std::string& why) {
    options.gpu->add_left(options.replicas, why);
    return all_positions(options.replicas);
  };
  if (log && !runner.names_match())
    return leave_all("instances do not have their template's names");
  const GpuReplicas replicas(runner);
  if (!replicas.why_not().empty()) return leave_all("the net does not fit: " + replicas.why_not());
  if (options.replicas < replicas.fewest_that_pay()) {
    return leave_all("fewer than " + std::to_string(replicas.fewest_that_pay()) +
                     " replicas of a net run faster on the CPU");
  }
  GpuReplicas::Runs made = replicas.run({.seed = options.seed,
                                         .stream = options.stream,
                                         .first = options.first_replica,
                                         .count = options.replicas,
                                         .max_steps = options.max_steps,
                                         .kept = kMaxFinalMarkings,
                                         .on_gpu = options.gpu->on_gpu()},
                                        log);
  if (!made.fault.empty()) return leave_all(made.fault);
  const std::uint32_t sample = sample_of(options);
  const bool is_left = std::binary_search(made.left.begin(), made.left.end(), sample);
  if (!is_left) compare_with_cpu(runner, options, made.runs[sample]);
  runs = std::move(made.runs);
  options.gpu->add_runs(options.replicas - made.left.size(), is_left ? 0 : 1);
  options.gpu->add_left(made.left.size(), "their end or a conflict is not in the GPU's tables");
  return std::move(made.left);
}

}  // namespace pnsim
