// A second, slow implementation of the firing rule, which follows docs/law.md sentence by sentence.
// It shares no code with simulator/engine, so that tests can compare the engine with it on random
// nets.
#pragma once

#include <Random123/philox.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "simulator/engine/draws.h"
#include "simulator/net/net.h"

namespace pnsim::test {

class LawByTheBook {
 public:
  LawByTheBook(const Net& net, RunId id) : net_(net), id_(id) {}

  // M(p) >= W(p,t) for every input, M(p) = 0 for every inhibitor.
  std::vector<TransitionId> enabled(const Marking& marking) const {
    std::vector<TransitionId> out;
    for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
      bool is = true;
      for (const Arc& arc : net_.inputs(TransitionId{t}))
        is &= marking[arc.place.value] >= arc.weight;
      for (const PlaceId p : net_.inhibitors(TransitionId{t})) is &= marking[p.value] == 0;
      if (is) out.push_back(TransitionId{t});
    }
    return out;
  }

  // The transitions that fire in step `step` from `marking`, sorted.
  std::vector<TransitionId> fired(const Marking& marking, std::uint64_t step) const {
    const std::vector<TransitionId> all = enabled(marking);
    const std::vector<bool> contested = contested_places(all, marking);
    const std::vector<std::size_t> component = components(all, contested);
    std::vector<TransitionId> out;
    for (std::size_t c = 0; c < all.size(); ++c) {
      std::vector<TransitionId> members;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (component[i] == c) members.push_back(all[i]);
      }
      if (!members.empty()) settle(members, contested, marking, step, out);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  static bool covered(const Net& net, TransitionId t, const Marking& left) {
    return std::all_of(net.inputs(t).begin(), net.inputs(t).end(),
                       [&](const Arc& arc) { return left[arc.place.value] >= arc.weight; });
  }

  static void take(const Net& net, TransitionId t, Marking& left) {
    for (const Arc& arc : net.inputs(t)) left[arc.place.value] -= arc.weight;
  }

 private:
  std::vector<bool> contested_places(const std::vector<TransitionId>& enabled,
                                     const Marking& marking) const {
    std::vector<__int128> wanted(net_.place_count());
    for (const TransitionId t : enabled) {
      for (const Arc& arc : net_.inputs(t)) wanted[arc.place.value] += arc.weight;
    }
    std::vector<bool> out;
    for (std::size_t p = 0; p < wanted.size(); ++p) out.push_back(wanted[p] > marking[p]);
    return out;
  }

  bool share(TransitionId a, TransitionId b, const std::vector<bool>& contested) const {
    for (const Arc& x : net_.inputs(a)) {
      for (const Arc& y : net_.inputs(b)) {
        if (x.place == y.place && contested[x.place.value]) return true;
      }
    }
    return false;
  }

  // [enabled transition] the position of the first member of its component.
  std::vector<std::size_t> components(const std::vector<TransitionId>& enabled,
                                      const std::vector<bool>& contested) const {
    std::vector<std::size_t> label(enabled.size());
    std::iota(label.begin(), label.end(), std::size_t{0});
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < enabled.size(); ++i) {
        for (std::size_t j = 0; j < enabled.size(); ++j) {
          if (label[i] <= label[j] || !share(enabled[i], enabled[j], contested)) continue;
          label[i] = label[j];
          changed = true;
        }
      }
    }
    return label;
  }

  void settle(std::vector<TransitionId> r, const std::vector<bool>& contested,
              const Marking& marking, std::uint64_t step, std::vector<TransitionId>& out) const {
    std::uint32_t lowest = static_cast<std::uint32_t>(net_.place_count());
    for (const TransitionId t : r) {
      for (const Arc& arc : net_.inputs(t)) {
        if (contested[arc.place.value]) lowest = std::min(lowest, arc.place.value);
      }
    }
    if (lowest == net_.place_count()) {  // it takes from no contested place
      out.insert(out.end(), r.begin(), r.end());
      return;
    }
    Marking left = marking;
    for (std::uint32_t d = 0; !r.empty(); ++d) {
      const auto j =
          static_cast<std::ptrdiff_t>((std::uint64_t{word(lowest, step, d)} * r.size()) >> 32);
      out.push_back(r[static_cast<std::size_t>(j)]);
      take(net_, out.back(), left);
      r.erase(r.begin() + j);
      std::erase_if(r, [&](TransitionId t) { return !covered(net_, t, left); });
    }
  }

  // Draw d of the component whose lowest contested place is q.
  std::uint32_t word(std::uint32_t q, std::uint64_t step, std::uint32_t d) const {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    const r123::Philox4x32 philox;
    const auto key = philox({{id_.replica, id_.stream, 0, 0}}, {{low(id_.seed), high(id_.seed)}});
    return philox({{q, low(step), high(step), d / 4}}, {{key[0], key[1]}})[d % 4];
  }

  const Net& net_;
  RunId id_;
};

}  // namespace pnsim::test
