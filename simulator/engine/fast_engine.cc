#include "simulator/engine/fast_engine.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/engine/conflict_log.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {

FastEngine::FastEngine(const Net& net, RunId id, Delays delays)
    : net_(net),
      key_(run_key(id)),
      marking_(net.initial_marking()),
      effects_(net),
      enabled_set_(net, marking_),
      plan_(net),
      place_flags_(net.place_count()) {
  for (const PlaceId p : net.goal()) {
    char& flags = place_flags_[p.value];
    if (!(flags & kIsGoal) && marking_[p.value] != 0) ++marked_goal_places_;
    flags |= kIsGoal;
  }
  if (delays == Delays::kStepByStep) return;
  timers_.emplace(net);
  for (std::uint32_t i = 0; i < timers_->size(); ++i) {
    const Timer& timer = timers_->timer(i);
    place_flags_[timer.wait.value] |= kIsWait;
    if (timer.is_countdown()) {
      enabled_set_.leave_out(timer.tick);
    } else {
      has_delays_ = true;
    }
    start_timer(timer.wait);
    enabled_set_.note_change(timer.wait);
  }
}

void FastEngine::set_tokens(PlaceId p, Tokens tokens) {
  marking_[p.value] = tokens;
  enabled_set_.note_change(p);
}

// A timer that ends in this step has made its last tick in the one before.
void FastEngine::end_timers() {
  if (!timers_) return;
  ended_countdowns_.clear();
  for (std::uint32_t i; (i = timers_->take_ended(steps_)) != RunningTimers::kNone;) {
    const Timer& timer = timers_->timer(i);
    set_tokens(timer.passed, timer.length);  // of a countdown: none
    if (!timer.is_countdown()) continue;
    ended_countdowns_.push_back(timer.wait);
    if (place_flags_[timer.wait.value] & kIsGoal) --marked_goal_places_;
  }
}

// A delay that gets more tokens while it runs is none any more: its tick joins what fires.
void FastEngine::stop_refilled_delays() {
  if (!has_delays_ || timers_->count() == 0) return;
  for (std::size_t f = 0; f < fired_.size(); ++f) {
    for (const Arc& arc : net_.outputs(fired_[f])) {
      const std::uint32_t i = timers_->at(arc.place);
      if (i == RunningTimers::kNone || !timers_->is_running(i)) continue;
      const Timer& timer = timers_->timer(i);
      if (timer.is_countdown()) continue;
      set_tokens(timer.wait, timers_->left(i, steps_) + 1);
      set_tokens(timer.passed, timers_->passed(i, steps_));
      timers_->stop(i);
      fired_.push_back(timer.tick);
    }
  }
}

// The token that is left in the place of a timer that runs stands for all of it.
void FastEngine::start_timer(PlaceId wait) {
  const std::uint32_t i = timers_->at(wait);
  const Timer& timer = timers_->timer(i);
  const Tokens tokens = marking_[wait.value];
  if (timer.is_countdown()) return count_down(i, tokens);
  if (tokens != timer.length + 1 || marking_[timer.passed.value] != 0) return;
  timers_->start(i, steps_, timer.length);
  marking_[wait.value] = 1;
}

void FastEngine::count_down(std::uint32_t i, Tokens tokens) {
  if (tokens == 0) return;
  if (!timers_->is_running(i)) {
    timers_->start(i, steps_, tokens);
  } else {
    if (tokens > kMaxTokens - timers_->left(i, steps_)) {
      fail_limit("net " + net_.name() + ": place \"" +
                 net_.name_of(timers_->timer(i).wait) + "\" would hold more than 2^62 tokens");
    }
    timers_->extend(i, tokens);
  }
  marking_[timers_->timer(i).wait.value] = 1;
}

std::uint64_t FastEngine::equal_steps(std::uint64_t max_steps) {
  if (!timers_ || has_conflicts()) return 1;
  for (const TransitionId t : fired_) {
    if (!effects_.is_neutral(t)) return 1;
  }
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
  if (net_.has_goal() && marked_goal_places_ == 0) return Outcome::kGoal;
  enabled_set_.update();
  const std::span<const TransitionId> enabled = enabled_set_.list();
  if (enabled.empty() && enabled_set_.open().empty() && ticks() == 0) return Outcome::kDead;
  if (steps_ >= max_steps) return Outcome::kLimit;
  plan_.examine(marking_, enabled);
  return std::nullopt;
}

std::span<const TransitionId> FastEngine::choose() {
  settle_all(plan_, marking_, key_, steps_, fired_);
  contests_.clear();
  for (const EnabledSet::Queue* queue : enabled_set_.open()) serve(*queue);
  stop_refilled_delays();
  return fired_;
}

void FastEngine::serve(const EnabledSet::Queue& queue) {
  const Tokens tokens = marking_[queue.place.value];
  const Tokens places = queue.weight == 1 ? tokens : tokens / queue.weight;
  if (static_cast<Tokens>(queue.clients.size()) > places) return settle_contest(queue, places);
  fired_.insert(fired_.end(), queue.clients.begin(), queue.clients.end());
}

// As StepPlan::settle, of candidates that want nothing else that is contested.
void FastEngine::settle_contest(const EnabledSet::Queue& queue, Tokens places) {
  const std::size_t first = fired_.size();
  Draws draws(key_, queue.place, steps_);
  const auto next = [&](const std::vector<TransitionId>& candidates) {
    const std::uint32_t at = draws.next_below(static_cast<std::uint32_t>(candidates.size()));
    fired_.push_back(candidates[at]);
    return static_cast<std::ptrdiff_t>(at);
  };
  if (places == 1) {
    next(queue.clients);
  } else {
    remaining_ = queue.clients;
    for (; places > 0; --places) remaining_.erase(remaining_.begin() + next(remaining_));
  }
  contests_.push_back({&queue, first, fired_.size()});
}

void FastEngine::add_conflicts_to(ConflictLog& log) const {
  log.add_step(plan_, fired_);
  for (const Contest& contest : contests_) {
    const PlaceId p = contest.queue->place;
    log.add_contests(p, contest.queue->clients, 1);
    for (std::size_t w = contest.first; w < contest.last; ++w) log.add_wins(p, fired_[w], 1);
  }
}

Tokens& FastEngine::touch(PlaceId p) {
  char& flags = place_flags_[p.value];
  Tokens& tokens = marking_[p.value];
  if (flags & kIsTouched) return tokens;
  flags |= kIsTouched;
  touched_.push_back({p, tokens});
  // The one token that stands for all of a countdown is none of those that come.
  if (flags & kIsWait) {
    const std::uint32_t i = timers_->at(p);
    if (timers_->is_running(i) && timers_->timer(i).is_countdown()) tokens = 0;
  }
  return tokens;
}

void FastEngine::settle_touched(PlaceId p, Tokens before) {
  char& flags = place_flags_[p.value];
  flags &= ~kIsTouched;
  if (flags & kIsWait) start_timer(p);
  const Tokens tokens = marking_[p.value];
  if (tokens == before) return;
  enabled_set_.note_change(p);
  if (!(flags & kIsGoal)) return;
  if (before == 0) ++marked_goal_places_;
  if (tokens == 0) --marked_goal_places_;
}

void FastEngine::fire() {
  for (const TransitionId t : fired_) {
    for (const Arc& arc : effects_.takes(t)) touch(arc.place) -= arc.weight;
  }
  for (const TransitionId t : fired_) {
    for (const Arc& arc : effects_.gives(t)) {
      Tokens& tokens = touch(arc.place);
      if (arc.weight > kMaxTokens - tokens) {
        fail_limit("net " + net_.name() + ": place \"" + net_.name_of(arc.place) +
                   "\" would hold more than 2^62 tokens");
      }
      tokens += arc.weight;
    }
  }
  ++steps_;
  for (const Touched& touched : touched_) settle_touched(touched.place, touched.before);
  touched_.clear();
}

}  // namespace pnsim
