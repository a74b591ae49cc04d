// What every warp and every scheduler did in a stretch of a run.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "simulator/engine/run.h"
#include "simulator/model/template/warp_states.h"

namespace pnsim {

// Steps first ... last, both included, counted from 0.
struct StepWindow {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
};

// "100:199". Error 2.
StepWindow parse_step_window(const std::string& text);

// In steps from ... to - 1 the track was in one state: that of the marking the step starts from.
struct PictureSpan {
  std::uint32_t track = 0;  // units first, then schedulers
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::size_t state = 0;   // position in RunPicture::states; of a scheduler: its holder's
  std::uint32_t unit = 0;  // of a scheduler: its holder (0 when idle)
};

struct RunPicture {
  std::string net;
  std::string unit;  // "warp"
  std::uint32_t units = 0;
  std::uint32_t schedulers = 0;
  std::vector<std::string> states;   // the last is "idle"
  std::uint64_t first = 0, end = 0;  // steps first ... end - 1 were recorded
  std::vector<PictureSpan> spans;    // by track, then by time; they cover every recorded step

  std::size_t idle() const { return states.size() - 1; }
  bool is_scheduler(std::uint32_t track) const { return track >= units; }
  std::string track_name(std::uint32_t track) const;     // "warp 3", "scheduler 0"
  std::string span_name(const PictureSpan& span) const;  // "shared", "warp 3: shared", "idle"
};

inline constexpr std::size_t kMaxPictureSpans = 1'000'000;

// Runs the net up to the end of the window. Schedulers have no identity in the net (they are tokens
// of one place): a warp that gets one is given the lowest free number, warps in their order, those
// that give theirs back first. Error 5 over kMaxPictureSpans.
RunPicture record_picture(const Net& net, const WarpStates& states, RunId id,
                          std::uint64_t max_steps, StepWindow window);

// For chrome://tracing and Perfetto: one track a unit and one a scheduler; a step is shown as 1 us.
std::string chrome_trace(const RunPicture& picture);

// Rows of coloured bars over the steps, as SVG. Error 2 for over 5000 steps; of many warps the
// first 128 are drawn, and the picture says so.
std::string timeline_svg(const RunPicture& picture);

}  // namespace pnsim
