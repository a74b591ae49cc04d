#include "simulator/analysis/pictures/run_picture.h"

#include <charconv>

#include "simulator/base/error.h"

namespace pnsim {

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
  for (const PictureGroup& group : groups) {
    if (track < group.tracks.size()) return group.tracks[track];
    track -= static_cast<std::uint32_t>(group.tracks.size());
  }
  return "";
}

std::string RunPicture::span_name(const PictureSpan& span) const {
  return (span.warp == kNoWarp ? "" : track_name(span.warp) + ": ") + states[span.state].name;
}

std::string steps_text(const RunPicture& picture) {
  if (picture.first == picture.end) {
    return "the run ended after " + std::to_string(picture.end) + " " + picture.step +
           "s, before the window";
  }
  return picture.step + "s " + std::to_string(picture.first) + " to " +
         std::to_string(picture.end - 1);
}

void set_end(RunPicture& picture, Outcome outcome, bool has_goal, bool here) {
  picture.outcome = outcome;
  picture.ends_here = here;
  picture.is_cut_off = outcome == Outcome::kLimit || (outcome == Outcome::kDead && has_goal);
}

std::string cut_off_text(const RunPicture& picture) {
  if (!picture.is_cut_off) return "";
  const std::string where = picture.ends_here ? "here" : "after this window";
  return *picture.outcome == Outcome::kLimit
             ? "The run was cut off " + where + ": it reached the limit of --max-steps."
             : "The run got stuck " + where +
                   ": no transition is enabled and its goal was not reached.";
}

}  // namespace pnsim
