#include "simulator/model/sm/copy_groups.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace pnsim {
namespace {

bool copies(const Segment& segment) { return segment.classes.contains("async_copy"); }

double group_ends(const Segment& segment) { return count_of(segment, "copy_commit"); }

bool waits_for_copies(const Segment& segment) {
  const auto& waits = segment.waits_for;
  return std::find(waits.begin(), waits.end(), LateResult::kAsyncCopy) != waits.end();
}

bool loads(const Segment& segment) {
  return std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) {
                       const LateResult result = class_of(access).result;
                       return is_load(result) && result != LateResult::kAsyncCopy;
                     });
}

// A segment with its groups. Equal variants are one number of the costs.
struct Variant {
  std::size_t number = 0;    // of the segment, as given
  std::int64_t groups = 0;   // that land with its copies
  std::int64_t awaited = 0;  // that must have landed before it begins
  bool jumps_back = false;   // ends an iteration although its row does not
  auto operator<=>(const Variant&) const = default;
};

// The most items of a program, so that the rows of all programs fit a net.
constexpr std::size_t kMostItems = 2000;

std::size_t size_of(std::span<const ProgramItem> program) {
  std::size_t items = 0;
  for_each_item(program, [&](const ProgramPlace&) { ++items; });
  return items;
}

// Walks through a program and counts groups. In its result ProgramItem::segment is an index
// of variants().
class GroupWalk {
 public:
  using Items = std::vector<ProgramItem>;

  explicit GroupWalk(const Launch& launch) : launch_(launch) {}

  // None where the groups do not fit the program.
  std::optional<Items> with_groups(const Items& program) {
    for_each_item(program, [&](const ProgramPlace& at) {
      if (at.item.segment && copies(segment(at.item)))
        left_in_flight_ = std::max<std::int64_t>(left_in_flight_, segment(at.item).copy_stages);
    });
    if (left_in_flight_ == 0) return std::nullopt;
    Items out = walk(program, false);
    if (!fits_ || issued_ == 0) return std::nullopt;
    if (issued_ != taken_ && !await_the_rest(out)) return std::nullopt;
    return size_of(out) <= kMostItems ? std::optional(std::move(out)) : std::nullopt;
  }
  const std::vector<Variant>& variants() const { return variants_; }

 private:
  const Segment& segment(std::size_t number) const {
    return launch_.segments[number % launch_.segments.size()];
  }
  const Segment& segment(const ProgramItem& item) const { return segment(*item.segment); }

  template <class Is>
  bool any(std::span<const ProgramItem> items, const Is& is) const {
    bool found = false;
    for_each_item(items, [&](const ProgramPlace& at) {
      found |= at.item.segment && at.executions > 0 && is(segment(at.item));
    });
    return found;
  }

  Items walk(std::span<const ProgramItem> items, bool more_groups) {
    std::size_t last = items.size();  // no item from here on makes groups
    while (last > 0 && !any(items.subspan(last - 1, 1), makes_groups)) --last;
    Items out;
    for (std::size_t i = 0; i < items.size() && fits_; ++i) {
      const ProgramItem& item = items[i];
      const bool more = more_groups || i + 1 < last;
      if (item.repeat <= 0) continue;
      if (item.segment) {
        out.push_back(item);
        out.back().segment = enter(item, more);
      } else if (item.body.empty() || !any(item.body, takes_part)) {
        out.push_back(item);
        change_each_item({&out.back(), 1}, [&](ProgramItem& inner) {
          if (inner.segment) inner.segment = add_variant({*inner.segment});
        });
      } else {
        loop(item, more, out);
      }
    }
    return out;
  }

  static bool makes_groups(const Segment& segment) {
    return copies(segment) || group_ends(segment) > 0;
  }
  static bool takes_part(const Segment& segment) {
    return makes_groups(segment) || waits_for_copies(segment);
  }

  std::size_t add_variant(Variant variant) {
    constexpr std::size_t kMost = 1 << 16;  // a walk enters each loop twice, and those within it
    if (variants_.size() >= kMost) fits_ = false;
    variants_.push_back(variant);
    return variants_.size() - 1;
  }

  std::size_t enter(const ProgramItem& item, bool more) {
    const Segment& entered = segment(item);
    const auto ends = static_cast<std::int64_t>(group_ends(entered));
    // One wait would be for its loads and its copies.
    if ((copies(entered) || ends > 0) && loads(entered)) fits_ = false;
    Variant here{*item.segment};
    if (waits_for_copies(entered)) {
      const std::int64_t ready = issued_ - (more ? left_in_flight_ : 0) - taken_;
      fits_ = fits_ && ready >= 0 && ready <= kMostAwaited;
      here.awaited = std::max<std::int64_t>(ready, 0);
      taken_ += here.awaited;
    }
    const std::size_t at = add_variant(here);
    if (copies(entered)) {
      copying_ = at;
      has_older_copies_ = false;
    }
    if (ends > 0) end_groups(ends, at);
    return at;
  }

  // A group lands with the last copies before its end; an empty one has landed.
  void end_groups(std::int64_t ends, std::size_t at) {
    if (!copying_ && has_older_copies_) fits_ = false;
    issued_ += ends;
    variants_[copying_.value_or(at)].groups += ends;
    copying_.reset();
    has_older_copies_ = false;
  }

  // Copies before the edge of a loop are not those of a group that ends behind it.
  void pass_edge(bool keeps_older) {
    has_older_copies_ = keeps_older && (has_older_copies_ || copying_);
    copying_.reset();
  }

  // The second iteration shows what all later ones do.
  void loop(const ProgramItem& item, bool more, Items& out) {
    const bool more_inside = more || (item.repeat > 1 && any(item.body, makes_groups));
    const bool ends_groups =
        any(item.body, [](const Segment& segment) { return group_ends(segment) > 0; });
    const auto iteration = [&] {
      pass_edge(true);
      return walk(item.body, more_inside);
    };
    const Items first = iteration();
    if (item.repeat == 1) {
      pass_edge(!ends_groups);
      return append(first, out);
    }
    const std::int64_t issued = issued_, taken = taken_;
    const Items body = iteration();
    // The last copies of a loop that ends groups are rarely made: its last groups are empty.
    pass_edge(!ends_groups);
    repeat(item.repeat - 2, issued_ - issued, issued_);
    repeat(item.repeat - 2, taken_ - taken, taken_);
    const bool is_alike = std::equal(first.begin(), first.end(), body.begin(), body.end(),
                                     [&](const auto& a, const auto& b) { return is_same(a, b); });
    if (!is_alike) append(jumping(first), out);
    unroll(body, item.repeat - (is_alike ? 0 : 1), out);
  }

  void repeat(std::int64_t times, std::int64_t each, std::int64_t& sum) {
    constexpr std::int64_t kMostGroups = std::int64_t{1} << 40;
    std::int64_t more = 0;
    if (__builtin_mul_overflow(times, each, &more) || more > kMostGroups) fits_ = false;
    sum += fits_ ? more : 0;
  }

  bool is_same(const ProgramItem& a, const ProgramItem& b) const {
    if (a.segment) return b.segment && variants_[*a.segment] == variants_[*b.segment];
    return a.repeat == b.repeat && !b.segment &&
           std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(),
                      [&](const auto& x, const auto& y) { return is_same(x, y); });
  }

  // The same body where another iteration follows in other rows.
  Items jumping(Items body) {
    if (!body.empty() && body.back().segment) {
      Variant last = variants_[*body.back().segment];
      last.jumps_back = true;
      body.back().segment = add_variant(last);
    }
    return body;
  }

  void unroll(const Items& body, std::int64_t repeat, Items& out) {
    std::int64_t ended = 0;  // by an iteration
    for (const ProgramItem& item : body)
      ended += item.segment ? variants_[*item.segment].groups : 0;
    const std::int64_t in_flight =
        ended > 0 ? std::min((left_in_flight_ - 1) / ended + 2, repeat) : std::int64_t{1};
    if (static_cast<std::size_t>(in_flight) * size_of(body) > kMostItems) fits_ = false;
    if (!fits_) return;
    const Items before = jumping(body);
    for (std::int64_t i = 0; i < repeat % in_flight; ++i) append(before, out);
    ProgramItem loop;
    loop.repeat = repeat / in_flight;
    for (std::int64_t i = 1; i < in_flight; ++i) append(before, loop.body);
    append(body, loop.body);
    if (loop.repeat == 1) return append(loop.body, out);
    out.push_back(std::move(loop));
  }

  static void append(const Items& from, Items& to) {
    to.insert(to.end(), from.begin(), from.end());
  }

  // The first segment behind the loops that copy waits for the groups that are left. (The profile
  // shows no wait for copies that another wait was for.)
  bool await_the_rest(Items& program) {
    const auto has_part = [&](const ProgramItem& item) {
      bool has = false;
      for_each_item(only(item), [&](const ProgramPlace& at) {
        has |= at.item.segment && takes_part(segment(variants_[*at.item.segment].number));
      });
      return has;
    };
    std::size_t behind = program.size();
    while (behind > 0 && !has_part(program[behind - 1])) --behind;
    const auto next =
        std::find_if(program.begin() + static_cast<std::ptrdiff_t>(behind), program.end(),
                     [](const ProgramItem& item) { return item.segment.has_value(); });
    const std::int64_t left = issued_ - taken_;
    if (next == program.end() || left < 0 || left > kMostAwaited) return false;
    Variant waiting = variants_[*next->segment];  // its own: other items may have the same one
    waiting.awaited += left;
    next->segment = add_variant(waiting);
    return fits_;
  }

  static constexpr std::int64_t kMostAwaited = 4096;  // of the net's parameter

  const Launch& launch_;
  std::int64_t left_in_flight_ = 0;  // groups that a wait leaves in flight
  bool fits_ = true;
  std::int64_t issued_ = 0, taken_ = 0;
  std::vector<Variant> variants_;
  std::optional<std::size_t> copying_;  // the variant with copies that no group has ended yet
  bool has_older_copies_ = false;       // such copies before the last edge of a loop
};

Waits with_loads(Waits waits) {
  const bool products = waits == Waits::kProducts || waits == Waits::kShortScoreboardAndProducts ||
                        waits == Waits::kAll;
  return products ? Waits::kAll : Waits::kLoads;
}

// Copies of a group that a later segment ends land with that one, so nothing waits for them alone.
SegmentCost cost_of(const Variant& variant, const Segment& segment, const ProgramCosts& costs) {
  SegmentCost out = costs.segments[variant.number];
  out.groups = variant.groups;
  out.awaited = variant.awaited;
  if (variant.awaited > 0) out.waits = with_loads(out.waits);
  if (copies(segment)) out.latency = variant.groups > 0 ? out.whole_latency : 0;
  if (variant.jumps_back) out.work += std::max(costs.branch_cycles - 1, 0.0);
  return out;
}

}  // namespace

void wait_for_copy_groups(const Launch& launch, std::vector<std::vector<ProgramItem>>& programs,
                          ProgramCosts& costs) {
  std::map<Variant, std::size_t> numbers;
  for (std::vector<ProgramItem>& program : programs) {
    GroupWalk walk(launch);
    auto changed = walk.with_groups(program);
    if (!changed) continue;
    change_each_item(*changed, [&](ProgramItem& item) {
      if (!item.segment) return;
      const Variant& variant = walk.variants()[*item.segment];
      const auto [it, is_new] = numbers.try_emplace(variant, costs.segments.size());
      if (is_new) {
        const Segment& segment = launch.segments[variant.number % launch.segments.size()];
        costs.origins.push_back(variant.number);
        costs.segments.push_back(cost_of(variant, segment, costs));
      }
      item.segment = it->second;
    });
    program = std::move(*changed);
  }
}

}  // namespace pnsim
