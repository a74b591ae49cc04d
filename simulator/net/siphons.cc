#include "simulator/net/siphons.h"

#include <algorithm>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

enum class Kind { kSiphon, kTrap };

SiphonFlow flow_of(const Net& net, Kind kind) {
  SiphonFlow flow{std::vector<std::vector<std::uint32_t>>(net.place_count()), {}, {}};
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const TransitionId id{t};
    const auto from = kind == Kind::kSiphon ? net.inputs(id) : net.outputs(id);
    const auto to = kind == Kind::kSiphon ? net.outputs(id) : net.inputs(id);
    for (const Arc& arc : from) flow.takers[arc.place.value].push_back(t);
    std::vector<std::uint32_t>& given = flow.given.emplace_back();
    for (const Arc& arc : to) given.push_back(arc.place.value);
    flow.taken.push_back(static_cast<std::uint32_t>(from.size()));
  }
  return flow;
}

// The largest siphon inside a set that shrinks place by place; removals can be undone.
class ShrinkingSiphon {
 public:
  explicit ShrinkingSiphon(const SiphonFlow& flow)
      : flow_(flow),
        in_(flow.takers.size(), true),
        pinned_(flow.takers.size()),
        taken_(flow.taken),
        size_(in_.size()) {
    for (std::uint32_t t = 0; t < taken_.size(); ++t) {
      if (taken_[t] > 0) continue;
      for (const std::uint32_t p : flow_.given[t]) remove(p);
    }
  }

  bool contains(std::uint32_t p) const { return in_[p]; }
  std::size_t size() const { return size_; }

  // Pins a place that the siphon must keep, or unpins it. The place must be inside.
  void pin(std::uint32_t p, bool on) { pinned_[p] = on; }
  bool is_pinned(std::uint32_t p) const { return pinned_[p]; }
  bool holds_pinned() const { return size_ > 0 && pinned_lost_ == 0; }

  std::uint64_t work() const { return work_; }

  // Removes p, then repeatedly every place with an input transition that has no input place left in
  // the set.
  void remove(std::uint32_t p) {
    std::size_t next = removed_.size();
    take_out(p);
    for (; next < removed_.size(); ++next) {
      for (const std::uint32_t t : flow_.takers[removed_[next]]) {
        ++work_;
        if (--taken_[t] > 0) continue;
        for (const std::uint32_t q : flow_.given[t]) take_out(q);
      }
    }
  }

  std::size_t mark() const { return removed_.size(); }

  // Restores the state at the time when mark() returned `mark`.
  void undo(std::size_t mark) {
    while (removed_.size() > mark) {
      const std::uint32_t p = removed_.back();
      removed_.pop_back();
      in_[p] = true;
      ++size_;
      pinned_lost_ -= pinned_[p] ? 1 : 0;
      for (const std::uint32_t t : flow_.takers[p]) ++taken_[t];
    }
  }

 private:
  void take_out(std::uint32_t p) {
    ++work_;
    if (!in_[p]) return;
    in_[p] = false;
    --size_;
    pinned_lost_ += pinned_[p] ? 1 : 0;
    removed_.push_back(p);
  }

  const SiphonFlow& flow_;
  std::vector<char> in_;              // [place]
  std::vector<char> pinned_;          // [place]
  std::vector<std::uint32_t> taken_;  // [transition] number of its input places in the set
  std::vector<std::uint32_t> removed_;
  std::size_t size_;
  std::size_t pinned_lost_ = 0;
  std::uint64_t work_ = 0;
};

PlaceSet members(const ShrinkingSiphon& siphon, std::size_t place_count) {
  PlaceSet out;
  for (std::uint32_t p = 0; p < place_count; ++p) {
    if (siphon.contains(p)) out.push_back(PlaceId{p});
  }
  return out;
}

PlaceSet largest_within(const SiphonFlow& flow, const PlaceSet& allowed) {
  ShrinkingSiphon siphon(flow);
  std::vector<char> is_allowed(flow.takers.size());
  for (const PlaceId p : allowed) is_allowed[p.value] = true;
  for (std::uint32_t p = 0; p < is_allowed.size(); ++p) {
    if (!is_allowed[p] && siphon.contains(p)) siphon.remove(p);
  }
  return members(siphon, is_allowed.size());
}

class Search {
 public:
  Search(const SiphonFlow& flow, const SiphonLimits& limits)
      : place_count_(flow.takers.size()), limits_(limits), siphon_(flow) {}

  PlaceSets run() {
    if (place_count_ > limits_.max_places) {
      found_.stopped = "over " + grouped(static_cast<long long>(limits_.max_places)) + " places";
    } else {
      search();
      std::sort(found_.sets.begin(), found_.sets.end());
    }
    return std::move(found_);
  }

 private:
  // Records all minimal siphons inside siphon_ that contain every pinned place.
  void search();

  void shrink(const PlaceSet& places);
  bool is_minimal(const PlaceSet& set);
  bool within_limits();

  std::size_t place_count_;
  SiphonLimits limits_;
  ShrinkingSiphon siphon_;
  std::uint64_t scanned_ = 0;  // places examined, besides the siphon's own work
  PlaceSets found_;
};

bool Search::within_limits() {
  if (found_.sets.size() >= limits_.max_sets) {
    found_.stopped = "after " + grouped(static_cast<long long>(limits_.max_sets)) + " sets";
  } else if (scanned_ + siphon_.work() > limits_.max_work) {
    found_.stopped = "after " + grouped(static_cast<long long>(limits_.max_work)) + " operations";
  }
  return found_.stopped.empty();
}

// Removes places while a siphon with every pinned place remains.
void Search::shrink(const PlaceSet& places) {
  for (const PlaceId p : places) {
    if (siphon_.is_pinned(p.value) || !siphon_.contains(p.value)) continue;
    const std::size_t before = siphon_.mark();
    siphon_.remove(p.value);
    if (!siphon_.holds_pinned()) siphon_.undo(before);
  }
}

// True when siphon_, which equals `set`, contains no smaller siphon.
bool Search::is_minimal(const PlaceSet& set) {
  return std::all_of(set.begin(), set.end(), [&](PlaceId p) {
    const std::size_t before = siphon_.mark();
    siphon_.remove(p.value);
    const bool is_gone = siphon_.size() == 0;
    siphon_.undo(before);
    return is_gone;
  });
}

void Search::search() {
  if (!siphon_.holds_pinned() || !within_limits()) return;
  const std::size_t before = siphon_.mark();
  shrink(members(siphon_, place_count_));
  const PlaceSet set = members(siphon_, place_count_);
  scanned_ += 2 * place_count_;
  if (is_minimal(set)) found_.sets.push_back(set);
  siphon_.undo(before);
  // Every other minimal siphon lacks a place of this one. The branches differ by the first such
  // place, so no siphon is found twice.
  PlaceSet pinned_here;
  for (const PlaceId p : set) {
    if (siphon_.is_pinned(p.value)) continue;
    siphon_.remove(p.value);
    search();
    siphon_.undo(before);
    siphon_.pin(p.value, true);
    pinned_here.push_back(p);
  }
  for (const PlaceId p : pinned_here) siphon_.pin(p.value, false);
}

}  // namespace

PlaceSet largest_siphon_within(const Net& net, const PlaceSet& allowed) {
  return largest_within(flow_of(net, Kind::kSiphon), allowed);
}

PlaceSet largest_trap_within(const Net& net, const PlaceSet& allowed) {
  return largest_within(flow_of(net, Kind::kTrap), allowed);
}

TrapFinder::TrapFinder(const Net& net) : flow_(flow_of(net, Kind::kTrap)) {}

PlaceSet TrapFinder::largest_within(const PlaceSet& allowed) const {
  return pnsim::largest_within(flow_, allowed);
}

PlaceSets minimal_siphons(const Net& net, const SiphonLimits& limits) {
  const SiphonFlow flow = flow_of(net, Kind::kSiphon);
  return Search(flow, limits).run();
}

PlaceSets minimal_traps(const Net& net, const SiphonLimits& limits) {
  const SiphonFlow flow = flow_of(net, Kind::kTrap);
  return Search(flow, limits).run();
}

}  // namespace pnsim
