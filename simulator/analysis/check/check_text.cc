// A check as text for the terminal.
#include <algorithm>
#include <sstream>

#include "simulator/analysis/check/check_report.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxLines = 6;   // lines of one list
constexpr std::size_t kMaxTerms = 12;  // terms in one line
constexpr std::size_t kMaxRows = 40;   // rows of a table
constexpr std::size_t kWidth = 100;    // columns

std::string number(std::uint64_t n) { return grouped(static_cast<long long>(n)); }

// Breaks lines at blanks and aligns further lines with the first one.
std::string wrapped(const std::string& label, const std::string& text) {
  std::istringstream words(text);
  std::string out = label, word;
  std::size_t column = label.size();
  bool first = true;
  while (words >> word) {
    if (!first && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(label.size(), ' ');
      column = label.size();
    } else if (!first) {
      out += " ";
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  return out + "\n";
}

std::string shape_text(const CheckReport& report) {
  const NetShape& shape = report.shape;
  std::string text = "net " + report.net + ": " + number(shape.places) + " places, " +
                     number(shape.transitions) + " transitions, " + number(shape.arcs) + " arcs";
  if (!shape.ordinary) text += " (weights up to " + grouped(shape.max_weight) + ")";
  if (shape.inhibitor_arcs > 0) text += ", " + number(shape.inhibitor_arcs) + " inhibitor arcs";
  if (shape.state_machine) text += "; a state machine";
  if (shape.marked_graph) text += "; a marked graph";
  if (shape.free_choice && !shape.state_machine && !shape.marked_graph) text += "; free choice";
  text += "\ngoal: ";
  std::string goal = report.goal.empty() ? "" : text_of(report.goal, ", ", kMaxTerms) + " empty";
  for (const std::string& condition : report.goal_ranges) {
    goal += (goal.empty() ? "" : ", ") + condition;
  }
  return text + (goal.empty() ? "none" : goal) + "\n";
}

std::string pairs_text(const SharedPlaceLine& line) {
  if (!line.examined) return "not examined";
  std::string text;
  std::size_t shown = 0;
  for (const auto& pair : line.competing) {
    if (pair.possible == 0 || ++shown > 4) continue;
    text += (text.empty() ? "" : " ") + pair.first + "|" + pair.second;
  }
  if (shown > 4) text += " ...";
  return text.empty() ? "never together" : text;
}

std::string seen_text(const ConflictCount& seen) {
  if (seen.times == 0) return "-";
  std::string text = number(seen.times) + ": won by";
  std::size_t shown = 0;
  for (const auto& [name, times] : seen.won) {
    if (++shown > kMaxTerms) return text + " ...";
    text += " " + name + " " + number(times);
  }
  return text;
}

std::string takers_text(const std::vector<std::string>& takers) {
  std::string text;
  for (std::size_t i = 0; i < takers.size() && i < kMaxTerms; ++i) {
    text += (i > 0 ? " " : "") + takers[i];
  }
  return takers.size() > kMaxTerms
             ? text + " ... (" + std::to_string(takers.size() - kMaxTerms) + " more)"
             : text;
}

std::string conflicts_text(const CheckReport& report) {
  if (report.shared_places.empty()) return "";
  TextTable table({"shared place", "consumers", "can be enabled together", "conflicts in runs"});
  const std::size_t lines = report.shared_places.size();
  for (std::size_t i = 0; i < lines && i < kMaxRows; ++i) {
    const SharedPlaceLine& line = report.shared_places[i];
    const std::string takers = takers_text(line.takers);
    const std::string instances =
        line.instances > 1 ? "[" + std::to_string(line.instances) + "]" : "";
    table.add_row({line.place + instances, takers, pairs_text(line), seen_text(line.seen)});
  }
  std::size_t clusters = 0;
  for (const Family& family : report.clusters) clusters += family.count;
  std::string text = "\nconflicts: " + number(clusters) +
                     " clusters of transitions linked by shared places\n" + table.text(2);
  if (lines > kMaxRows) text += "  and " + number(lines - kMaxRows) + " more places\n";
  return text;
}

std::string family_text(const Family& family, const std::string& separator) {
  const std::string times = family.count > 1 ? number(family.count) + " x  " : "";
  return times + text_of(family.terms, separator, kMaxTerms);
}

std::string list_text(const std::string& title, const FamilyList& list,
                      const std::string& separator, bool tag_last) {
  std::string found = list.stopped.empty() ? number(list.found) : "not all found";
  if (!list.stopped.empty() && list.found > 0) found = number(list.found) + " found, not all";
  std::string text = "\n" + title + ": " + found + "\n";
  for (std::size_t f = 0; f < list.families.size() && f < kMaxLines; ++f) {
    const Family& family = list.families[f];
    const std::string terms = family_text(family, separator);
    text += tag_last ? wrapped("  ", terms + " " + family.tag)
                     : wrapped("  " + family.tag + (family.tag.empty() ? "" : ": "), terms);
  }
  if (list.families.size() > kMaxLines) {
    text += "  and " + number(list.families.size() - kMaxLines) + " more kinds (--json has them)\n";
  }
  return text;
}

// A long list of sets says little, so this counts them by tag.
std::string sets_text(const std::string& title, const FamilyList& list) {
  std::map<std::string, std::size_t> counts;
  for (const Family& family : list.families) counts[family.tag] += family.count;
  std::string text = number(list.found) + (list.stopped.empty() ? "" : " found, not all");
  std::string separator = ": ";
  for (const auto& [tag, count] : counts) {
    text += separator + number(count) + " " + tag;
    separator = ", ";
  }
  return wrapped(title, text);
}

std::string bounds_text(const CheckReport& report) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& [bound, places] : report.bounds) {
    if (++shown > kMaxTerms) {
      text += "; ... (" + number(report.bounds.size() - kMaxTerms) + " more bounds)";
      break;
    }
    text += (text.empty() ? "" : "; ") + grouped(bound) + ": " + text_of(places, " ", kMaxTerms);
  }
  if (!report.unbounded.empty()) {
    text += (text.empty() ? "" : "; ") + std::string("none proved: ") +
            text_of(report.unbounded, " ", kMaxTerms);
  }
  return wrapped("bounds   ", text);
}

std::string residue_text(const CheckReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.residue.size() && i < kMaxTerms; ++i) {
    const Residue& residue = report.residue[i];
    text += (text.empty() ? "" : "; ") + residue.place + " " + tokens_text(residue.mean_tokens) +
            " (" + tokens_text(residue.initial_tokens) + " at the start)";
  }
  if (report.residue.size() > kMaxTerms) {
    text += "; ... (" + number(report.residue.size() - kMaxTerms) + " more)";
  }
  return wrapped("residue  ", text.empty() ? "no tokens" : text);
}

std::string runs_text(const CheckReport& report) {
  const WatchedRuns& runs = report.runs;
  if (runs.runs.empty()) return "";
  std::string text = number(runs.runs.size()) + " watched:";
  for (const Outcome outcome : {Outcome::kGoal, Outcome::kDead, Outcome::kLimit}) {
    const std::size_t count = runs.with_outcome(outcome);
    if (count > 0) text += " " + number(count) + " " + std::string(outcome_name(outcome));
  }
  if (runs.repeating() > 0) text += " (" + number(runs.repeating()) + " repeating a step)";
  const auto [low, high] = std::minmax_element(
      runs.runs.begin(), runs.runs.end(),
      [](const auto& a, const auto& b) { return a.result.steps < b.result.steps; });
  text += ", " + number(low->result.steps) + " to " + number(high->result.steps) + " steps";
  return wrapped("runs     ", text) + (runs.ended() > 0 ? residue_text(report) : "");
}

std::string findings_text(const CheckReport& report) {
  std::string text = "\n";
  for (const Finding& finding : report.findings) {
    std::string label = severity_name(finding.severity);
    label.resize(9, ' ');
    label += finding.topic;
    label.resize(21, ' ');
    text += wrapped(label, finding.text);
  }
  return text;
}

}  // namespace

std::string text_of(const CheckReport& report) {
  std::string text = shape_text(report) + conflicts_text(report) +
                     list_text("place invariants, constant (=) or non-increasing (<=) sums",
                               report.sums, " + ", true) +
                     list_text("transition invariants (firings that change nothing)", report.cycles,
                               " + ", false) +
                     "\n" + bounds_text(report) + sets_text("siphons  ", report.siphons) +
                     sets_text("traps    ", report.traps) + runs_text(report);
  if (text.find("] ") != std::string::npos) {
    text += "\np[64]: the 64 instances of p together; 64 x: the same for each of 64 instances\n";
  }
  return text + findings_text(report);
}

}  // namespace pnsim
