#include "simulator/analysis/pictures/span_recorder.h"

#include <algorithm>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

}  // namespace

SpanRecorder::SpanRecorder(const PictureWindow& window, std::size_t tracks)
    : has_steps_(window.steps.has_value()),
      has_begun_(has_steps_),
      first_(has_steps_ ? window.steps->first : kNoEnd),
      last_(has_steps_ ? window.steps->last : kNoEnd),
      length_(window.length),
      open_(tracks) {}

bool SpanRecorder::is_done(std::uint64_t step) const {
  return step > last_ || (!has_steps_ && spans_.size() >= kMaxDefaultSpans);
}

bool SpanRecorder::takes(std::uint64_t step, bool any_warp) {
  if (!has_begun_ && any_warp) {
    has_begun_ = true;
    first_ = step;
    last_ = step + (length_ - 1);
  }
  return has_begun_ && step >= first_;
}

void SpanRecorder::set(std::uint32_t track, std::uint64_t step, std::size_t state,
                       std::uint32_t warp) {
  std::optional<PictureSpan>& span = open_[track];
  if (span && span->state == state && span->warp == warp) return;
  if (span) close(*span, step);
  span = PictureSpan{track, step, step, state, warp};
}

void SpanRecorder::close(PictureSpan span, std::uint64_t end) {
  if (spans_.size() >= kMaxPictureSpans) {
    fail_limit("the picture of the run has over " + std::to_string(kMaxPictureSpans) +
               " bars; give a window with --trace-steps A:B");
  }
  span.to = end;
  spans_.push_back(span);
}

void SpanRecorder::finish(std::uint64_t steps, std::optional<Outcome> outcome, bool has_goal,
                          RunPicture& picture) {
  for (auto& span : open_) {
    if (span) close(*span, steps);
  }
  std::stable_sort(spans_.begin(), spans_.end(),
                   [](const auto& a, const auto& b) { return a.track < b.track; });
  picture.spans = std::move(spans_);
  picture.first = std::min(first_, steps);
  picture.end = steps;
  if (outcome) set_end(picture, *outcome, has_goal, true);
}

}  // namespace pnsim
