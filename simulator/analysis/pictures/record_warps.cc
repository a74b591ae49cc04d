// Records the warps and schedulers of a net whose template names the states of its warps.
#include <algorithm>

#include "simulator/analysis/pictures/record.h"
#include "simulator/analysis/pictures/span_recorder.h"
#include "simulator/engine/fast_engine.h"

namespace pnsim {
namespace {

// Records which unit holds which scheduler.
class SchedulerBoard {
 public:
  explicit SchedulerBoard(const WarpStates& states)
      : states_(states), holder_(states.schedulers, kNoWarp), holds_(states.units, 0) {}

  void look(const Marking& marking) {
    for (std::uint32_t& unit : holder_) {
      if (unit == kNoWarp || states_.holds_scheduler(marking, unit)) continue;
      holds_[unit] = 0;
      unit = kNoWarp;
    }
    for (std::uint32_t unit = 0; unit < states_.units && !holder_.empty(); ++unit) {
      if (holds_[unit] || !states_.holds_scheduler(marking, unit)) continue;
      const auto free = std::find(holder_.begin(), holder_.end(), kNoWarp);
      if (free == holder_.end()) return;
      *free = unit;
      holds_[unit] = 1;
    }
  }

  std::uint32_t holder(std::uint32_t scheduler) const { return holder_[scheduler]; }

 private:
  const WarpStates& states_;
  std::vector<std::uint32_t> holder_;  // [scheduler]
  std::vector<char> holds_;            // [unit]
};

std::vector<std::string> numbered(const std::string& kind, std::uint32_t count) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) names.push_back(kind + " " + std::to_string(i));
  return names;
}

RunPicture empty_picture(const WarpStates& states) {
  RunPicture picture;
  picture.groups.push_back({states.unit + "s", numbered(states.unit, states.units)});
  if (states.schedulers > 0) {
    picture.groups.push_back({"schedulers", numbered("scheduler", states.schedulers)});
  }
  for (std::size_t s = 0; s < states.names.size(); ++s) {
    picture.states.push_back({states.names[s], s == states.idle()});
  }
  return picture;
}

// Records the step that starts with this marking.
void record_step(const WarpStates& states, const SchedulerBoard& board, const Marking& marking,
                 std::uint64_t step, SpanRecorder& recorder) {
  for (std::uint32_t unit = 0; unit < states.units; ++unit) {
    recorder.set(unit, step, states.state_of(marking, unit), kNoWarp);
  }
  for (std::uint32_t s = 0; s < states.schedulers; ++s) {
    const std::uint32_t holder = board.holder(s);
    const bool is_idle = holder == kNoWarp;
    recorder.set(states.units + s, step, is_idle ? states.idle() : states.state_of(marking, holder),
                 holder);
  }
}

}  // namespace

RunPicture record_warps(const Net& net, const WarpStates& states, RunId id, std::uint64_t max_steps,
                        const PictureWindow& window) {
  FastEngine engine(net, id);  // without timers, so that the marking is complete in every step
  const Marking& marking = engine.marking_without_ticks();
  SchedulerBoard board(states);
  SpanRecorder recorder(window, states.units + states.schedulers);
  std::optional<Outcome> outcome;
  while (!(outcome = engine.outcome(max_steps)) && !recorder.is_done(engine.steps())) {
    board.look(marking);
    if (recorder.takes(engine.steps(), true)) {
      record_step(states, board, marking, engine.steps(), recorder);
    }
    engine.choose();
    engine.fire();
  }
  RunPicture picture = empty_picture(states);
  recorder.finish(engine.steps(), outcome, net.has_goal(), picture);
  return picture;
}

}  // namespace pnsim
