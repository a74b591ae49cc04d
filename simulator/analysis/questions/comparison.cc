#include "simulator/analysis/questions/comparison.h"

#include <algorithm>
#include <cmath>

#include "simulator/analysis/runs/steady.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr const char* kSideNames[] = {"a", "b"};

ComparedRow& row_named(const std::string& name, std::vector<ComparedRow>& rows) {
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const ComparedRow& other) { return other.name == name; });
  if (row != rows.end()) return *row;
  rows.push_back({name, {}, {}, {}});
  return rows.back();
}

void set_share(double share, const ComparedSide& side, std::size_t s, ComparedRow& row) {
  row.share[s] = share;
  row.cycles[s] = share * side.steps;
  row.us[s] = share * side.us.value_or(0);
}

double difference_us(const ComparedRow& row) { return row.us[1] - row.us[0]; }

// "a (radix_shared)", or "a" where both sides are of one model.
std::string name_of_side(const Comparison& c, std::size_t side) {
  const bool same = c.sides[0].name == c.sides[1].name;
  return std::string(kSideNames[side]) + (same ? "" : " (" + c.sides[side].name + ")");
}

// Why there is nothing to compare.
std::string no_times_sentence(const Comparison& c) {
  std::string text;
  for (std::size_t s = 0; s < 2; ++s) {
    if (c.sides[s].us) continue;
    text +=
        (text.empty() ? "" : " ") + std::string("Side ") + name_of_side(c, s) +
        (c.sides[s].outcome == Outcome::kLimit ? " reached the limit of steps, so it has no time."
                                               : " ended before its goal, so it has no time.");
  }
  return text + " The cycles are those until then; nothing is compared.";
}

// "A takes 467.5 us and b 503.1 us: a is faster by 7.1 %."
std::string times_sentence(const Comparison& c, std::optional<std::size_t> faster) {
  const std::string times = name_of_side(c, 0) + " takes " + significant(*c.sides[0].us, 4) +
                            " us, and " + name_of_side(c, 1) + " takes " +
                            significant(*c.sides[1].us, 4) + " us: ";
  if (!faster) return times + "no difference beyond 0.5 %.";
  const double slow = *c.sides[1 - *faster].us, fast = *c.sides[*faster].us;
  return times + kSideNames[*faster] + " takes " + fixed(100 * (1 - fast / slow), 1) +
         " % less time.";
}

// The largest contributions to the difference, and the largest in the other direction.
std::string causes_sentence(const Comparison& c, std::size_t faster) {
  constexpr std::size_t kMost = 3;
  constexpr double kSmall = 0.1;  // of the difference
  const double sign = faster == 0 ? 1 : -1;
  const double all = std::abs(*c.sides[1].us - *c.sides[0].us);
  std::string more, less;
  std::size_t shown = 0;
  for (const ComparedRow& row : c.reasons) {
    const double us = sign * difference_us(row);
    if (std::abs(us) < kSmall * all || shown == kMost) continue;
    ++shown;
    std::string& text = us > 0 ? more : less;
    text += (text.empty() ? "" : ", ") + row.name + " (" + significant(std::abs(us), 3) + " us)";
  }
  std::string out = std::string(" Against ") + kSideNames[faster] + ", " + kSideNames[1 - faster];
  if (more.empty() && less.empty()) return out + " loses a little to many reasons.";
  if (!more.empty()) out += " spends more on " + more;
  if (!less.empty()) out += std::string(more.empty() ? "" : ", and") + " less on " + less;
  return out + ".";
}

std::string measured_sentence(const Comparison& c, std::optional<std::size_t> faster) {
  const auto &a = c.sides[0].measured_us, &b = c.sides[1].measured_us;
  if (!a || !b) return "";
  const std::string text =
      " Measured: " + significant(*a, 4) + " us and " + significant(*b, 4) + " us";
  if (!faster) return text + ".";
  if (*a == *b) return text + ", which is no order.";
  return text + ((*a < *b) == (*faster == 0) ? ", the same order." : ", the other order.");
}

}  // namespace

ComparedSide compared_side(const ModelRunReport& report, const std::string& what_if) {
  ComparedSide side{report.model->name,
                    problem_text(report.prediction.problem),
                    report.device->title,
                    what_if,
                    report.prediction.mean_steps(),
                    predicted_us(report),
                    report.prediction.outcome,
                    std::nullopt,
                    report.reasons.value(),
                    report.device->estimate,
                    report.warnings};
  if (report.measured) side.measured_us = report.measured->median_us;
  return side;
}

Comparison compare(const std::string& net, const std::string& mode, ComparedSide a,
                   ComparedSide b) {
  Comparison out{net, mode, {std::move(a), std::move(b)}, "", {}, {}};
  for (std::size_t s = 0; s < 2; ++s) {
    const ComparedSide& side = out.sides[s];
    for (const ReasonRow& row : side.reasons.rows) {
      set_share(row.schedulers, side, s, row_named(row.name, out.reasons));
    }
    for (const UnitUse& use : side.reasons.units) {
      set_share(use.busy, side, s, row_named(use.name, out.units));
    }
  }
  std::erase_if(out.reasons,
                [](const ComparedRow& row) { return row.share[0] + row.share[1] <= 0; });
  if (!has_times(out)) return out;
  std::stable_sort(out.reasons.begin(), out.reasons.end(),
                   [](const ComparedRow& x, const ComparedRow& y) {
                     return std::abs(difference_us(x)) > std::abs(difference_us(y));
                   });
  return out;
}

bool has_times(const Comparison& c) { return c.sides[0].us && c.sides[1].us; }

std::optional<std::size_t> faster_side(const Comparison& c) {
  if (!has_times(c)) return std::nullopt;
  const double a = *c.sides[0].us, b = *c.sides[1].us;
  if (std::abs(a - b) <= kMaxLeftOutError * std::min(a, b)) return std::nullopt;
  return a < b ? 0 : 1;
}

std::string why_text(const Comparison& c) {
  if (!has_times(c)) return no_times_sentence(c);
  const auto faster = faster_side(c);
  std::string text = times_sentence(c, faster);
  if (!c.other_work.empty()) {
    text = "The sides do different work (" + c.other_work + "). " + text;
  }
  if (faster) text += causes_sentence(c, *faster);
  for (std::size_t s = 0; s < 2; ++s) {
    text += " Nearest limit of " + std::string(kSideNames[s]) + ": " +
            limit_text(c.sides[s].reasons) + ".";
  }
  return text + measured_sentence(c, faster);
}

}  // namespace pnsim
