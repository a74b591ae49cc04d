#include "simulator/analysis/pictures/run_picture.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "simulator/base/error.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

// Records which unit holds which scheduler.
class SchedulerBoard {
 public:
  SchedulerBoard(const WarpStates& states)
      : states_(states), holder_(states.schedulers, kNobody), holds_(states.units, 0) {}

  void look(const Marking& marking) {
    for (std::uint32_t& unit : holder_) {
      if (unit == kNobody || states_.holds_scheduler(marking, unit)) continue;
      holds_[unit] = 0;
      unit = kNobody;
    }
    for (std::uint32_t unit = 0; unit < states_.units && !holder_.empty(); ++unit) {
      if (holds_[unit] || !states_.holds_scheduler(marking, unit)) continue;
      const auto free = std::find(holder_.begin(), holder_.end(), kNobody);
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

// The open spans of all tracks. A span is closed when the state of its track changes.
class Recorder {
 public:
  Recorder(const WarpStates& states, StepWindow window)
      : states_(states), window_(window), board_(states), open_(states.units + states.schedulers) {}

  // Reads the marking from which step `step` starts.
  void look(const Marking& marking, std::uint64_t step) {
    board_.look(marking);
    if (step < window_.first) return;
    for (std::uint32_t unit = 0; unit < states_.units; ++unit) {
      set(unit, step, states_.state_of(marking, unit), 0);
    }
    for (std::uint32_t s = 0; s < states_.schedulers; ++s) {
      const std::uint32_t holder = board_.holder(s);
      const bool is_idle = holder == kNobody;
      set(states_.units + s, step, is_idle ? states_.idle() : states_.state_of(marking, holder),
          is_idle ? 0 : holder);
    }
  }

  std::vector<PictureSpan> finish(std::uint64_t end) {
    for (auto& span : open_) {
      if (span) close(*span, end);
    }
    std::stable_sort(spans_.begin(), spans_.end(),
                     [](const auto& a, const auto& b) { return a.track < b.track; });
    return std::move(spans_);
  }

 private:
  void set(std::uint32_t track, std::uint64_t step, std::size_t state, std::uint32_t unit) {
    std::optional<PictureSpan>& span = open_[track];
    if (span && span->state == state && span->unit == unit) return;
    if (span) close(*span, step);
    span = PictureSpan{track, step, step, state, unit};
  }

  void close(PictureSpan span, std::uint64_t end) {
    if (spans_.size() >= kMaxPictureSpans) {
      fail_limit("the picture of the run has over " + std::to_string(kMaxPictureSpans) +
                 " bars; give a window with --trace-steps A:B");
    }
    span.to = end;
    spans_.push_back(span);
  }

  const WarpStates& states_;
  StepWindow window_;
  SchedulerBoard board_;
  std::vector<std::optional<PictureSpan>> open_;  // [track]
  std::vector<PictureSpan> spans_;
};

}  // namespace

StepWindow parse_step_window(const std::string& text) {
  StepWindow window;
  const char* end = text.data() + text.size();
  const auto [colon, error] = std::from_chars(text.data(), end, window.first);
  if (error == std::errc() && colon != end && *colon == ':') {
    const auto [last, error2] = std::from_chars(colon + 1, end, window.last);
    if (error2 == std::errc() && last == end && window.first <= window.last) return window;
  }
  fail_usage("--trace-steps " + text + ": expected FIRST:LAST, such as 0:199");
}

std::string RunPicture::track_name(std::uint32_t track) const {
  return is_scheduler(track) ? "scheduler " + std::to_string(track - units)
                             : unit + " " + std::to_string(track);
}

std::string RunPicture::span_name(const PictureSpan& span) const {
  const bool plain = !is_scheduler(span.track) || span.state == idle();
  return (plain ? "" : track_name(span.unit) + ": ") + states[span.state];
}

RunPicture record_picture(const Net& net, const WarpStates& states, RunId id,
                          std::uint64_t max_steps, StepWindow window) {
  ReferenceEngine engine(net, id);
  Recorder recorder(states, window);
  while (!engine.outcome(max_steps) && engine.steps() <= window.last) {
    recorder.look(engine.marking(), engine.steps());
    engine.choose();
    engine.fire();
  }
  RunPicture out{net.name(),     states.unit,
                 states.units,   states.schedulers,
                 states.names,   std::min(window.first, engine.steps()),
                 engine.steps(), {}};
  out.spans = recorder.finish(engine.steps());
  return out;
}

}  // namespace pnsim
