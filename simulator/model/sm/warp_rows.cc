#include "simulator/model/sm/warp_rows.h"

#include <algorithm>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// The most cycles of a scheduler that joined segments may take together, since other warps wait
// that long for the scheduler.
constexpr double kMostJoinedIssue = 32;

// True for a segment that uses only issue slots. It can become part of the segment before: the
// waits for its results, and its own waits, do not change.
bool only_computes(const SegmentCost& cost) {
  return cost.waits == Waits::kNothing && cost.slow == 0 && cost.addresses == 0 &&
         cost.tensor == 0 && cost.quick_port == 0 && cost.quick_latency == 0 &&
         cost.product_latency == 0 && cost.port == 0 && cost.memory == 0 && cost.atomic == 0 &&
         cost.latency == 0 && cost.groups == 0 && cost.awaited == 0 && cost.fills == 0 &&
         cost.drains == 0;
}

}  // namespace

CostedPrograms::CostedPrograms(std::string kernel, std::vector<std::vector<ProgramItem>> programs,
                               ProgramCosts costs)
    : kernel_(std::move(kernel)),
      programs_(std::move(programs)),
      costs_(std::move(costs)),
      joined_(programs_.size()) {
  const std::size_t given = costs_.segments.size() - costs_.origins.size();
  for (std::size_t s = 0; s < costs_.segments.size(); ++s) {
    parts_.push_back({{s < given ? s : costs_.origins[s - given], costs_.segments[s].work}});
  }
}

SegmentCost CostedPrograms::cost(const ProgramItem& item) const {
  return item.segment ? costs_.segments[*item.segment] : costs_.of_counts(item.counts);
}

std::int64_t CostedPrograms::barriers_of(std::size_t kind) const {
  return barriers_of(programs_[kind]);
}

std::int64_t CostedPrograms::barriers_of(const std::vector<ProgramItem>& items) const {
  std::int64_t sum = 0;
  for (const ProgramItem& item : items) {
    if (!item.body.empty()) {
      std::int64_t all = 0;
      if (__builtin_mul_overflow(item.repeat, barriers_of(item.body), &all) ||
          __builtin_add_overflow(sum, all, &sum)) {
        fail_limit("kernel " + kernel_ + ": a warp arrives at over 2^63 barriers");
      }
    } else if (item.segment) {
      sum += costs_.segments[*item.segment].joins ? 1 : 0;
    }
  }
  return sum;
}

const std::vector<ProgramItem>& CostedPrograms::joined(std::size_t kind) {
  if (!joined_[kind]) joined_[kind] = join(programs_[kind]);
  return *joined_[kind];
}

std::vector<ProgramItem> CostedPrograms::join(const std::vector<ProgramItem>& items) {
  std::vector<ProgramItem> out;
  for (const ProgramItem& item : items) {
    if (item.repeat == 0) continue;
    if (item.body.empty()) {
      if (item.repeat != 1) fail_input("kernel " + kernel_, "a segment is repeated by a loop");
      append(item, out);
      continue;
    }
    ProgramItem loop{item.repeat, {}, join(item.body)};
    if (const auto number = repeated(loop)) {
      append({1, {}, {}, number}, out);
    } else if (loop.repeat == 1) {
      for (ProgramItem& inner : loop.body) append(std::move(inner), out);
    } else if (!loop.body.empty()) {
      out.push_back(std::move(loop));
    }
  }
  return out;
}

std::optional<std::size_t> CostedPrograms::number_of(
    std::pair<std::size_t, std::int64_t> what, const SegmentCost& cost,
    std::initializer_list<std::size_t> joined,
    std::map<std::pair<std::size_t, std::int64_t>, std::size_t>& known) {
  if (!costs_.joins_segments || cost.issue > kMostJoinedIssue) return std::nullopt;
  const auto [it, is_new] = known.try_emplace(what, costs_.segments.size());
  if (is_new) {
    costs_.segments.push_back(cost);
    add_parts(joined, cost.work);
  }
  return it->second;
}

// The parts of the joined numbers, which together take this work.
void CostedPrograms::add_parts(std::initializer_list<std::size_t> joined, double work) {
  std::vector<SegmentPart> parts;
  double sum = 0;
  for (const std::size_t number : joined) {
    for (const SegmentPart& part : parts_[number]) {
      parts.push_back(part);
      sum += part.work;
    }
  }
  for (SegmentPart& part : parts) part.work *= sum > 0 ? work / sum : 1;
  parts_.push_back(std::move(parts));
}

// A segment that only computes joins the one before it.
void CostedPrograms::append(ProgramItem item, std::vector<ProgramItem>& to) {
  if (!to.empty() && to.back().segment && item.segment) {
    const SegmentCost &first = costs_.segments[*to.back().segment],
                      &second = costs_.segments[*item.segment];
    if (!first.joins && only_computes(second)) {
      SegmentCost both = first;
      both.issue += second.issue;
      both.work += second.work;
      both.joins = second.joins;
      if (const auto number =
              number_of({*to.back().segment, static_cast<std::int64_t>(*item.segment)}, both,
                        {*to.back().segment, *item.segment}, pairs_)) {
        to.back().segment = number;
        return;
      }
    }
  }
  to.push_back(std::move(item));
}

// A short loop of one segment that only computes becomes one segment, the branches back to its head
// included.
std::optional<std::size_t> CostedPrograms::repeated(const ProgramItem& loop) {
  if (loop.body.size() != 1 || !loop.body[0].segment ||
      loop.repeat > static_cast<std::int64_t>(kMostJoinedIssue)) {
    return std::nullopt;
  }
  const std::size_t segment = *loop.body[0].segment;
  SegmentCost all = costs_.segments[segment];
  if (all.joins || !only_computes(all)) return std::nullopt;
  const auto times = static_cast<double>(loop.repeat);
  all.issue *= times;
  all.work = times * (all.work + costs_.branch_cycles);
  return number_of({segment, loop.repeat}, all, {segment}, loops_);
}

std::int64_t WarpRows::append(CostedPrograms& programs, std::size_t kind,
                              std::int64_t extra_barriers) {
  const Follower end = end_of(extra_barriers, programs.kernel());
  const Follower first = add(programs.joined(kind), end, programs);
  return first.segment == kNoRow ? add_row({}, first, std::nullopt, programs.kernel())
                                 : first.segment;
}

std::int64_t WarpRows::add_row(const SegmentCost& cost, Follower next,
                               std::optional<std::size_t> number, const std::string& kernel) {
  numbers_.push_back(number ? static_cast<std::uint32_t>(*number) : kNoNumber);
  return rows_.add_segment(cost, next, kernel);
}

Follower WarpRows::end_of(std::int64_t extra_barriers, const std::string& kernel) {
  if (extra_barriers == 0) return {};
  const auto [it, is_new] = ends_.try_emplace(extra_barriers);
  if (!is_new) return it->second;
  SegmentCost barrier;
  barrier.joins = true;
  const auto loop = static_cast<std::int64_t>(rows_.loops.size());
  it->second.segment = add_row(barrier, {kNoRow, loop}, std::nullopt, kernel);
  rows_.add_loop({extra_barriers, it->second.segment, {}}, kernel);
  return it->second;
}

// Rows are added from the last item to the first, since every row names its successor.
Follower WarpRows::add(const std::vector<ProgramItem>& items, Follower next,
                       const CostedPrograms& programs) {
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    const Key key{text_of(*item), next.segment, next.loop};
    const auto known = known_.find(key);
    next = known != known_.end() ? known->second : add_item(*item, next, programs);
    if (known == known_.end()) known_.emplace(key, next);
  }
  return next;
}

Follower WarpRows::add_item(const ProgramItem& item, Follower next,
                            const CostedPrograms& programs) {
  const std::string& kernel = programs.kernel();
  if (item.body.empty()) return {add_row(programs.cost(item), next, item.segment, kernel), kNoRow};
  const std::int64_t loop = rows_.add_loop({item.repeat, 0, next}, kernel);
  const Follower body = add(item.body, {kNoRow, loop}, programs);
  rows_.loops[static_cast<std::size_t>(loop)].body = body.segment;
  return {body.segment, kNoRow};
}

// Equal for equal items. Items that only have counts are never equal.
std::int64_t WarpRows::text_of(const ProgramItem& item) {
  if (item.body.empty())
    return item.segment ? static_cast<std::int64_t>(*item.segment) : --last_text_;
  std::vector<std::int64_t> text{item.repeat};
  for (const ProgramItem& inner : item.body) text.push_back(text_of(inner));
  const auto [it, is_new] = texts_.try_emplace(std::move(text), 0);
  if (is_new) it->second = --last_text_;
  return it->second;
}

}  // namespace pnsim
