#include "experiments/report/analysis.h"

#include <algorithm>

namespace pnsim::experiments {
namespace {

ProgramAnalysis analyse_program(const Group& group, const Spec& spec, double us_per_step) {
  ProgramAnalysis out;
  out.program = group.key;
  out.training = summarize_errors(group.results, us_per_step, Subset::kTraining);
  out.held_out = summarize_errors(group.results, us_per_step, Subset::kHeldOut);
  const auto other_axes = [&](const PointResult& r) {
    Problem problem = r.point.problem;
    problem.erase(spec.size_axis);
    return problem_text(problem);
  };
  for (const Group& line : group_by(group.results, other_axes)) {
    out.over_size.emplace_back(line.key, correlate(line.results, spec.size_axis));
  }
  out.pooled = correlate(group.results, spec.size_axis);
  if (!spec.tuning_axis.empty()) {
    out.choices = best_choices(group.results, spec.tuning_axis);
    out.tuning = compare_tuning(group.results, spec.tuning_axis);
  }
  out.best = summarize(out.choices);
  return out;
}

// Held-out errors of a baseline, for one program or for all ("").
ErrorSummary errors_of(const std::optional<Guess>& guess, const std::string& program) {
  if (!guess) return summarize_errors({}, 1, Subset::kHeldOut);
  std::vector<PointResult> mine;
  for (const PointResult& r : guess->results) {
    if (program.empty() || r.point.program == program) mine.push_back(r);
  }
  return summarize_errors(mine, guess->scale, Subset::kHeldOut);
}

Agreements agreements(const std::vector<Ranking>& rankings) {
  return {agreement(rankings, Subset::kTraining), agreement(rankings, Subset::kHeldOut),
          agreement(rankings, Subset::kAll)};
}

void add_guesses(const RunResults& results, Analysis& out) {
  const std::optional<Guess> instructions = guess_by_instructions(results.points);
  out.instructions =
      agreements(instructions ? rank_programs(instructions->results) : std::vector<Ranking>{});
  const Guess size = guess_by_size(results.points, results.info.spec.size_axis);
  out.guesses = {errors_of(instructions, ""), errors_of(size, "")};
  for (ProgramAnalysis& p : out.programs) {
    p.guesses = {errors_of(instructions, p.program), errors_of(size, p.program)};
  }
}

void add_rankings(const std::vector<PointResult>& points, Analysis& out) {
  out.rankings = rank_programs(points);
  out.all_ranking = agreement(out.rankings, Subset::kAll);
  out.training_ranking = agreement(out.rankings, Subset::kTraining);
  out.held_out_ranking = agreement(out.rankings, Subset::kHeldOut);
  out.commonest_order = commonest_order(out.rankings);
  out.constant = agreements(always(out.commonest_order, out.rankings));
  out.overall = rank_overall(points, out.us_per_step);
}

const JudgedCell* first_with(const std::vector<JudgedCell>& cells, bool JudgedCell::*flag) {
  const auto it =
      std::find_if(cells.begin(), cells.end(), [&](const JudgedCell& cell) { return cell.*flag; });
  return it == cells.end() ? nullptr : &*it;
}

}  // namespace

const JudgedCell* Analysis::best_cell() const { return first_with(grid, &JudgedCell::is_best); }

const JudgedCell* Analysis::reference_cell() const {
  return first_with(grid, &JudgedCell::is_reference);
}

Analysis analyse(const RunResults& results) {
  const std::vector<PointResult>& points = results.points;
  Analysis out;
  // The scale of this run: fitted to its training points, or the clock's when a step is one cycle.
  out.us_per_step = results.info.scale ? results.info.scale->us_per_step : fit_us_per_step(points);
  out.training = summarize_errors(points, out.us_per_step, Subset::kTraining);
  out.held_out = summarize_errors(points, out.us_per_step, Subset::kHeldOut);
  out.training_points = out.training.points;
  for (const Group& group :
       group_by(points, [](const PointResult& r) { return r.point.program; })) {
    out.programs.push_back(analyse_program(group, results.info.spec, out.us_per_step));
  }
  add_guesses(results, out);
  add_rankings(points, out);
  std::vector<std::string> programs;
  for (const ProgramAnalysis& p : out.programs) programs.push_back(p.program);
  out.bias = bias_by_size(points, results.info.spec.size_axis, programs, out.us_per_step);
  out.worst = worst_first(points, out.us_per_step);
  out.grid = judge(points, results.cells, results.info.spec.reference);
  return out;
}

}  // namespace pnsim::experiments
