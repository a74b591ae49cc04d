// A record of the state of every warp, every scheduler and every other unit in a window of a run.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/run.h"

namespace pnsim {

// The steps first ... last, both included, counted from 0.
struct StepWindow {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
};

// Parses "100:199". Throws error 2 for other text.
StepWindow parse_step_window(const std::string& text);

inline constexpr std::size_t kMaxPictureSpans = 1'000'000;

// Which steps a picture shows.
struct PictureWindow {
  // Without steps: `length` steps that start when the first warp does. The window ends earlier
  // after kMaxDefaultSpans spans.
  std::optional<StepWindow> steps;
  std::uint64_t length = 200;
};
inline constexpr std::size_t kMaxDefaultSpans = 20'000;

inline constexpr std::uint32_t kNoWarp = std::numeric_limits<std::uint32_t>::max();

// In the steps from ... to - 1 the track was in one state, read at the start of each step.
struct PictureSpan {
  std::uint32_t track = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::size_t state = 0;         // index into RunPicture::states
  std::uint32_t warp = kNoWarp;  // for other tracks than warps: the warp that uses the unit
};

// Tracks of one kind; the first group has the warps.
struct PictureGroup {
  std::string name;                 // "warps", "schedulers", "units"
  std::vector<std::string> tracks;  // their names
};

struct PictureState {
  std::string name;
  bool is_rest = false;  // drawn lightly: idle, free
};

struct RunPicture {
  std::string net;                 // its name
  std::string title;               // what was run
  std::vector<std::string> notes;  // whole sentences: the launch, the choice of the window
  std::string step = "step";       // "cycle" where a step is one
  std::vector<PictureGroup> groups;
  std::vector<PictureState> states;
  std::uint64_t first = 0, end = 0;  // steps first ... end - 1 were recorded
  std::vector<PictureSpan> spans;    // by track, then by time; they cover every recorded step
  // How the run ended; nothing when it goes on after the window and nobody knows how it ends.
  std::optional<Outcome> outcome;
  bool ends_here = false;   // the run ended within the window
  bool is_cut_off = false;  // the run reached a limit, or it got stuck before its goal

  std::string track_name(std::uint32_t track) const;     // "warp 3", "scheduler 0"
  std::string span_name(const PictureSpan& span) const;  // "shared", "warp 3: shared", "idle"
};

// "cycles 100 to 299", or that the run ended before the window.
std::string steps_text(const RunPicture& picture);

// Notes how the run ended: within the window (`here`) or after it.
void set_end(RunPicture& picture, Outcome outcome, bool has_goal, bool here);

// The end of the run as a sentence: "The run was cut off here: it reached --max-steps." "" when
// the run came to its end or its end is not known.
std::string cut_off_text(const RunPicture& picture);

// The Chrome trace format (chrome://tracing, Perfetto): a process per group and a thread per track.
// A step is shown as 1 us. A run that was cut off has an instant event that says so.
std::string chrome_trace(const RunPicture& picture);

// An SVG with a row of coloured bars per track. Throws error 2 for more than 5000 steps. At most
// 128 warps are drawn; the picture states how many were not.
std::string timeline_svg(const RunPicture& picture);

}  // namespace pnsim
