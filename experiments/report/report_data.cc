// The CSV and JSON forms of report.h.
#include <cmath>

#include "experiments/report/report.h"
#include "experiments/report/report_cells.h"
#include "simulator/base/csv.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

// JSON has no NaN.
std::string cell(double value, int decimals) {
  return std::isnan(value) ? "" : fixed(value, decimals);
}

Json errors_json(const ErrorSummary& e) {
  return {{"points", e.points},
          {"mean", number_or_null(e.mean)},
          {"median", number_or_null(e.median)},
          {"worst", number_or_null(e.worst)}};
}

Json correlation_json(const Correlation& c) {
  return {{"points", c.points},
          {"pearson_log", number_or_null(c.pearson)},
          {"spearman", number_or_null(c.spearman)}};
}

Json over_size_json(const Correlation& c) {
  Json out = correlation_json(c);
  out["pearson_log_size"] = number_or_null(c.pearson_of_size);
  out["pearson_log_instructions"] = number_or_null(c.pearson_of_instructions);
  return out;
}

Json guesses_json(const GuessErrors& g) {
  return {{"instructions", errors_json(g.instructions)}, {"size", errors_json(g.size)}};
}

Json taken_json(const BestSummary& s) {
  return {{"sizes", s.groups},
          {"mean_rank", number_or_null(s.mean_rank_of_predicted)},
          {"hit_share", number_or_null(s.hit_share)},
          {"mean_time_lost", number_or_null(s.mean_time_lost)}};
}

Json tuning_json(const TuningComparison& t) {
  Json out = {{"net", taken_json(t.net)}, {"random", taken_json(t.random)}};
  out["instructions"] = t.instructions ? taken_json(*t.instructions) : Json(nullptr);
  out["fixed"] = {{"value", t.fixed_value}};
  out["fixed"].update(taken_json(t.fixed));
  return out;
}

Json bias_json(const Analysis& analysis) {
  Json out = Json::array();
  for (const SizeBias& row : analysis.bias) {
    Json of_program = Json::object();
    for (std::size_t i = 0; i < row.of_program.size(); ++i) {
      of_program[analysis.programs[i].program] = number_or_null(row.of_program[i]);
    }
    out.push_back({{"size", row.size}, {"programs", of_program}, {"all", row.of_all}});
  }
  return out;
}

Json choice_json(const BestChoice& c) {
  return {{"at", c.others},
          {"predicted_best", c.predicted_best},
          {"rank_of_predicted", c.rank_of_predicted},
          {"measured_best", c.measured_best},
          {"rank_of_measured", c.rank_of_measured},
          {"values", c.values},
          {"time_lost", c.time_lost}};
}

Json program_json(const ProgramAnalysis& p) {
  Json out;
  out["program"] = p.program;
  out["training"] = errors_json(p.training);
  out["held_out"] = errors_json(p.held_out);
  out["held_out_guesses"] = guesses_json(p.guesses);
  out["over_size"] = Json::object();
  for (const auto& [at, c] : p.over_size) out["over_size"][at] = over_size_json(c);
  out["pooled"] = over_size_json(p.pooled);
  if (p.choices.empty()) return out;
  out["best"] = {{"groups", p.best.groups},
                 {"mean_rank_of_predicted", p.best.mean_rank_of_predicted},
                 {"mean_rank_of_measured", p.best.mean_rank_of_measured},
                 {"hit_share", p.best.hit_share},
                 {"mean_time_lost", p.best.mean_time_lost},
                 {"choices", Json::array()}};
  for (const BestChoice& c : p.choices) out["best"]["choices"].push_back(choice_json(c));
  if (p.tuning) out["best"]["held_out"] = tuning_json(*p.tuning);
  return out;
}

Json agreement_json(const RankingAgreement& a) {
  return {{"problems", a.problems},
          {"order_share", number_or_null(a.order_share)},
          {"best_share", number_or_null(a.best_share)},
          {"pair_share", number_or_null(a.pair_share)}};
}

Json agreements_json(const Agreements& a) {
  return {{"training", agreement_json(a.training)},
          {"held_out", agreement_json(a.held_out)},
          {"all", agreement_json(a.all)}};
}

Json ranking_json(const Analysis& analysis) {
  return {
      {"predicted", analysis.overall.predicted},
      {"predicted_us", analysis.overall.predicted_us},
      {"measured", analysis.overall.measured},
      {"measured_us", analysis.overall.measured_us},
      {"training", agreement_json(analysis.training_ranking)},
      {"held_out", agreement_json(analysis.held_out_ranking)},
      {"all", agreement_json(analysis.all_ranking)},
      {"constant",
       {{"order", analysis.commonest_order}, {"agreement", agreements_json(analysis.constant)}}},
      {"instructions", {{"agreement", agreements_json(analysis.instructions)}}}};
}

Json cell_json(const JudgedCell& c) {
  return {{"parameters", parameters_json(c.parameters)},
          {"us_per_step", c.us_per_step},
          {"training", errors_json(c.training)},
          {"held_out", errors_json(c.held_out)},
          {"held_out_ranking", agreement_json(c.held_out_ranking)},
          {"correlation", correlation_json(c.correlation)},
          {"is_best", c.is_best},
          {"is_reference", c.is_reference}};
}

Json worst_json(const RunResults& results, const Analysis& analysis) {
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(kWorstShown, analysis.worst.size()); ++i) {
    const PointResult& p = results.points[analysis.worst[i]];
    out.push_back({{"program", p.point.program},
                   {"problem", p.point.problem},
                   {"predicted_us", p.steps * analysis.us_per_step},
                   {"measured_us", p.measured_us},
                   {"error", error_of(p, analysis.us_per_step)}});
  }
  return out;
}

}  // namespace

std::string points_csv(const RunResults& results) {
  const Spec& spec = results.info.spec;
  std::vector<std::string> header;
  for (const Axis& axis : spec.axes) header.push_back(axis.name);
  for (const char* name : {"training", "steps", "predicted_us", "measured_us", "measured_p05_us",
                           "measured_p95_us", "error", "measured_source"}) {
    header.emplace_back(name);
  }
  std::string csv = csv_line(header);
  for (const PointResult& p : results.points) {
    std::vector<std::string> row;
    for (const Axis& axis : spec.axes) {
      row.push_back(axis.name == "program" ? p.point.program
                                           : std::to_string(p.point.problem.at(axis.name)));
    }
    const bool compared = p.measured_us > 0;
    const double scale = results.info.scale ? results.info.scale->us_per_step : std::nan("");
    row.push_back(p.point.is_training ? "1" : "0");
    row.push_back(fixed(p.steps, 3));
    row.push_back(cell(p.steps * scale, 4));
    for (const double us : {p.measured_us, p.measured_p05_us, p.measured_p95_us}) {
      row.push_back(compared ? fixed(us, 4) : "");
    }
    row.push_back(compared ? cell(error_of(p, scale), 6) : "");
    row.push_back(p.measured_source);
    csv += csv_line(row);
  }
  return csv;
}

std::string grid_csv(const RunResults& results) {
  if (results.cells.empty()) return "";
  const Spec& spec = results.info.spec;
  std::vector<std::string> header;
  for (const Axis& axis : spec.grid) header.push_back(axis.name);
  for (const char* name :
       {"us_per_step", "training_mean_error", "training_median_error", "held_out_mean_error",
        "held_out_median_error", "held_out_same_order", "held_out_pairs_in_order", "pearson_log",
        "spearman", "best_on_training", "reference"}) {
    header.emplace_back(name);
  }
  std::string csv = csv_line(header);
  for (const JudgedCell& c : analyse(results).grid) {
    std::vector<std::string> row;
    for (const Axis& axis : spec.grid) row.push_back(std::to_string(c.parameters.at(axis.name)[0]));
    for (const double value :
         {c.us_per_step, c.training.mean, c.training.median, c.held_out.mean, c.held_out.median,
          c.held_out_ranking.order_share, c.held_out_ranking.pair_share, c.correlation.pearson,
          c.correlation.spearman}) {
      row.push_back(cell(value, 8));
    }
    row.push_back(c.is_best ? "1" : "0");
    row.push_back(c.is_reference ? "1" : "0");
    csv += csv_line(row);
  }
  return csv;
}

Json summary_json(const RunResults& results) {
  Json out = run_json(results.info);
  out["kind"] = "experiment-summary";
  out["points"] = results.points.size();
  const std::string incomplete = incomplete_text(results);
  if (!incomplete.empty()) out["incomplete"] = incomplete;
  if (!results.is_compared()) return out;
  const Analysis analysis = analyse(results);
  out["training"] = errors_json(analysis.training);
  out["held_out"] = errors_json(analysis.held_out);
  out["held_out_guesses"] = guesses_json(analysis.guesses);
  out["bias"] = bias_json(analysis);
  out["programs"] = Json::array();
  for (const ProgramAnalysis& p : analysis.programs) out["programs"].push_back(program_json(p));
  out["ranking"] = ranking_json(analysis);
  out["worst"] = worst_json(results, analysis);
  out["grid"] = Json::array();
  for (const JudgedCell& c : analysis.grid) out["grid"].push_back(cell_json(c));
  return out;
}

}  // namespace pnsim::experiments
