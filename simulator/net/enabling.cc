#include "simulator/net/enabling.h"

#include <algorithm>
#include <iterator>

namespace pnsim {
namespace {

constexpr std::size_t kMaxNames = 8;  // names listed in one reason

bool has_place(std::span<const Arc> arcs, PlaceId p) {
  const auto at = std::lower_bound(arcs.begin(), arcs.end(), p,
                                   [](const Arc& arc, PlaceId q) { return arc.place < q; });
  return at != arcs.end() && at->place == p;
}

bool takes_from(const Net& net, TransitionId t, PlaceId p) { return has_place(net.inputs(t), p); }

std::string group_name(const Net& net, PlaceId p) { return std::string(net.group_of(p)); }

bool inhibits(const Net& net, TransitionId t, TransitionId u) {
  const auto inhibitors = net.inhibitors(t);
  return std::any_of(inhibitors.begin(), inhibitors.end(),
                     [&](PlaceId p) { return takes_from(net, u, p); });
}

// The joint requirement of both, place by place: the larger weight.
std::vector<Arc> joint_needs(std::span<const Arc> a, std::span<const Arc> b) {
  std::vector<Arc> out;
  out.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out),
             [](const Arc& x, const Arc& y) { return x.place < y.place; });
  std::vector<Arc> joined;
  for (const Arc& arc : out) {
    if (!joined.empty() && joined.back().place == arc.place) {
      joined.back().weight = std::max(joined.back().weight, arc.weight);
    } else {
      joined.push_back(arc);
    }
  }
  return joined;
}

// Marked places to which every transition with an input arc from them returns a token.
std::vector<char> never_empty_places(const Net& net) {
  std::vector<char> never_empty(net.place_count());
  for (std::size_t p = 0; p < never_empty.size(); ++p) {
    never_empty[p] = net.initial_marking()[p] > 0;
  }
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const auto outputs = net.outputs(TransitionId{t});
    for (const Arc& arc : net.inputs(TransitionId{t})) {
      if (!has_place(outputs, arc.place)) never_empty[arc.place.value] = false;
    }
  }
  return never_empty;
}

}  // namespace

EnablingProof::EnablingProof(const Net& net, const PlaceInvariants& invariants)
    : net_(net), sums_(net, invariants), blocks_(net.transition_count()) {
  find_costs(invariants);
  const std::vector<char> never_empty = never_empty_places(net);
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    blocks_[t] = block_by_arcs(TransitionId{t}, never_empty);
  }
  find_unreached();
}

void EnablingProof::find_costs(const PlaceInvariants& invariants) {
  std::vector<std::size_t> sums_with(net_.place_count());
  for (const PlaceSum& sum : invariants.sums) {
    for (const IndexWeight& e : sum.terms) ++sums_with[e.index];
  }
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    std::size_t cost = 1 + net_.inhibitors(TransitionId{t}).size();
    for (const Arc& arc : net_.inputs(TransitionId{t})) cost += 1 + sums_with[arc.place.value];
    costs_.push_back(cost);
  }
}

EnablingProof::Block EnablingProof::block_by_arcs(TransitionId t,
                                                  const std::vector<char>& never_empty) const {
  for (const PlaceId p : net_.inhibitors(t)) {
    if (takes_from(net_, t, p)) {
      return {"takes from " + group_name(net_, p) + " and is inhibited by it", true};
    }
    if (never_empty[p.value]) {
      return {"is inhibited by " + group_name(net_, p) + ", which is never empty", true};
    }
  }
  const PlaceSum* sum = sums_.refutes(net_.inputs(t));
  return sum ? Block{excess_of(t, *sum), *sum->initial > 0} : Block{};
}

std::string EnablingProof::excess_of(TransitionId t, const PlaceSum& sum) const {
  std::string needs;
  std::size_t named = 0;
  for (const Arc& arc : net_.inputs(t)) {
    const auto at = std::lower_bound(sum.terms.begin(), sum.terms.end(), arc.place.value,
                                     [](const auto& e, std::uint32_t p) { return e.index < p; });
    if (at == sum.terms.end() || at->index != arc.place.value) continue;
    if (++named > kMaxNames) {
      needs += " and others";
      break;
    }
    needs += (needs.empty() ? "" : " and ") + std::to_string(arc.weight) + " of " +
             group_name(net_, arc.place);
  }
  return "needs " + needs + ", more than an invariant allows";
}

// Propagates tokens from the marked places through all transitions that nothing forbids. A
// transition with an unreached input place is never enabled.
void EnablingProof::find_unreached() {
  std::vector<char> reached(net_.place_count());
  // [place] its output transitions
  std::vector<std::vector<std::uint32_t>> waiting(net_.place_count());
  std::vector<std::size_t> missing(net_.transition_count());
  std::vector<std::uint32_t> ready;
  for (std::size_t p = 0; p < reached.size(); ++p) reached[p] = net_.initial_marking()[p] > 0;
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    for (const Arc& arc : net_.inputs(TransitionId{t})) {
      if (reached[arc.place.value]) continue;
      waiting[arc.place.value].push_back(t);
      ++missing[t];
    }
    if (missing[t] == 0 && is_free(t)) ready.push_back(t);
  }
  while (!ready.empty()) {
    const TransitionId t{ready.back()};
    ready.pop_back();
    for (const Arc& arc : net_.outputs(t)) {
      if (reached[arc.place.value]) continue;
      reached[arc.place.value] = true;
      for (const std::uint32_t u : waiting[arc.place.value]) {
        if (--missing[u] == 0 && is_free(u)) ready.push_back(u);
      }
    }
  }
  explain_unreached(reached);
}

void EnablingProof::explain_unreached(const std::vector<char>& reached) {
  for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
    if (!is_free(t)) continue;
    for (const Arc& arc : net_.inputs(TransitionId{t})) {
      if (reached[arc.place.value]) continue;
      blocks_[t].reason =
          "takes from " + group_name(net_, arc.place) + ", which never gets a token";
      break;
    }
  }
}

bool EnablingProof::never_together(TransitionId t, TransitionId u) const {
  if (!is_free(t.value) || !is_free(u.value)) return true;
  if (inhibits(net_, t, u) || inhibits(net_, u, t)) return true;
  return sums_.refutes(joint_needs(net_.inputs(t), net_.inputs(u))) != nullptr;
}

}  // namespace pnsim
