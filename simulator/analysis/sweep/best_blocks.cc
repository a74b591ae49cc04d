#include "simulator/analysis/sweep/best_blocks.h"

#include <algorithm>
#include <cstring>

#include "simulator/analysis/runs/steady.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr double kNearlyAsGood = 1.03;

std::string block_text(const BestBlocks::Row& row) {
  return std::to_string(row.block) + (row.what_if ? " (what-if)" : "");
}

using Blocks = std::map<std::int64_t, BestBlocks::Row>;

std::string times_of(const Blocks& blocks) {
  constexpr std::size_t kMost = 12;
  const auto has_no_time = [](const auto& block) { return block.second.us <= 0; };
  if (blocks.size() > kMost || std::any_of(blocks.begin(), blocks.end(), has_no_time)) return "";
  std::string text;
  for (const auto& [block, row] : blocks) {
    text +=
        (text.empty() ? "; us: " : ", ") + significant(row.us, 4) + " at " + std::to_string(block);
  }
  return text;
}

// Describes the sizes whose runs ended, out of `sizes`.
std::string best_of(const Blocks& blocks, std::size_t sizes) {
  std::vector<const BestBlocks::Row*> rows;
  std::vector<double> steps;
  for (const auto& [block, row] : blocks) {
    rows.push_back(&row);
    steps.push_back(row.steps);
  }
  const BestBlocks::Row& best = *rows[first_of_the_least(steps)];
  const bool is_least = best.steps <= *std::min_element(steps.begin(), steps.end());
  std::string others;
  for (const auto& [block, row] : blocks) {
    if (block == best.block || row.steps > best.steps * kNearlyAsGood) continue;
    const double percent = best.steps > 0 ? 100 * (row.steps / best.steps - 1) : 0;
    others += (others.empty() ? "" : ", ") + block_text(row) + " (" + (percent < 0 ? "" : "+") +
              fixed(percent, 1) + " % steps)";
  }
  const std::string of_sizes = " of " + std::to_string(sizes) + " sizes";
  return "block=" + block_text(best) +
         (is_least ? " takes the fewest steps" + of_sizes
                   : " is the smallest" + of_sizes + " within 0.5 % of the fewest steps") +
         (others.empty() ? "" : "; nearly as good: " + others) + times_of(blocks);
}

std::string line_of(const Blocks& blocks) {
  Blocks ended;
  std::string cut_off;
  for (const auto& [block, row] : blocks) {
    if (row.ended) {
      ended.emplace(block, row);
    } else {
      cut_off += (cut_off.empty() ? "" : ", ") + block_text(row);
    }
  }
  const std::string& others = blocks.begin()->second.others;
  const std::string name = others.empty() ? "" : others + ": ";
  if (ended.empty())
    return name + "no run ended at any of " + std::to_string(blocks.size()) + " sizes";
  return name + best_of(ended, blocks.size()) + (cut_off.empty() ? "" : "; no end at " + cut_off);
}

}  // namespace

std::size_t first_of_the_least(std::span<const double> values) {
  const double limit = *std::min_element(values.begin(), values.end()) * (1 + kMaxLeftOutError);
  const auto first =
      std::find_if(values.begin(), values.end(), [&](double value) { return value <= limit; });
  return static_cast<std::size_t>(first - values.begin());
}

// Unlike strverscmp, this does not read leading zeros as fractions. Both settings of an axis are
// written in the same way.
bool BestBlocks::ByNumbers::operator()(const std::string& a, const std::string& b) const {
  const int order = strverscmp(a.c_str(), b.c_str());
  return order != 0 ? order < 0 : a < b;
}

void BestBlocks::add(const Row& row) {
  const std::lock_guard lock(mutex_);
  rows_[row.others].insert_or_assign(row.block, row);
}

bool BestBlocks::has_what_if() const {
  const std::lock_guard lock(mutex_);
  for (const auto& [others, blocks] : rows_) {
    for (const auto& [block, row] : blocks) {
      if (row.what_if) return true;
    }
  }
  return false;
}

std::vector<std::string> BestBlocks::lines(std::size_t most) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  for (const auto& [others, blocks] : rows_) {
    if (blocks.size() < 2) continue;
    if (lines.size() == most) {
      lines.push_back("...");
      break;
    }
    lines.push_back(line_of(blocks));
  }
  return lines;
}

}  // namespace pnsim
