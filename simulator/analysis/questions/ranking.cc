#include "simulator/analysis/questions/ranking.h"

#include <algorithm>

#include "simulator/base/csv.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::string measured_cell(const RankedRow& row, int digits) {
  return row.measured_us ? significant(*row.measured_us, digits) : "";
}

// "By recorded times, the first keeps 98.2 % of the best speed, the first 2 keep 100.0 %"
std::string kept_sentence(const Ranking& ranking) {
  constexpr std::size_t kMost = 3;
  const std::vector<double> kept = kept_of_best(ranking);
  if (kept.empty()) {
    return "Too few of them are measured to judge this order here; `experiment table rank` judges\n"
           "the predicted order of all recorded programs.";
  }
  const std::string first =
      ranking.rows.front().measured_us ? "the first" : "the first measured one";
  std::string text;
  for (std::size_t k = 1; k <= std::min(kMost, kept.size()); ++k) {
    const std::string percent = fixed(100 * kept[k - 1], 1) + " %";
    text += k == 1 ? "By recorded times, " + first + " keeps " + percent + " of the best speed"
                   : ", the first " + std::to_string(k) + " keep " + percent;
  }
  return text + "\n(" + std::to_string(kept.size()) + " of " + std::to_string(ranking.rows.size()) +
         " are measured).";
}

}  // namespace

void sort_rows(Ranking& ranking) {
  std::stable_sort(ranking.rows.begin(), ranking.rows.end(),
                   [](const RankedRow& a, const RankedRow& b) {
                     if (!a.us || !b.us) return a.us.has_value() && !b.us;
                     return *a.us < *b.us;
                   });
}

std::vector<double> kept_of_best(std::span<const double> measured) {
  std::vector<double> kept;
  if (measured.empty()) return kept;
  const double best = *std::min_element(measured.begin(), measured.end());
  double shortest = measured[0];
  for (const double us : measured) {
    shortest = std::min(shortest, us);
    kept.push_back(best / shortest);
  }
  return kept;
}

std::vector<double> kept_of_best(const Ranking& ranking) {
  std::vector<double> measured;
  for (const RankedRow& row : ranking.rows) {
    if (row.us && row.measured_us) measured.push_back(*row.measured_us);
  }
  return measured.size() < 2 ? std::vector<double>{} : kept_of_best(measured);
}

Json to_json(const Ranking& ranking) {
  Json out{{"what", ranking.what}, {"net", ranking.net}, {"mode", ranking.mode}};
  out["configurations"] = Json::array();
  for (const RankedRow& row : ranking.rows) {
    out["configurations"].push_back(
        Json{{"configuration", row.configuration},
             {"time_us", row.us ? Json(*row.us) : Json(nullptr)},
             {"outcome", outcome_name(row.outcome)},
             {"measured_us", row.measured_us ? Json(*row.measured_us) : Json(nullptr)},
             {"how_sure", row.how_sure},
             {"warnings", to_json(row.warnings)}});
  }
  for (const NotPredicted& one : ranking.not_predicted) {
    out["not_predicted"].push_back(Json{{"configuration", one.configuration}, {"why", one.why}});
  }
  out["kept_of_best"] = kept_of_best(ranking);
  return out;
}

std::string text_of(const Ranking& ranking) {
  std::vector<std::string> header{"place",         "configuration", "predicted us",
                                  "of the best %", "measured us",   "how sure"};
  std::vector<PredictionWarnings> warnings;
  for (const RankedRow& row : ranking.rows) warnings.push_back(row.warnings);
  const std::string legend = legend_of_warnings(warnings);
  if (!legend.empty()) header.push_back("warnings");
  TextTable table(header);
  for (std::size_t i = 0; i < ranking.rows.size(); ++i) {
    const RankedRow& row = ranking.rows[i];
    const std::string measured = measured_cell(row, 4);
    std::vector<std::string> cells{
        row.us ? std::to_string(i + 1) : "-",
        row.configuration,
        row.us ? significant(*row.us, 4) : std::string(outcome_name(row.outcome)),
        row.us ? fixed(100 * *ranking.rows[0].us / *row.us, 1) : "-",
        measured.empty() ? "-" : measured,
        row.how_sure};
    if (!legend.empty()) cells.push_back(kinds_text(row.warnings));
    table.add_row(std::move(cells));
  }
  std::string without;
  for (const NotPredicted& one : ranking.not_predicted) {
    without += "Not ranked: " + one.why + ".\n";
  }
  return ranking.what + ": " + std::to_string(ranking.rows.size()) +
         " configurations, predicted by net " + ranking.net + ", " + ranking.mode + "\n\n" +
         table.text(2) + "\n" + without + kept_sentence(ranking) + "\n" + legend;
}

std::string csv_of(const Ranking& ranking) {
  std::string csv = csv_line(
      {"place", "configuration", "predicted_us", "measured_us", "how_sure", "outcome", "warnings"});
  for (std::size_t i = 0; i < ranking.rows.size(); ++i) {
    const RankedRow& row = ranking.rows[i];
    csv += csv_line({row.us ? std::to_string(i + 1) : "", row.configuration,
                     row.us ? fixed(*row.us, 6) : "", measured_cell(row, 8), row.how_sure,
                     std::string(outcome_name(row.outcome)), kinds_text(row.warnings)});
  }
  return csv;
}

}  // namespace pnsim
