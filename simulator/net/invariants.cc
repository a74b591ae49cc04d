#include "simulator/net/invariants.h"

#include <algorithm>

namespace pnsim {
namespace {

std::vector<SparseRow> effects(const Net& net) {
  std::vector<SparseRow> rows;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    rows.push_back(effect_of(net, TransitionId{t}));
  }
  return rows;
}

// Rows of C by place, then one row for each transition without outputs: a virtual place that counts
// its firings.
std::vector<SparseRow> incidence_with_ends(const Net& net) {
  std::vector<SparseRow> rows(net.place_count());
  const std::vector<SparseRow> by_transition = effects(net);
  for (std::uint32_t t = 0; t < by_transition.size(); ++t) {
    for (const IndexWeight& e : by_transition[t]) rows[e.index].push_back({t, e.weight});
  }
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (net.outputs(TransitionId{t}).empty() && !net.inputs(TransitionId{t}).empty()) {
      rows.push_back({{t, 1}});
    }
  }
  return rows;
}

std::optional<Tokens> weighted_tokens(const SparseRow& terms, const Marking& marking) {
  Tokens sum = 0;
  for (const IndexWeight& e : terms) {
    Tokens part = 0;
    if (__builtin_mul_overflow(e.weight, marking[e.index], &part)) return std::nullopt;
    if (__builtin_add_overflow(sum, part, &sum)) return std::nullopt;
  }
  return sum <= kMaxTokens ? std::optional(sum) : std::nullopt;
}

PlaceSum sum_of(const Net& net, SparseRow solution) {
  const auto is_end = [&](const IndexWeight& e) { return e.index >= net.place_count(); };
  PlaceSum sum;
  sum.constant = std::erase_if(solution, is_end) == 0;
  sum.initial = weighted_tokens(solution, net.initial_marking());
  sum.terms = std::move(solution);
  return sum;
}

bool is_nonnegative(const SparseRow& row) {
  return std::all_of(row.begin(), row.end(), [](const IndexWeight& e) { return e.weight > 0; });
}

}  // namespace

SparseRow effect_of(const Net& net, TransitionId t) {
  const auto in = net.inputs(t);
  const auto out = net.outputs(t);
  SparseRow effect;
  auto i = in.begin();
  auto o = out.begin();
  while (i != in.end() || o != out.end()) {
    const bool takes = i != in.end() && (o == out.end() || i->place <= o->place);
    const bool gives = o != out.end() && (i == in.end() || o->place <= i->place);
    const PlaceId place = takes ? i->place : o->place;
    const Tokens change = (gives ? (o++)->weight : 0) - (takes ? (i++)->weight : 0);
    if (change != 0) effect.push_back({place.value, change});
  }
  return effect;
}

PlaceInvariants place_invariants(const Net& net, const EliminationLimits& limits) {
  const std::vector<SparseRow> rows = incidence_with_ends(net);
  const auto columns = static_cast<std::uint32_t>(net.transition_count());
  RowCombinations found = minimal_nonnegative_solutions(rows, columns, limits);
  PlaceInvariants out;
  out.stopped = found.stopped;
  if (!out.stopped.empty()) {
    found = solution_basis(rows, columns, limits);
    if (found.stopped.empty()) out.basis_size = found.solutions.size();
  }
  for (SparseRow& solution : found.solutions) {
    if (is_nonnegative(solution)) out.sums.push_back(sum_of(net, std::move(solution)));
  }
  return out;
}

TransitionInvariants transition_invariants(const Net& net, const EliminationLimits& limits) {
  RowCombinations found = minimal_nonnegative_solutions(
      effects(net), static_cast<std::uint32_t>(net.place_count()), limits);
  return {std::move(found.solutions), std::move(found.stopped)};
}

std::vector<std::optional<Tokens>> place_bounds(const Net& net, const PlaceInvariants& invariants) {
  std::vector<char> can_grow(net.place_count());
  for (const SparseRow& effect : effects(net)) {
    for (const IndexWeight& e : effect) can_grow[e.index] |= e.weight > 0;
  }
  std::vector<std::optional<Tokens>> bounds(net.place_count());
  for (std::size_t p = 0; p < bounds.size(); ++p) {
    if (!can_grow[p]) bounds[p] = net.initial_marking()[p];
  }
  for (const PlaceSum& sum : invariants.sums) {
    if (!sum.initial) continue;
    for (const IndexWeight& e : sum.terms) {
      std::optional<Tokens>& bound = bounds[e.index];
      bound = std::min(bound.value_or(kMaxTokens), *sum.initial / e.weight);
    }
  }
  return bounds;
}

SumProof::SumProof(const Net& net, const PlaceInvariants& invariants)
    : invariants_(invariants), parts_(net.place_count()), need_(invariants.sums.size()) {
  for (std::uint32_t s = 0; s < invariants.sums.size(); ++s) {
    if (!invariants.sums[s].initial) continue;
    for (const IndexWeight& e : invariants.sums[s].terms) {
      parts_[e.index].push_back({s, e.weight});
    }
  }
}

const PlaceSum* SumProof::refutes(std::span<const Arc> needs) const {
  const PlaceSum* found = nullptr;
  for (const Arc& need : needs) {
    for (const Part& part : parts_[need.place.value]) {
      const PlaceSum& sum = invariants_.sums[part.sum];
      unsigned __int128& total = need_[part.sum];
      // The sum is at most 2^62 before and grows by at most 2^62 * 2^63, so it does not overflow.
      if (total > static_cast<unsigned __int128>(*sum.initial)) continue;
      total +=
          static_cast<unsigned __int128>(need.weight) * static_cast<unsigned __int128>(part.weight);
      if (total > static_cast<unsigned __int128>(*sum.initial) && !found) found = &sum;
    }
  }
  for (const Arc& need : needs) {
    for (const Part& part : parts_[need.place.value]) need_[part.sum] = 0;
  }
  return found;
}

}  // namespace pnsim
