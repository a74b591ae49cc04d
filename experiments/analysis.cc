#include "experiments/analysis.h"

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
    out.over_size.emplace_back(line.key, correlate(line.results));
  }
  out.pooled = correlate(group.results);
  if (!spec.tuning_axis.empty()) out.choices = best_choices(group.results, spec.tuning_axis);
  out.best = summarize(out.choices);
  return out;
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
  out.us_per_step = fit_us_per_step(points);
  out.training = summarize_errors(points, out.us_per_step, Subset::kTraining);
  out.held_out = summarize_errors(points, out.us_per_step, Subset::kHeldOut);
  out.training_points = out.training.points;
  for (const Group& group :
       group_by(points, [](const PointResult& r) { return r.point.program; })) {
    out.programs.push_back(analyse_program(group, results.info.spec, out.us_per_step));
  }
  out.rankings = rank_programs(points);
  out.all_ranking = agreement(out.rankings, Subset::kAll);
  out.training_ranking = agreement(out.rankings, Subset::kTraining);
  out.held_out_ranking = agreement(out.rankings, Subset::kHeldOut);
  out.overall = rank_overall(points, out.us_per_step);
  out.worst = worst_first(points, out.us_per_step);
  out.grid = judge(points, results.cells, results.info.spec.reference);
  return out;
}

}  // namespace pnsim::experiments
