// Collects the spans of a picture step by step.
#pragma once

#include <vector>

#include "simulator/analysis/pictures/run_picture.h"

namespace pnsim {

// The window and the open spans of all tracks. A span is closed when the state of its track
// changes.
class SpanRecorder {
 public:
  SpanRecorder(const PictureWindow& window, std::size_t tracks);

  // True when the window has been recorded before this step.
  bool is_done(std::uint64_t step) const;
  // Whether the step is to be recorded. Without given steps the window begins with the first step
  // in which a warp exists.
  bool takes(std::uint64_t step, bool any_warp);
  // The state of a track in this step. Throws error 5 for too many spans in a given window.
  void set(std::uint32_t track, std::uint64_t step, std::size_t state, std::uint32_t warp);

  // Adds the spans and the recorded steps of a run of that many steps, and how it ended.
  void finish(std::uint64_t steps, std::optional<Outcome> outcome, bool has_goal,
              RunPicture& picture);

 private:
  void close(PictureSpan span, std::uint64_t end);

  bool has_steps_;
  bool has_begun_;  // first_ and last_ are known
  std::uint64_t first_, last_, length_;
  std::vector<std::optional<PictureSpan>> open_;  // [track]
  std::vector<PictureSpan> spans_;
};

}  // namespace pnsim
