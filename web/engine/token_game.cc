#include "web/engine/token_game.h"

#include <algorithm>
#include <set>

#include "simulator/base/error.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"

namespace pnsim {

TokenGame::TokenGame(Net net)
    : net_(std::move(net)), plan_(net_), marking_(net_.initial_marking()) {}

std::span<const TransitionId> TokenGame::enabled() {
  plan_.examine(marking_);
  return plan_.enabled();
}

std::optional<Outcome> TokenGame::outcome() {
  if (net_.goal_holds(marking_)) return Outcome::kGoal;
  const std::span<const TransitionId> can_fire = enabled();
  if (can_fire.empty()) return Outcome::kDead;
  const bool is_fixed =
      may_end_fixed(net_) && std::all_of(can_fire.begin(), can_fire.end(),
                                         [&](TransitionId t) { return changes_nothing(net_, t); });
  return is_fixed ? std::optional(Outcome::kFixed) : std::nullopt;
}

std::vector<std::vector<TransitionId>> TokenGame::step(std::uint64_t seed, std::uint64_t steps) {
  const RunKey key = run_key({seed, 0, 0});
  std::vector<std::vector<TransitionId>> out;
  std::vector<TransitionId> fired;
  while (out.size() < steps && !outcome()) {
    settle_all(plan_, marking_, key, history_.size(), fired);
    std::sort(fired.begin(), fired.end());
    if (firings_ + fired.size() > kMaxFirings) {
      fail_limit("the game holds " + std::to_string(kMaxFirings) +
                 " firings, the most that it keeps; go back or begin again");
    }
    Marking after = marking_;
    apply_step(net_, fired, after);
    marking_ = std::move(after);
    firings_ += fired.size();
    history_.push_back(fired);
    out.push_back(fired);
  }
  return out;
}

void TokenGame::undo(const std::vector<TransitionId>& fired, Marking& marking) const {
  for (const TransitionId t : fired) {
    for (const Arc& arc : net_.outputs(t)) marking[arc.place.value] -= arc.weight;
    for (const Arc& arc : net_.inputs(t)) marking[arc.place.value] += arc.weight;
  }
}

void TokenGame::back(std::uint64_t steps) {
  for (; steps > 0 && !history_.empty(); --steps) {
    undo(history_.back(), marking_);
    firings_ -= history_.back().size();
    history_.pop_back();
  }
}

std::vector<Contest> TokenGame::last_contests() {
  std::vector<Contest> out;
  if (history_.empty()) return out;
  const std::vector<TransitionId>& fired = history_.back();
  Marking before = marking_;
  undo(fired, before);
  plan_.examine(before);
  for (const Conflict& conflict : plan_.conflicts()) {
    std::set<PlaceId> places;
    for (const TransitionId t : conflict.candidates) {
      for (const Arc& arc : net_.inputs(t)) {
        if (plan_.is_contested(arc.place)) places.insert(arc.place);
      }
    }
    for (const PlaceId place : places) {
      Contest contest{place, {}, {}, {}};
      for (const TransitionId t : conflict.candidates) {
        const auto inputs = net_.inputs(t);
        if (std::none_of(inputs.begin(), inputs.end(),
                         [&](const Arc& arc) { return arc.place == place; })) {
          continue;
        }
        contest.competed.push_back(t);
        const bool won = std::binary_search(fired.begin(), fired.end(), t);
        (won ? contest.won : contest.lost).push_back(t);
      }
      out.push_back(std::move(contest));
    }
  }
  return out;
}

}  // namespace pnsim
