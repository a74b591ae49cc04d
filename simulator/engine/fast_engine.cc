#include "simulator/engine/fast_engine.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {
namespace {

bool gives_back_what_it_takes(const Net& net, TransitionId t) {
  const auto in = net.inputs(t), out = net.outputs(t);
  return std::is_permutation(in.begin(), in.end(), out.begin(), out.end(),
                             [](const Arc& a, const Arc& b) {
                               return a.place == b.place && a.weight == b.weight;
                             });
}

}  // namespace

FastEngine::FastEngine(const Net& net, RunId id, Delays delays)
    : net_(net),
      key_(run_key(id)),
      marking_(net.initial_marking()),
      plan_(net),
      enabled_set_(net, marking_),
      is_goal_(net.place_count()),
      is_touched_(net.place_count()) {
  for (const PlaceId p : net.goal()) {
    if (!is_goal_[p.value] && marking_[p.value] != 0) ++marked_goal_places_;
    is_goal_[p.value] = true;
  }
  if (delays == Delays::kStepByStep) return;
  timers_.emplace(net);
  for (std::uint32_t i = 0; i < timers_->size(); ++i) {
    if (timers_->timer(i).is_countdown()) enabled_set_.leave_out(timers_->timer(i).tick);
    start_timer(timers_->timer(i).wait);
  }
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    is_neutral_.push_back(gives_back_what_it_takes(net, TransitionId{t}));
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
    if (is_goal_[timer.wait.value]) --marked_goal_places_;
  }
}

// A delay that gets more tokens while it runs is none any more: its tick joins what fires.
void FastEngine::stop_refilled_delays() {
  if (!timers_ || timers_->count() == 0) return;
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

void FastEngine::start_timer(PlaceId wait) {
  const std::uint32_t i = timers_ ? timers_->at(wait) : RunningTimers::kNone;
  if (i == RunningTimers::kNone) return;
  const Timer& timer = timers_->timer(i);
  const Tokens tokens = marking_[wait.value];
  if (timer.is_countdown()) return count_down(i, tokens);
  if (tokens != timer.length + 1 || marking_[timer.passed.value] != 0) return;
  timers_->start(i, steps_, timer.length);
  set_tokens(wait, 1);
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
  set_tokens(timers_->timer(i).wait, 1);
}

std::uint64_t FastEngine::equal_steps(std::uint64_t max_steps) {
  if (!timers_ || !plan_.conflicts().empty()) return 1;
  for (const TransitionId t : fired_) {
    if (!is_neutral_[t.value]) return 1;
  }
  return std::min(timers_->next_end(), max_steps) - steps_;
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
  const std::span<const TransitionId> enabled = enabled_set_.list();
  if (enabled.empty() && ticks() == 0) return Outcome::kDead;
  if (steps_ >= max_steps) return Outcome::kLimit;
  plan_.examine(marking_, enabled);
  return std::nullopt;
}

std::span<const TransitionId> FastEngine::choose() {
  settle_all(plan_, marking_, key_, steps_, fired_);
  stop_refilled_delays();
  return fired_;
}

void FastEngine::touch(PlaceId p) {
  if (is_touched_[p.value]) return;
  is_touched_[p.value] = true;
  touched_.push_back({p, marking_[p.value]});
  const std::uint32_t i = timers_ ? timers_->at(p) : RunningTimers::kNone;
  // The one token that stands for all of a countdown is none of those that come.
  if (i != RunningTimers::kNone && timers_->is_running(i) && timers_->timer(i).is_countdown()) {
    marking_[p.value] = 0;
  }
}

void FastEngine::fire() {
  for (const TransitionId t : fired_) {
    for (const Arc& arc : net_.inputs(t)) touch(arc.place);
    for (const Arc& arc : net_.outputs(t)) touch(arc.place);
  }
  apply_step(net_, fired_, marking_);
  for (const Touched& touched : touched_) {
    const std::uint32_t p = touched.place.value;
    is_touched_[p] = false;
    if (marking_[p] == touched.before) continue;
    enabled_set_.note_change(touched.place);
    if (is_goal_[p] && touched.before == 0) ++marked_goal_places_;
    if (is_goal_[p] && marking_[p] == 0) --marked_goal_places_;
  }
  ++steps_;
  for (const Touched& touched : touched_) start_timer(touched.place);
  touched_.clear();
}

}  // namespace pnsim
