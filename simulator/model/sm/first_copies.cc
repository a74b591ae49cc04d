#include "simulator/model/sm/first_copies.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace pnsim {
namespace {

using IsWanted = std::function<bool(const Segment&)>;

// The first segment of a program that is wanted.
std::optional<std::size_t> first_of(const std::vector<ProgramItem>& program, const Launch& launch,
                                    const IsWanted& is_wanted) {
  for (const ProgramItem& item : program) {
    if (item.repeat <= 0) continue;
    if (item.segment) {
      if (is_wanted(launch.segments[*item.segment])) return item.segment;
    } else if (const auto inner = first_of(item.body, launch, is_wanted)) {
      return inner;
    }
  }
  return std::nullopt;
}

using Change = std::function<void(std::vector<ProgramItem>&)>;

// Applies `change` to the first execution of `wanted`, as a program of one item. Iterations before
// and after it stay loops.
bool change_first(std::vector<ProgramItem>& program, std::size_t wanted, const Change& change) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program[i].repeat <= 0) continue;
    std::vector<ProgramItem> first =
        program[i].segment ? std::vector<ProgramItem>{program[i]} : program[i].body;
    if (program[i].segment) {
      if (*program[i].segment != wanted) continue;
      first[0].repeat = 1;
      change(first);
    } else if (!change_first(first, wanted, change)) {
      continue;
    }
    const auto at = program.begin() + static_cast<std::ptrdiff_t>(i);
    if (--program[i].repeat == 0) {
      program.insert(program.erase(at), first.begin(), first.end());
    } else {
      program.insert(at, first.begin(), first.end());
    }
    return true;
  }
  return false;
}

class FirstCopies {
 public:
  FirstCopies(Launch& launch, std::vector<std::size_t>& origins)
      : launch_(launch), origins_(origins) {}

  void wait_in(std::vector<ProgramItem>& program) {
    const auto copy = first_of(program, launch_, copies_in_bulk),
               product = first_of(program, launch_, multiplies_matrices);
    const bool copies_first = copy && copy != product;
    if (copies_first) {
      change_first(program, *copy, [&](std::vector<ProgramItem>& items) {
        items[0].segment = awaited(*copy);
        if (!product) items.push_back(meeting(true, *copy));
      });
    }
    if (product) {
      change_first(program, *product, [&](std::vector<ProgramItem>& items) {
        items.insert(items.begin(), meeting(copies_first, *product));
      });
    } else if (!copy) {
      const auto any = first_of(program, launch_, [](const Segment&) { return true; });
      if (any) program.insert(program.begin(), meeting(false, *any));
    }
  }

 private:
  std::size_t awaited(std::size_t copy) {
    Segment segment = launch_.segments[copy];
    segment.awaits_bulk_copies = true;
    return added(segment, copy);
  }

  // A barrier of the block, at which a warp that copies waits for its copies first.
  ProgramItem meeting(bool waits, std::size_t where) {
    Segment segment;
    segment.end = SegmentEnd::kBarrier;
    if (waits) segment.waits_for = {LateResult::kGlobal};
    return {1, segment.counts(), {}, added(segment, where)};
  }

  std::size_t added(const Segment& segment, std::size_t where) {
    launch_.segments.push_back(segment);
    origins_.push_back(origins_[where]);
    return launch_.segments.size() - 1;
  }

  Launch& launch_;
  std::vector<std::size_t>& origins_;
};

}  // namespace

Launch with_first_copies_awaited(Launch launch, std::vector<std::size_t>& origins) {
  const auto in_some = [&](const IsWanted& is_wanted) {
    return std::any_of(launch.warp_kinds.begin(), launch.warp_kinds.end(),
                       [&](const WarpKind& kind) {
                         return first_of(kind.program, launch, is_wanted).has_value();
                       });
  };
  if (!in_some(copies_in_bulk)) return launch;
  if (origins.empty()) {
    origins.resize(launch.segments.size());
    std::iota(origins.begin(), origins.end(), std::size_t{0});
  }
  FirstCopies copies(launch, origins);
  for (WarpKind& kind : launch.warp_kinds) copies.wait_in(kind.program);
  return launch;
}

}  // namespace pnsim
