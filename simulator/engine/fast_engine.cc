#include "simulator/engine/fast_engine.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/engine/conflict_log.h"
#include "simulator/engine/ranked_set.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {

namespace {

// The reaction to a change of a place, as bits: it is a goal place, the place of a timer, or a
// transition may become enabled or disabled (see EnabledSet::Dependents).
constexpr std::uint32_t kGoal = 1, kCountdown = 2, kDelay = 4, kHub = 8, kOwn = 16, kOthers = 32,
                        kGate = 64;

std::optional<RunningTimers> timers_of(const Net& net, Delays delays) {
  if (delays == Delays::kStepByStep) return std::nullopt;
  return std::optional<RunningTimers>(std::in_place, net);
}

// The tick of a countdown changes only the countdown.
std::vector<TransitionId> ticks_of_countdowns(const std::optional<RunningTimers>& timers) {
  std::vector<TransitionId> ticks;
  for (std::uint32_t i = 0; timers && i < timers->size(); ++i) {
    if (timers->timer(i).is_countdown()) ticks.push_back(timers->timer(i).tick);
  }
  return ticks;
}

std::vector<char> goal_places(const Net& net) {
  std::vector<char> is_goal(net.place_count());
  for (const PlaceId p : net.goal()) is_goal[p.value] = true;
  return is_goal;
}

FiringEffects effects_of(const Net& net, const std::vector<char>& is_goal,
                         const EnabledSet& enabled_set,
                         const std::optional<RunningTimers>& timers) {
  using Meaning = FiringEffects::Meaning;
  std::vector<Meaning> less(net.place_count()), more(net.place_count());
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    const EnabledSet::Dependents& dependents = enabled_set.dependents(PlaceId{p});
    const std::uint32_t always = (is_goal[p] ? kGoal : 0) | (dependents.others ? kOthers : 0) |
                                 (dependents.gate ? kGate : 0);
    less[p].kinds = more[p].kinds = always;
    if (dependents.queue != EnabledSet::kNone) {
      less[p] = more[p] = Meaning{always | kHub, dependents.queue};
    }
    if (dependents.taker != EnabledSet::kNone) more[p] = Meaning{always | kOwn, dependents.taker};
  }
  for (std::uint32_t i = 0; timers && i < timers->size(); ++i) {
    const std::uint32_t wait = timers->timer(i).wait.value;
    if (timers->timer(i).is_countdown()) {
      more[wait] = {more[wait].kinds | kCountdown, i};
    } else {
      more[wait].kinds |= kDelay;
      less[wait].kinds |= kDelay;
    }
  }
  return FiringEffects(net, less, more);
}

}  // namespace

FastEngine::FastEngine(const Net& net, RunId id, Delays delays)
    : net_(net),
      key_(run_key(id)),
      marking_(net.initial_marking()),
      timers_(timers_of(net, delays)),
      enabled_set_(net, marking_, ticks_of_countdowns(timers_)),
      is_goal_(goal_places(net)),
      effects_(effects_of(net, is_goal_, enabled_set_, timers_)),
      plan_(net) {
  for (std::uint32_t p = 0; p < is_goal_.size(); ++p) {
    if (is_goal_[p] && marking_[p] != 0) ++marked_goal_places_;
  }
  for (std::uint32_t i = 0; timers_ && i < timers_->size(); ++i) {
    const Timer& timer = timers_->timer(i);
    if (timer.is_countdown()) {
      count_down(i, marking_[timer.wait.value]);
    } else {
      has_delays_ = true;
      start_delay(i);
    }
  }
}

void FastEngine::fail_too_many(PlaceId p) const {
  fail_limit("net " + net_.name() + ": place \"" + net_.name_of(p) +
             "\" would hold more than 2^62 tokens");
}

// A timer that ends in this step made its last tick in the step before.
void FastEngine::end_timers() {
  if (!timers_) return;
  ended_countdowns_.clear();
  for (std::uint32_t i; (i = timers_->take_ended(steps_)) != RunningTimers::kNone;) {
    const Timer& timer = timers_->timer(i);
    marking_[timer.passed.value] = timer.length;  // a countdown has none
    if (!timer.is_countdown()) {
      enabled_set_.note_more(timer.passed);
      continue;
    }
    enabled_set_.note_less(timer.wait);
    ended_countdowns_.push_back(timer.wait);
    if (is_goal_[timer.wait.value]) --marked_goal_places_;
  }
}

// A delay that receives tokens while it runs is no longer treated as a delay: its tick fires as an
// ordinary transition.
void FastEngine::stop_refilled_delays() {
  if (!has_delays_ || timers_->count() == 0) return;
  for (std::size_t f = 0; f < fired_.size(); ++f) {
    for (const Arc& arc : net_.outputs(fired_[f])) {
      const std::uint32_t i = timers_->at(arc.place);
      if (i == RunningTimers::kNone || !timers_->is_running(i)) continue;
      const Timer& timer = timers_->timer(i);
      if (timer.is_countdown()) continue;
      marking_[timer.wait.value] = timers_->left(i, steps_) + 1;
      marking_[timer.passed.value] = timers_->passed(i, steps_);
      enabled_set_.note_more(timer.wait);
      enabled_set_.note_more(timer.passed);
      timers_->stop(i);
      fired_.push_back(timer.tick);
    }
  }
}

// While a timer runs, one token in its place represents all of its tokens.
void FastEngine::start_delay(std::uint32_t i) {
  const Timer& timer = timers_->timer(i);
  Tokens& tokens = marking_[timer.wait.value];
  if (tokens != timer.length + 1 || marking_[timer.passed.value] != 0) return;
  timers_->start(i, steps_, timer.length);
  tokens = 1;
}

[[gnu::always_inline]] inline void FastEngine::count_down(std::uint32_t i, Tokens tokens) {
  if (tokens == 0) return;
  const PlaceId wait = timers_->timer(i).wait;
  if (timers_->is_running(i)) {
    if (tokens > kMaxTokens - timers_->left(i, steps_)) fail_too_many(wait);
    return timers_->extend(i, tokens);
  }
  timers_->start(i, steps_, tokens);
  marking_[wait.value] = 1;
  enabled_set_.note_more(wait);
}

std::uint64_t FastEngine::steps_alike(std::uint64_t max_steps) const {
  for (const TransitionId t : fired_) {
    if (!effects_.is_neutral(t)) return 1;
  }
  if (!timers_ || has_conflicts()) return 1;
  return std::min(timers_->next_end(steps_), max_steps) - steps_;
}

Marking FastEngine::marking() const {
  Marking marking = marking_;
  for (std::uint32_t i = 0; timers_ && i < timers_->size(); ++i) {
    if (!timers_->is_running(i)) continue;
    const Timer& timer = timers_->timer(i);
    marking[timer.passed.value] = timers_->passed(i, steps_);
    marking[timer.wait.value] = timers_->left(i, steps_) + (timer.is_countdown() ? 0 : 1);
  }
  return marking;
}

std::optional<Outcome> FastEngine::outcome(std::uint64_t max_steps) {
  end_timers();
  // Places of ranges are no timers, so their tokens are those of the marking.
  if (net_.has_goal() && marked_goal_places_ == 0 &&
      (net_.goal_ranges().empty() || net_.goal_holds(marking_))) {
    return Outcome::kGoal;
  }
  enabled_set_.update({fired_.data() + first_served_, fired_.data() + last_served_});
  if (enabled_set_.empty() && ticks() == 0) return Outcome::kDead;
  if (steps_ >= max_steps) return Outcome::kLimit;
  if (has_plan()) plan_.examine(marking_, enabled_set_.sharing());
  return std::nullopt;
}

bool FastEngine::is_fixed() const {
  const auto are_neutral = [this](std::span<const TransitionId> transitions) {
    return std::all_of(transitions.begin(), transitions.end(),
                       [this](TransitionId t) { return effects_.is_neutral(t); });
  };
  if (ticks() > 0 || !are_neutral(enabled_set_.unshared()) || !are_neutral(enabled_set_.sharing()))
    return false;
  for (const EnabledSet::Queue* queue : enabled_set_.open()) {
    for (const EnabledSet::Group* group : queue->ready) {
      if (!are_neutral(group->clients)) return false;
    }
  }
  return true;
}

std::span<const TransitionId> FastEngine::choose() {
  fired_.clear();
  if (has_plan()) settle_all(plan_, marking_, key_, steps_, fired_);
  for (const TransitionId t : enabled_set_.unshared()) fired_.push_back(t);
  contests_.clear();
  first_served_ = fired_.size();
  for (const EnabledSet::Queue* queue : enabled_set_.open()) serve(*queue);
  last_served_ = fired_.size();
  stop_refilled_delays();
  return fired_;
}

void FastEngine::serve(const EnabledSet::Queue& queue) {
  const Tokens tokens = marking_[queue.place.value];
  const Tokens places = queue.weight == 1 ? tokens : tokens / queue.weight;
  const std::size_t clients = queue.ready_clients();
  if (static_cast<Tokens>(clients) > places) return settle_contest(queue, clients, places);
  for (const EnabledSet::Group* group : queue.ready) {
    fired_.insert(fired_.end(), group->clients.begin(), group->clients.end());
  }
}

// The same as StepPlan::settle, for candidates without any other contested place.
void FastEngine::settle_contest(const EnabledSet::Queue& queue, std::size_t clients,
                                Tokens places) {
  const std::size_t first = fired_.size();
  Draws draws(key_, queue.place, steps_);
  if (places == 1) {
    std::size_t at = draws.next_below(static_cast<std::uint32_t>(clients));
    auto group = queue.ready.begin();
    for (; at >= (*group)->clients.size(); ++group) at -= (*group)->clients.size();
    fired_.push_back((*group)->clients[at]);
  } else {
    remaining_.clear();
    for (const EnabledSet::Group* group : queue.ready) {
      remaining_.insert(remaining_.end(), group->clients.begin(), group->clients.end());
    }
    // Erasing from a long list moves most of it.
    constexpr std::size_t kLongList = 4096;
    std::optional<RankedSet> ranked;
    if (remaining_.size() > kLongList) ranked.emplace(static_cast<std::uint32_t>(clients));
    for (; ranked && places > 0; --places) {
      fired_.push_back(remaining_[ranked->take(draws.next_below(ranked->size()))]);
    }
    for (; places > 0; --places) {
      const auto winner =
          remaining_.begin() + draws.next_below(static_cast<std::uint32_t>(remaining_.size()));
      fired_.push_back(*winner);
      remaining_.erase(winner);
    }
  }
  contests_.push_back({&queue, first, fired_.size()});
}

void FastEngine::add_conflicts_to(ConflictLog& log) const {
  if (plan_has_conflicts()) log.add_step(plan_, fired_);
  for (const Contest& contest : contests_) {
    const PlaceId p = contest.queue->place;
    log.add_contest(p);
    for (const EnabledSet::Group* group : contest.queue->ready) log.add_takers(p, group->clients);
    for (std::size_t w = contest.first; w < contest.last; ++w) log.add_wins(p, fired_[w], 1);
  }
}

inline void FastEngine::take(const FiringEffects::Change& change) {
  Tokens& tokens = marking_[change.place.value];
  tokens -= change.tokens;
  const auto [kinds, of] = change.meaning;
  if (kinds == 0) return;
  if (kinds & kHub) enabled_set_.note_hub(of);
  if ((kinds & kGate) && tokens == 0) enabled_set_.note_gate(change.place);
  if (kinds & kOthers) enabled_set_.note_less_for_others(change.place);
  if ((kinds & kGoal) && tokens == 0) --marked_goal_places_;
  if (kinds & kDelay) changed_delays_.push_back(timers_->at(change.place));
}

inline void FastEngine::give(const FiringEffects::Change& change) {
  Tokens& tokens = marking_[change.place.value];
  const auto [kinds, of] = change.meaning;
  if ((kinds & kGoal) && tokens == 0) ++marked_goal_places_;
  if (kinds & kCountdown) return count_down(of, change.tokens);
  if (change.tokens > kMaxTokens - tokens) fail_too_many(change.place);
  tokens += change.tokens;
  if (kinds & kOwn) enabled_set_.note_own(TransitionId{of});
  if (kinds & kHub) enabled_set_.note_hub(of);
  if ((kinds & kGate) && tokens == change.tokens) enabled_set_.note_gate(change.place);
  if (kinds & kOthers) enabled_set_.note_more_for_others(change.place);
  if (kinds & kDelay) changed_delays_.push_back(timers_->at(change.place));
}

void FastEngine::remove_tokens(std::span<const PlaceId> places, Tokens tokens) {
  for (const PlaceId p : places) {
    marking_[p.value] -= tokens;
    if (is_goal_[p.value] && marking_[p.value] == 0) --marked_goal_places_;
  }
  enabled_set_.forget();
  first_served_ = last_served_ = 0;
}

void FastEngine::fire() {
  ++steps_;
  for (const TransitionId t : fired_) {
    for (const FiringEffects::Change& change : effects_.takes(t)) take(change);
  }
  for (const TransitionId t : fired_) {
    for (const FiringEffects::Change& change : effects_.gives(t)) give(change);
  }
  for (const std::uint32_t delay : changed_delays_) start_delay(delay);
  changed_delays_.clear();
}

}  // namespace pnsim
