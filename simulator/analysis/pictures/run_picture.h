// A record of the state of every warp and every scheduler in a window of a run.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "simulator/engine/run.h"
#include "simulator/model/template/warp_states.h"

namespace pnsim {

// The steps first ... last, both included, counted from 0.
struct StepWindow {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
};

// Parses "100:199". Throws error 2 for other text.
StepWindow parse_step_window(const std::string& text);

// In the steps from ... to - 1 the track was in one state, read at the start of each step.
struct PictureSpan {
  std::uint32_t track = 0;  // the units come first, then the schedulers
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::size_t state = 0;  // index into RunPicture::states; for a scheduler: the state of its holder
  std::uint32_t unit = 0;  // for a scheduler: the unit that holds it (0 when idle)
};

struct RunPicture {
  std::string net;
  std::string unit;  // "warp"
  std::uint32_t units = 0;
  std::uint32_t schedulers = 0;
  std::vector<std::string> states;   // the last state is "idle"
  std::uint64_t first = 0, end = 0;  // steps first ... end - 1 were recorded
  std::vector<PictureSpan> spans;    // by track, then by time; they cover every recorded step

  std::size_t idle() const { return states.size() - 1; }
  bool is_scheduler(std::uint32_t track) const { return track >= units; }
  std::string track_name(std::uint32_t track) const;     // "warp 3", "scheduler 0"
  std::string span_name(const PictureSpan& span) const;  // "shared", "warp 3: shared", "idle"
};

inline constexpr std::size_t kMaxPictureSpans = 1'000'000;

// Runs the net up to the end of the window. In the net schedulers are anonymous tokens of one
// place, so the picture numbers them: warps are processed in order, those that return a scheduler
// first, and each warp that acquires one gets the lowest free number. Throws error 5 when there are
// more than kMaxPictureSpans spans.
RunPicture record_picture(const Net& net, const WarpStates& states, RunId id,
                          std::uint64_t max_steps, StepWindow window);

// The Chrome trace format (chrome://tracing, Perfetto): one track per unit and one per scheduler. A
// step is shown as 1 us.
std::string chrome_trace(const RunPicture& picture);

// An SVG with a row of coloured bars per track. Throws error 2 for more than 5000 steps. At most
// 128 warps are drawn; the picture states how many were not.
std::string timeline_svg(const RunPicture& picture);

}  // namespace pnsim
