#include "simulator/analysis/predict/predict.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "simulator/analysis/runs/steady.h"
#include "simulator/base/activity.h"
#include "simulator/base/error.h"
#include "simulator/base/parallel.h"
#include "simulator/base/stats.h"
#include "simulator/base/table.h"
#include "simulator/model/cost/tensor_clock.h"
#include "simulator/model/launch/reshape.h"
#include "simulator/model/paper/count_programs.h"
#include "simulator/model/sm/sm_parameters.h"
#include "simulator/model/template/unit_states_of.h"

namespace pnsim {
namespace {

// One net to simulate with one stream. `runs` is filled in later.
struct WaveJob {
  const NetTemplate* net_template;
  ParameterValues values;
  std::uint32_t stream;
  SteadyRuns result;
  std::vector<std::uint32_t> row_numbers = {};  // RowSegments::numbers; empty: not counted
};

// A hash of everything that the runs of a job depend on, except the options.
std::size_t hash_of(const WaveJob& job) {
  std::size_t hash = std::hash<std::string>{}(job.net_template->file) + job.stream;
  for (const auto& [name, values] : job.values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(values[0]));
    hash = 31 * (31 * hash + std::hash<std::string>{}(name)) + std::hash<std::string_view>{}(bytes);
  }
  return hash;
}

bool is_same(const WaveJob& a, const WaveJob& b) {
  return a.net_template->file == b.net_template->file && a.stream == b.stream &&
         a.values == b.values && a.row_numbers == b.row_numbers;
}

// Reduces a list of equal values to one value, so that equal nets have equal parameters.
std::vector<std::int64_t> shortened(std::vector<std::int64_t> values) {
  const bool equal = std::all_of(values.begin(), values.end(),
                                 [&](std::int64_t v) { return v == values.front(); });
  if (equal) values.resize(1);
  return values;
}

ParameterValues wave_values(ParameterValues values, Wave wave, const CountChanges& changes,
                            const InstructionCounts& more) {
  change_counts(changes, wave.warps);
  values["W"] = {static_cast<std::int64_t>(wave.warps.size())};
  std::vector<std::int64_t> xa, xs, xg;
  for (const InstructionCounts& counts : wave.warps) {
    xa.push_back(counts.arithmetic + more.arithmetic);
    xs.push_back(counts.shared + more.shared);
    xg.push_back(counts.global + more.global);
  }
  values["xa"] = shortened(std::move(xa));
  values["xs"] = shortened(std::move(xs));
  values["xg"] = shortened(std::move(xg));
  return values;
}

// The distinct jobs of all points.
class JobList {
 public:
  explicit JobList(bool counts_reasons) : counts_reasons_(counts_reasons) {}

  std::size_t add(WaveJob job) {
    const std::size_t hash = hash_of(job);
    for (auto [it, end] = position_.equal_range(hash); it != end; ++it) {
      if (is_same(jobs_[it->second], job)) return it->second;
    }
    position_.emplace(hash, jobs_.size());
    jobs_.push_back(std::move(job));
    return jobs_.size() - 1;
  }

  void run(const RunOptions& options) {
    RunOptions one = options;
    one.threads = 1;
    Task task("simulating", jobs_.size());
    parallel_for(jobs_.size(), options.threads, [&](std::size_t i) {
      WaveJob& job = jobs_[i];
      RunOptions mine = one;
      mine.stream = job.stream;
      const std::vector<UnitStates> units = watched_units(job);
      mine.units = units;
      mine.all_blocks = mine.all_blocks || counts_reasons_;  // skipped blocks have no state times
      job.result = walks_programs(*job.net_template) && job.values.contains("blocks")
                       ? run_steadily(*job.net_template, job.values, mine)
                       : SteadyRuns{run_replicas(instantiate(*job.net_template, job.values), mine)};
      job.values.clear();  // large, and no longer needed
      job.row_numbers = {};
      task.add_done();
    });
  }

  bool counts_reasons() const { return counts_reasons_; }
  std::size_t size() const { return jobs_.size(); }
  const WaveJob& job(std::size_t i) const { return jobs_[i]; }
  const ReplicaRuns& runs(std::size_t i) const { return jobs_[i].result.runs; }
  const SteadyRuns& result(std::size_t i) const { return jobs_[i].result; }

 private:
  // The units of the template's reasons, and after them the rows of the warps.
  std::vector<UnitStates> watched_units(const WaveJob& job) const {
    if (!counts_reasons_) return {};
    std::vector<UnitStates> units = unit_states_of(*job.net_template, job.values);
    if (!job.row_numbers.empty())
      units.push_back(row_states(*job.net_template, job.values, job.row_numbers));
    return units;
  }

  bool counts_reasons_;
  std::unordered_multimap<std::size_t, std::size_t> position_;  // by hash
  std::vector<WaveJob> jobs_;
};

struct LaunchJobs {
  std::int64_t full_waves = 1;
  std::int64_t warps = 0;  // of the full wave
  std::size_t full = 0;
  std::optional<std::size_t> tail;
  std::int64_t blocks = 0;     // of the full wave
  std::int64_t sm_blocks = 0;  // of the busiest SM
  RowParts row_parts = {};     // empty: the cycles of segments are not counted
  ProductCycles products = {};
};

void refuse_more_counts(const PointRequest& request) {
  if (request.more_per_warp == InstructionCounts{}) return;
  fail_usage("net " + request.net_template->name +
             " walks programs: the counts of its warps cannot be changed");
}

// Adds the programs of the wave to the values of the net.
ParameterValues walked_values(ParameterValues values, const Launch& launch, const Rounds& rounds,
                              std::int64_t sms) {
  for (auto& [name, list] : program_counts(launch, rounds, sms)) values[name] = shortened(list);
  return values;
}

// For a net without block slots: waves of resident blocks.
LaunchJobs add_waves(const PointRequest& request, const Launch& launch, std::uint32_t entry,
                     JobList& jobs) {
  const ParameterValues values = net_parameters(request);
  const bool walks = walks_counts(*request.net_template);
  if (walks) refuse_more_counts(request);
  const std::int64_t sms = request.device->count("sms");
  const LaunchWaves waves = launch_waves(launch, sms);
  const auto add = [&](const Wave& wave, std::uint32_t stream, std::int64_t first_round = 0) {
    return jobs.add({request.net_template,
                     walks
                         ? walked_values(values, launch, {first_round, wave.blocks}, sms)
                         : wave_values(values, wave, count_changes(request), request.more_per_warp),
                     stream,
                     {}});
  };
  LaunchJobs mine{waves.full_waves,           static_cast<std::int64_t>(waves.full.warps.size()),
                  add(waves.full, 2 * entry), std::nullopt,
                  waves.full.blocks,          waves.full_waves * waves.full.blocks};
  if (waves.tail) {
    mine.sm_blocks += waves.tail->blocks;
    mine.tail = add(*waves.tail, 2 * entry + 1, waves.full_waves * waves.full.blocks);
  }
  return mine;
}

// Products belong to the arithmetic of a warp, whose count may be changed.
ProductCycles changed_products(const PointRequest& request, const Launch& launch) {
  ProductCycles products = product_cycles(launch, read_device_facts(*request.device));
  const double factor =
      count_factors(count_changes(request), launch).of(InstructionClass::kArithmetic);
  products.of_warps *= factor;
  products.of_groups *= factor;
  return products;
}

// For a net with block slots that executes programs: all blocks of the busiest SM in one run.
LaunchJobs add_programs(const PointRequest& request, const Launch& launch, std::uint32_t entry,
                        JobList& jobs) {
  refuse_more_counts(request);
  const bool has_order = request.net_template->find_parameter(kAdmits) != nullptr;
  const bool counts_segments = jobs.counts_reasons() && has_row_places(*request.net_template);
  RowSegments rows;
  ParameterValues values = sm_parameters(
      launch, *request.device, has_order ? FirstBlocks::kInTheirOrder : FirstBlocks::kInAnySlot,
      request.heuristics, count_factors(count_changes(request), launch),
      counts_segments ? &rows : nullptr);
  const std::int64_t warps = values.at("R")[0] * values.at("Wb")[0];
  const GivenParameters given = given_parameters(request);
  set_cycles(given.values, values);
  multiply_cycles(given.of_each_launch, values);
  for (auto& [name, list] : values) {
    if (name != "blocks") list = shortened(std::move(list));  // "blocks" needs one value per kind
  }
  const std::int64_t blocks = values.at("B")[0];
  return {
      1,
      warps,
      jobs.add({request.net_template, std::move(values), 2 * entry, {}, std::move(rows.numbers)}),
      std::nullopt,
      blocks,
      blocks,
      std::move(rows.parts),
      changed_products(request, launch)};
}

// More resident blocks than an SM has room for: the model was changed after it was derived.
void check_residency(const Launch& launch, const DeviceProfile& device) {
  const std::int64_t most = resident_blocks(launch, device);
  if (launch.resident_blocks <= most) return;
  fail_input("kernel " + launch.kernel,
             "found " + std::to_string(launch.resident_blocks) + " resident blocks of " +
                 std::to_string(launch.block) + " threads with " +
                 std::to_string(launch.registers) + " registers each and " +
                 std::to_string(launch.shared_bytes) +
                 " bytes of shared memory, expected at most " + std::to_string(most) +
                 " on an SM of " + device.name + "; derive the model anew: pnsim derive");
}

std::vector<LaunchJobs> add_jobs(const PointRequest& request, JobList& jobs) {
  const bool has_programs = walks_programs(*request.net_template);
  // Occupancy differs when the GPU is not the profiled one.
  const bool tells = tells_resident_blocks(*request.device);
  const bool is_other_device = request.device->name != request.model->device && tells;
  std::vector<LaunchJobs> out;
  std::uint32_t entry = 0;
  const auto& launches = request.point->launches;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Launch& profiled = launches[i];
    const Launch adapted = is_other_device ? on_device(profiled, *request.device) : Launch{};
    const Launch& launch = is_other_device ? adapted : profiled;
    if (tells) check_residency(launch, *request.device);
    out.push_back(has_programs ? add_programs(request, launch, entry, jobs)
                               : add_waves(request, launch, entry, jobs));
    // The first launch of a cold run shares its streams with its repeats, so that the streams of
    // all other launches are the same as in a warm run.
    const bool is_split = profiled.start == CacheStart::kCold && i + 1 < launches.size() &&
                          launches[i + 1].kernel == profiled.kernel &&
                          launches[i + 1].grid == profiled.grid;
    if (!is_split) ++entry;
  }
  return out;
}

double as_double(const std::optional<std::uint64_t>& value) {
  return static_cast<double>(value.value_or(0));
}

void add_wave(const ReplicaRuns& runs, double times, LaunchPrediction& launch) {
  for (std::size_t r = 0; r < runs.runs.size(); ++r) {
    const RunResult& run = runs.runs[r];
    launch.steps[r] += times * static_cast<double>(run.steps);
    launch.firings[r] += times * static_cast<double>(run.firings);
    launch.waiting_steps[r] += times * as_double(run.waiting_steps);
    launch.idle_scheduler_steps[r] += times * as_double(run.idle_scheduler_steps);
  }
  add_times(launch.reasons, runs, times);
  launch.outcome = std::min(launch.outcome, runs.outcome);
}

void set_clock(const PointRequest& request, const ProductCycles& products, LaunchPrediction& out) {
  if (!request.net_template->step_is_cycle) return;
  out.clock_mhz = request.device->positive("clock_mhz");
  if (products.all() <= 0) return;
  const double mhz =
      clock_with_products(products, mean(out.steps), read_device_facts(*request.device));
  out.slowdown = out.clock_mhz / mhz;
  out.clock_mhz = mhz;
}

LaunchPrediction predict_launch(const PointRequest& request, const Launch& launch,
                                const LaunchJobs& mine, const JobList& jobs, std::size_t replicas) {
  LaunchPrediction out;
  out.kernel = launch.kernel;
  out.template_arguments = launch.template_arguments;
  out.repeat = launch.repeat;
  out.grid = launch.grid;
  out.block = launch.block;
  out.full_waves = mine.full_waves;
  out.has_tail = mine.tail.has_value();
  out.warps = mine.warps;
  for (auto* numbers : {&out.steps, &out.firings, &out.waiting_steps, &out.idle_scheduler_steps}) {
    numbers->assign(replicas, 0.0);
  }
  add_wave(jobs.runs(mine.full), static_cast<double>(out.full_waves), out);
  out.sm_blocks = jobs.result(mine.full).blocks;
  out.simulated_blocks = jobs.result(mine.full).simulated;
  out.left_out_error = jobs.result(mine.full).error_bound;
  if (mine.tail) add_wave(jobs.runs(*mine.tail), 1, out);
  set_clock(request, mine.products, out);
  if (!mine.row_parts.empty()) {
    out.segment_cycles = segment_cycles(mine.row_parts, out.reasons.back(), launch.segments.size());
    out.reasons.pop_back();
  }
  return out;
}

void add_launch(const LaunchPrediction& launch, Prediction& sum) {
  const auto repeat = static_cast<double>(launch.repeat);
  for (std::size_t r = 0; r < launch.steps.size(); ++r) {
    sum.steps[r] += repeat * launch.steps[r];
    sum.steps_at_device_clock[r] += repeat * launch.slowdown * launch.steps[r];
    sum.firings[r] += repeat * launch.firings[r];
    sum.waiting_steps[r] += repeat * launch.waiting_steps[r];
    sum.idle_scheduler_steps[r] += repeat * launch.idle_scheduler_steps[r];
  }
  sum.outcome = std::min(sum.outcome, launch.outcome);
}

Prediction assemble(const PointRequest& request, const std::vector<LaunchJobs>& launch_jobs,
                    const JobList& jobs, std::size_t replicas) {
  Prediction out;
  out.problem = request.point->problem;
  out.net_parameters = net_parameters(request);
  for (const auto& [name, values] : request.net_parameters) {
    if (is_count(name)) out.counts[name] = values;
  }
  out.factors = request.factors;
  out.counts_waiting = !request.net_template->waiting.empty();
  out.counts_idle = !request.net_template->scheduler_pool.empty();
  for (auto* numbers : {&out.steps, &out.steps_at_device_clock, &out.firings, &out.waiting_steps,
                        &out.idle_scheduler_steps}) {
    numbers->assign(replicas, 0.0);
  }
  for (std::size_t i = 0; i < launch_jobs.size(); ++i) {
    out.launches.push_back(
        predict_launch(request, request.point->launches[i], launch_jobs[i], jobs, replicas));
    add_launch(out.launches.back(), out);
    add_conflicts(out.conflicts, jobs.runs(launch_jobs[i].full).conflicts);
    if (launch_jobs[i].tail)
      add_conflicts(out.conflicts, jobs.runs(*launch_jobs[i].tail).conflicts);
  }
  return out;
}

// The results of all runs are kept until the points are assembled from them.
void refuse_too_many_results(std::size_t jobs, std::uint32_t replicas) {
  constexpr std::size_t kMostBytes = 512 << 20;
  const std::size_t bytes_of_replica = jobs * (sizeof(RunResult) + 4 * sizeof(double));
  if (bytes_of_replica * replicas <= kMostBytes) return;
  fail_limit("the results of " + grouped(replicas) + " replicas of " +
             grouped(static_cast<long long>(jobs)) +
             " simulated waves take more than 512 MiB; --replicas " +
             std::to_string(std::max<std::size_t>(kMostBytes / bytes_of_replica, 1)) +
             " is the most here");
}

}  // namespace

bool came_to_end(Outcome worst, bool has_goal) {
  const bool has_stopped = worst == Outcome::kDead || worst == Outcome::kFixed;
  return worst == Outcome::kGoal || (has_stopped && !has_goal);
}

double Prediction::mean_steps() const { return mean(steps); }

double Prediction::mean_steps_at_device_clock() const { return mean(steps_at_device_clock); }

LaunchNet launch_net(const PointRequest& request, std::size_t launch) {
  JobList jobs(false);
  const LaunchJobs mine = add_jobs(request, jobs).at(launch);
  const WaveJob& job = jobs.job(mine.full);
  return {job.values, job.stream, mine.blocks, mine.sm_blocks};
}

std::vector<Prediction> predict(const std::vector<PointRequest>& points,
                                const RunOptions& options) {
  JobList jobs(options.count_reasons);
  std::vector<std::vector<LaunchJobs>> launch_jobs;
  {
    Task task("preparing", points.size());
    for (const PointRequest& request : points) {
      launch_jobs.push_back(add_jobs(request, jobs));
      task.add_done();
    }
  }
  refuse_too_many_results(jobs.size(), options.replicas);
  jobs.run(options);
  std::vector<Prediction> out;
  for (std::size_t p = 0; p < points.size(); ++p) {
    out.push_back(assemble(points[p], launch_jobs[p], jobs, options.replicas));
  }
  return out;
}

}  // namespace pnsim
