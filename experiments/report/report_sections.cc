// The tables of figures of report.h.
#include "experiments/report/report_cells.h"

namespace pnsim::experiments {
namespace {

Section errors_section(const RunResults& results, const Analysis& analysis) {
  TextTable table({"program", "training points", "mean %", "median %", "worst %", "held-out points",
                   "held-out mean %", "held-out median %", "held-out worst %"});
  const auto add = [&](const std::string& name, const ErrorSummary& training,
                       const ErrorSummary& held_out) {
    table.add_row({name, std::to_string(training.points), percent(training.mean),
                   percent(training.median), percent(training.worst),
                   std::to_string(held_out.points), percent(held_out.mean),
                   percent(held_out.median), percent(held_out.worst)});
  };
  for (const ProgramAnalysis& p : analysis.programs) add(p.program, p.training, p.held_out);
  add("all", analysis.training, analysis.held_out);
  const std::string note =
      results.info.step_is_cycle()
          ? "nothing is fitted: all points judge the net"
          : "the scale is fitted on the training points: " + results.info.spec.size_axis +
                " with even log2; the others judge it";
  return {title_of(results, "Error of the predicted time, |predicted - measured| / measured"),
          table.text(2) + "  (" + note + ")\n"};
}

// Compares the net with the baselines.
Section guesses_section(const RunResults& results, const Analysis& analysis) {
  const std::string& size = results.info.spec.size_axis;
  TextTable table({"program", "net: mean %", "median %", "instructions: mean %", "median %",
                   size + " only: mean %", "median %"});
  const auto add = [&](const std::string& name, const ErrorSummary& net, const GuessErrors& g) {
    table.add_row({name, percent(net.mean), percent(net.median), percent(g.instructions.mean),
                   percent(g.instructions.median), percent(g.size.mean), percent(g.size.median)});
  };
  for (const ProgramAnalysis& p : analysis.programs) add(p.program, p.held_out, p.guesses);
  add("all", analysis.held_out, analysis.guesses);
  return {title_of(results, "Error of the held-out times, compared with simpler baselines"),
          table.text(2) +
              "  (instructions: one scale on the warp instructions of the busiest SM;\n   " + size +
              " only: the geometric mean of the training times, the same for all programs,\n"
              "   with log-log interpolation between training sizes)\n"};
}

Section bias_section(const RunResults& results, const Analysis& analysis) {
  std::vector<std::string> header{results.info.spec.size_axis};
  for (const ProgramAnalysis& p : analysis.programs) header.push_back(p.program);
  header.emplace_back("all");
  TextTable table(header);
  for (const SizeBias& row : analysis.bias) {
    std::vector<std::string> cells{std::to_string(row.size)};
    for (const double ratio : row.of_program) cells.push_back(fixed(ratio, 2));
    cells.push_back(fixed(row.of_all, 2));
    table.add_row(cells);
  }
  return {title_of(results, "Predicted / measured at each " + results.info.spec.size_axis +
                                " (geometric mean; 1 is exact)"),
          table.text(2)};
}

Section correlations_section(const RunResults& results, const Analysis& analysis) {
  const std::string& size = results.info.spec.size_axis;
  TextTable table({"program", "at", "points", "Pearson of logs", "of log " + size,
                   "of log instructions", "Spearman"});
  const auto add = [&](const std::string& name, const std::string& at, const Correlation& c) {
    table.add_row({name, at, std::to_string(c.points), fixed(c.pearson, 4),
                   fixed(c.pearson_of_size, 4), fixed(c.pearson_of_instructions, 4),
                   fixed(c.spearman, 4)});
  };
  for (const ProgramAnalysis& p : analysis.programs) {
    for (const auto& [at, correlation] : p.over_size) add(p.program, at, correlation);
    add(p.program, "all together", p.pooled);
  }
  return {title_of(results, "Predicted steps against measured time over " + size), table.text(2)};
}

Section best_section(const RunResults& results, const Analysis& analysis) {
  const std::string& axis = results.info.spec.tuning_axis;
  TextTable table(
      {"program", axis + " chosen by", "sizes", "mean rank", "best %", "mean time lost %"});
  const auto add = [&](const std::string& program, const std::string& taken, const BestSummary& s) {
    table.add_row({program, taken, std::to_string(s.groups), fixed(s.mean_rank_of_predicted, 2),
                   percent(s.hit_share), percent(s.mean_time_lost)});
  };
  for (const ProgramAnalysis& p : analysis.programs) {
    if (!p.tuning) continue;
    add(p.program, "the net", p.tuning->net);
    if (p.tuning->instructions) add(p.program, "fewest instructions", *p.tuning->instructions);
    add(p.program, "always " + std::to_string(p.tuning->fixed_value), p.tuning->fixed);
    add(p.program, "random choice", p.tuning->random);
  }
  return {
      title_of(results, "Best " + axis + ", held-out sizes"),
      table.text(2) +
          "  (rank by measured time, 1 is best; always: the value with the least time lost at the\n"
          "   training sizes; random choice: the mean over all values)\n"};
}

Section ranking_section(const RunResults& results, const Analysis& analysis) {
  TextTable table({"problems", "count", "predictor", "same order %", "same fastest %",
                   "pairs ranked correctly %"});
  const auto add = [&](const std::string& name, const std::string& by, const RankingAgreement& a) {
    if (a.problems == 0) return;
    table.add_row({name, std::to_string(a.problems), by, percent(a.order_share),
                   percent(a.best_share), percent(a.pair_share)});
  };
  const auto add_all = [&](const std::string& name, const RankingAgreement& net,
                           RankingAgreement Agreements::*subset) {
    add(name, "the net", net);
    add(name, "instructions", analysis.instructions.*subset);
    add(name, "one order", analysis.constant.*subset);
  };
  add_all("training", analysis.training_ranking, &Agreements::training);
  add_all("held out", analysis.held_out_ranking, &Agreements::held_out);
  add_all("all", analysis.all_ranking, &Agreements::all);
  return {title_of(results, "Ranking of the programs, predicted and measured"),
          table.text(2) + "  (instructions: of the busiest SM; one order: always " +
              joined(analysis.commonest_order, " < ") +
              ",\n   the commonest one measured at training problems)\n" +
              "  over all problems (geometric mean), fastest first\n    predicted: " +
              joined(analysis.overall.predicted, " < ") +
              "\n    measured:  " + joined(analysis.overall.measured, " < ") + "\n"};
}

std::string cell_mark(const JudgedCell& cell, const Spec& spec) {
  std::string mark;
  if (cell.is_best) mark = "best on training points";
  if (cell.is_reference) mark += (mark.empty() ? "" : ", ") + spec.reference_name;
  return mark;
}

std::vector<std::string> grid_header(const Spec& spec) {
  std::vector<std::string> header;
  for (const Axis& axis : spec.grid) header.push_back(axis.name);
  for (const char* name : {"ns/step", "training mean %", "held-out mean %", "held-out median %",
                           "same order %", "pairs ranked correctly %", "Pearson of logs", ""}) {
    header.emplace_back(name);
  }
  return header;
}

Section grid_section(const RunResults& results, const Analysis& analysis) {
  const Spec& spec = results.info.spec;
  TextTable table(grid_header(spec));
  for (const JudgedCell& cell : analysis.grid) {
    std::vector<std::string> row;
    for (const Axis& axis : spec.grid) {
      row.push_back(std::to_string(cell.parameters.at(axis.name)[0]));
    }
    for (const std::string& text :
         {significant(1e3 * cell.us_per_step, 4), percent(cell.training.mean),
          percent(cell.held_out.mean), percent(cell.held_out.median),
          percent(cell.held_out_ranking.order_share), percent(cell.held_out_ranking.pair_share),
          fixed(cell.correlation.pearson, 4), cell_mark(cell, spec)}) {
      row.push_back(text);
    }
    table.add_row(row);
  }
  return {title_of(results,
                   "Grid: each cell with its own scale, fitted and chosen on the training "
                   "points, judged on the held-out ones"),
          table.text(2)};
}

}  // namespace

std::vector<Section> summary_sections(const RunResults& results, const Analysis& analysis) {
  std::vector<Section> sections{errors_section(results, analysis),
                                guesses_section(results, analysis), bias_section(results, analysis),
                                correlations_section(results, analysis)};
  if (!results.info.spec.tuning_axis.empty()) sections.push_back(best_section(results, analysis));
  if (analysis.programs.size() > 1) sections.push_back(ranking_section(results, analysis));
  if (!analysis.grid.empty()) sections.push_back(grid_section(results, analysis));
  return sections;
}

}  // namespace pnsim::experiments
