#include "simulator/model/sm/bulk_stages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "simulator/model/launch/busiest_scheduler.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/memory_units.h"
#include "simulator/model/memory/traffic.h"
#include "simulator/model/sm/untimed_block.h"

namespace pnsim {
namespace {

using Programs = std::vector<std::vector<ProgramItem>>;

constexpr std::int64_t kMostStages = 64;  // of a ring, so that unrolled loops stay short

// [number of a segment in the programs] the segment of the launch.
class SegmentOfNumber {
 public:
  // Numbers behind `given` are variants of the numbers in `origins`.
  SegmentOfNumber(const Launch& launch, std::size_t given, std::span<const std::size_t> origins)
      : launch_(launch), given_(given), origins_(origins) {}

  std::size_t origin(std::size_t number) const {
    return number < given_ ? number : origins_[number - given_];
  }
  const Segment& operator[](std::size_t number) const {
    return launch_.segments[origin(number) % launch_.segments.size()];
  }

 private:
  const Launch& launch_;
  std::size_t given_;
  std::span<const std::size_t> origins_;
};

double copied_bytes(const Segment& segment) {
  double sectors = 0;
  for (const SegmentAccess& access : segment.accesses) {
    if (class_of(access).id == OpcodeClassId::kBulkCopy) sectors += access.sectors;
  }
  return kSectorBytes * sectors;
}

// Executions of segments that copy, or multiply, and the bytes of these copies.
struct StageSums {
  static constexpr std::int64_t kTooMany = std::int64_t{1} << 36;
  std::int64_t copies = 0, products = 0;  // at most kTooMany
  double bytes = 0;

  bool are_too_many() const { return std::max(copies, products) >= kTooMany; }
  void add(const StageSums& other) {
    copies = std::min(copies + std::min(other.copies, kTooMany), kTooMany);
    products = std::min(products + std::min(other.products, kTooMany), kTooMany);
    bytes += other.bytes;
  }
};

StageSums stage_sums(const std::vector<ProgramItem>& program, const SegmentOfNumber& segments) {
  StageSums sums;
  for_each_item(program, [&](const ProgramPlace& at) {
    if (!at.item.segment) return;
    const Segment& segment = segments[*at.item.segment];
    if (copies_in_bulk(segment))
      sums.add({at.executions, 0, static_cast<double>(at.executions) * copied_bytes(segment)});
    if (multiplies_matrices(segment)) sums.add({0, at.executions, 0});
  });
  return sums;
}

// Tokens that a product drains, those that a copy of each kind of warps fills, and those of a
// block's ring.
struct Stages {
  std::int64_t drains = 0, ring = 0;
  std::vector<std::int64_t> fills;  // [kind]; 0: it copies nothing
  std::int64_t in_flight = 1;       // copies
};

// In the net a product frees its stages when it begins, in hardware when it ends: so the ring has
// fewer, by those of one product.
std::int64_t copies_in_ring(const Launch& launch, const StageSums& block) {
  const double landed = block.bytes * taken_in_by_copies(launch);
  const auto all = static_cast<std::int64_t>(std::min(
      static_cast<double>(launch.shared_bytes) * static_cast<double>(block.copies) / landed,
      static_cast<double>(kMostStages)));
  const std::int64_t of_product = (block.copies + block.products - 1) / block.products;
  return std::max(all - of_product, of_product + 1);
}

// A row of the net has one countdown: for stages, for other loads, or for products.
bool copies_beside_others(const Segment& segment) {
  if (!copies_in_bulk(segment)) return false;
  return multiplies_matrices(segment) || count_of(segment, "copy_commit") > 0 ||
         std::any_of(segment.accesses.begin(), segment.accesses.end(),
                     [](const SegmentAccess& access) {
                       return class_of(access).id != OpcodeClassId::kBulkCopy &&
                              is_load(class_of(access).result);
                     });
}

StageSums block_sums(const Phase& phase, const std::vector<StageSums>& of_kind) {
  StageSums block;
  for (const std::size_t kind : phase.kinds) block.add(of_kind[kind]);
  return block;
}

// Whether the warps that multiply do so about as often. The stages of a block are not of one warp:
// a warp with fewer products would take those of others.
bool multiply_alike(const Phase& phase, const std::vector<StageSums>& of_kind) {
  constexpr double kMostApart = 1.1;
  std::int64_t fewest = 0, most = 0;
  for (const std::size_t kind : phase.kinds) {
    const std::int64_t products = of_kind[kind].products;
    if (products == 0) continue;
    fewest = fewest == 0 ? products : std::min(fewest, products);
    most = std::max(most, products);
  }
  return static_cast<double>(most) <= kMostApart * static_cast<double>(fewest);
}

std::vector<std::size_t> reversed(std::vector<std::size_t> kinds) {
  std::reverse(kinds.begin(), kinds.end());
  return kinds;
}

// All copies of a block fill at least what all of its products drain.
std::optional<Stages> stages_of_sums(const Launch& launch, const std::vector<Phase>& phases,
                                     const std::vector<StageSums>& of_kind) {
  constexpr std::int64_t kTokens = 1 << 20;  // of a product, so that shares are exact
  Stages stages{kTokens, 0, std::vector<std::int64_t>(of_kind.size())};
  for (const Phase& phase : phases) {
    const StageSums block = block_sums(phase, of_kind);
    if (block.copies == 0 && block.products == 0) continue;
    if (block.copies == 0 || block.products == 0 || block.bytes <= 0) return std::nullopt;
    if (block.are_too_many() || !multiply_alike(phase, of_kind)) return std::nullopt;
    const std::int64_t fills = (block.products * kTokens - 1) / block.copies + 1;
    for (const std::size_t kind : phase.kinds) {
      if (of_kind[kind].copies > 0) stages.fills[kind] = std::max(stages.fills[kind], fills);
    }
    const std::int64_t copies = copies_in_ring(launch, block);
    stages.ring = std::max(stages.ring, fills * copies);
    stages.in_flight = std::max(stages.in_flight, copies);
  }
  return stages.ring > 0 ? std::optional(std::move(stages)) : std::nullopt;
}

// `rounds`: so many blocks follow each other in a place of an SM, at most. Each begins with what
// the ones before left in the ring.
std::optional<Stages> stages_of(const Launch& launch, const Programs& programs,
                                const std::vector<Phase>& phases, std::int64_t rounds,
                                const SegmentOfNumber& segments) {
  if (std::any_of(launch.segments.begin(), launch.segments.end(), copies_beside_others))
    return std::nullopt;
  std::vector<StageSums> of_kind;
  for (const std::vector<ProgramItem>& program : programs)
    of_kind.push_back(stage_sums(program, segments));
  std::optional<Stages> stages = stages_of_sums(launch, phases, of_kind);
  if (!stages) return std::nullopt;
  UntimedBlocks blocks(programs, {stages->fills, stages->drains, stages->ring},
                       [&](std::size_t number) -> StageEvents {
                         const Segment& segment = segments[number];
                         return {copies_in_bulk(segment), multiplies_matrices(segment),
                                 segment.end == SegmentEnd::kBarrier};
                       });
  constexpr std::int64_t kMostTokens = std::int64_t{1} << 38;  // of the net's parameters, and less
  std::set<std::vector<std::size_t>> known;
  std::int64_t most_left = 0;
  for (const Phase& phase : phases) {
    if (!known.insert(phase.kinds).second) continue;
    // The first and the last warps first.
    for (std::vector<std::size_t> kinds : {phase.kinds, reversed(phase.kinds)}) {
      const std::optional<std::int64_t> left = blocks.left_in_ring(kinds);
      if (!left) return std::nullopt;
      most_left = std::max(most_left, *left);
    }
  }
  // What blocks leave filled takes no room from the next ones.
  if (std::max(most_left, stages->ring) > kMostTokens / rounds) return std::nullopt;
  stages->ring += most_left * rounds + stages->drains;
  return stages;
}

// A longer program is not unrolled: the net would get too many rows.
constexpr std::size_t kMostUnrolledItems = 2000;

// Loops that copy get copies of their bodies, until as many copies as can be on their way are in
// different rows. None where the program becomes too long.
std::optional<std::vector<ProgramItem>> unrolled(std::span<const ProgramItem> items,
                                                 std::int64_t in_flight,
                                                 const SegmentOfNumber& segments) {
  std::vector<ProgramItem> out;
  for (const ProgramItem& item : items) {
    if (out.size() > kMostUnrolledItems) return std::nullopt;
    if (item.body.empty() || item.repeat <= 0) {
      out.push_back(item);
      continue;
    }
    const auto body = unrolled(item.body, in_flight, segments);
    if (!body) return std::nullopt;
    const std::int64_t copies = std::count_if(body->begin(), body->end(), [&](const auto& inner) {
      return inner.segment && copies_in_bulk(segments[*inner.segment]);
    });
    const std::int64_t bodies =
        copies > 0 ? std::clamp<std::int64_t>((in_flight - 1) / copies + 1, 1, item.repeat) : 1;
    if (static_cast<std::size_t>(bodies) * body->size() > kMostUnrolledItems) return std::nullopt;
    const auto append_to = [&](std::vector<ProgramItem>& to) {
      to.insert(to.end(), body->begin(), body->end());
    };
    for (std::int64_t i = 0; i < item.repeat % bodies; ++i) append_to(out);
    ProgramItem loop;
    loop.repeat = item.repeat / bodies;
    std::vector<ProgramItem>& rest = loop.repeat == 1 && bodies > 1 ? out : loop.body;
    for (std::int64_t i = 0; i < bodies; ++i) append_to(rest);
    if (!loop.body.empty()) out.push_back(std::move(loop));
  }
  return out;
}

// With fewer bodies where the program would become too long.
std::vector<ProgramItem> unrolled_to_fit(const std::vector<ProgramItem>& program,
                                         std::int64_t in_flight, const SegmentOfNumber& segments) {
  for (; in_flight > 1; in_flight /= 2) {
    auto out = unrolled(program, in_flight, segments);
    if (!out) continue;
    std::size_t items = 0;
    for_each_item(*out, [&](const ProgramPlace&) { ++items; });
    if (items <= kMostUnrolledItems) return std::move(*out);
  }
  return program;
}

}  // namespace

bool has_bulk_stages(const Launch& launch) {
  if (!counts_taken_in(launch) ||
      std::none_of(launch.segments.begin(), launch.segments.end(), copies_in_bulk))
    return false;
  Programs programs;
  for (const WarpKind& kind : launch.warp_kinds) programs.push_back(kind.program);
  const std::int64_t blocks = (launch.grid - 1) / profiled_sms(launch).value_or(1) + 1;
  return stages_of(launch, programs, phases_of(launch), blocks,
                   {launch, launch.segments.size(), {}})
      .has_value();
}

void mark_bulk_copies(Launch& launch) {
  for (Segment& segment : launch.segments)
    segment.awaits_bulk_copies = segment.fills_stages = copies_in_bulk(segment);
}

std::int64_t add_bulk_stages(const Launch& launch, const std::vector<Phase>& phases,
                             Programs& programs, ProgramCosts& costs) {
  if (std::none_of(launch.segments.begin(), launch.segments.end(),
                   [](const Segment& segment) { return segment.fills_stages; }))
    return 0;
  const std::vector<std::size_t> origins = costs.origins;
  const SegmentOfNumber segments(launch, costs.segments.size() - origins.size(), origins);
  const std::optional<Stages> stages =
      stages_of(launch, programs, phases, sum_of_blocks(phases), segments);
  if (!stages) return 0;
  struct Variant {
    std::size_t number;
    std::int64_t fills, drains;
    auto operator<=>(const Variant&) const = default;
  };
  std::map<Variant, std::size_t> known;
  for (std::size_t kind = 0; kind < programs.size(); ++kind) {
    programs[kind] = unrolled_to_fit(programs[kind], stages->in_flight, segments);
    change_each_item(programs[kind], [&](ProgramItem& item) {
      if (!item.segment) return;
      const Segment& segment = segments[*item.segment];
      const Variant variant{*item.segment, copies_in_bulk(segment) ? stages->fills[kind] : 0,
                            multiplies_matrices(segment) ? stages->drains : 0};
      if (variant.fills == 0 && variant.drains == 0) return;
      const auto [it, is_new] = known.try_emplace(variant, costs.segments.size());
      if (is_new) {
        SegmentCost cost = costs.segments[variant.number];
        cost.fills = variant.fills;
        cost.drains = variant.drains;
        costs.origins.push_back(segments.origin(variant.number));
        costs.segments.push_back(cost);
      }
      item.segment = it->second;
    });
  }
  return stages->ring;
}

}  // namespace pnsim
