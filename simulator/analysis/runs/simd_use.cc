#include "simulator/analysis/runs/simd_use.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "simulator/base/parallel.h"
#include "simulator/engine/simd_replicas.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kMostOfJob = 512;  // so that all threads end at about the same time

std::uint32_t replicas_of_thread(const RunOptions& options) {
  const unsigned threads =
      options.threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : options.threads;
  return options.replicas / threads;
}

SimdReplicas::Request request_of_job(const RunOptions& options, std::uint32_t begin,
                                     std::uint32_t of_job) {
  return {.seed = options.seed,
          .stream = options.stream,
          .first = options.first_replica + begin,
          .count = std::min(of_job, options.replicas - begin),
          .max_steps = options.max_steps,
          .kept = begin < kMaxFinalMarkings ? static_cast<std::uint32_t>(kMaxFinalMarkings) - begin
                                            : 0};
}

}  // namespace

std::vector<std::uint32_t> run_in_simd(const Net& net, const FastRunner& runner,
                                       const RunOptions& options, std::vector<RunResult>& runs,
                                       ConflictLog* log) {
  std::vector<std::uint32_t> left(options.replicas);
  std::iota(left.begin(), left.end(), 0u);
  const std::uint32_t of_thread = replicas_of_thread(options);
  const bool is_asked =
      options.simd && options.units.empty() && of_thread >= SimdReplicas::kFewestThatPay;
  if (!is_asked || (log && !runner.names_match())) return left;
  const SimdReplicas replicas(runner);
  if (!replicas.why_not().empty() || !replicas.pays()) return left;
  left.clear();
  constexpr std::uint32_t kFull = SimdReplicas::kSideBySide;
  const std::uint32_t of_job = std::min((of_thread + kFull - 1) / kFull * kFull, kMostOfJob);
  std::mutex mutex;
  parallel_for((options.replicas + of_job - 1) / of_job, options.threads, [&](std::size_t job) {
    const auto begin = static_cast<std::uint32_t>(job) * of_job;
    std::optional<ConflictLog> mine;
    if (log) mine.emplace(net);
    auto made = replicas.run(request_of_job(options, begin, of_job), mine ? &*mine : nullptr);
    std::move(made.runs.begin(), made.runs.end(), runs.begin() + begin);
    const std::lock_guard lock(mutex);  // sums do not depend on the order
    for (const std::uint32_t i : made.left) left.push_back(begin + i);
    if (log) log->add(*mine);
  });
  std::sort(left.begin(), left.end());
  return left;
}

}  // namespace pnsim
