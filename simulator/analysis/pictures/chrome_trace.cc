// Pictures of runs for chrome://tracing and Perfetto (the "Trace Event Format" in JSON).
#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/base/json.h"

namespace pnsim {
namespace {

struct Thread {
  std::size_t process = 1;  // the groups are numbered from 1
  std::size_t thread = 0;
};

// [track]
std::vector<Thread> threads_of(const RunPicture& picture) {
  std::vector<Thread> out;
  for (std::size_t g = 0; g < picture.groups.size(); ++g) {
    for (std::size_t t = 0; t < picture.groups[g].tracks.size(); ++t) out.push_back({g + 1, t});
  }
  return out;
}

std::string name_event(const char* what, Thread at, const std::string& name) {
  return to_line(Json{{"ph", "M"},
                      {"name", what},
                      {"pid", at.process},
                      {"tid", at.thread},
                      {"args", {{"name", name}}}});
}

std::string span_event(const RunPicture& picture, const PictureSpan& span, Thread at) {
  return to_line(Json{{"ph", "X"},
                      {"name", picture.span_name(span)},
                      {"cat", picture.states[span.state].name},
                      {"ts", span.from},
                      {"dur", span.to - span.from},
                      {"pid", at.process},
                      {"tid", at.thread}});
}

// Shown as a line over all tracks.
std::string cut_event(const RunPicture& picture) {
  return to_line(Json{{"ph", "i"},
                      {"s", "g"},
                      {"name", cut_off_text(picture)},
                      {"cat", "cut off"},
                      {"ts", picture.end},
                      {"pid", 1},
                      {"tid", 0}});
}

Json other_data(const RunPicture& picture) {
  Json out{{"net", picture.net},
           {"title", picture.title},
           {"notes", picture.notes},
           {"time", "one " + picture.step + " is shown as 1 us"},
           {"steps", {picture.first, picture.end}},
           {"outcome", nullptr},
           {"cut_off", picture.is_cut_off}};
  if (picture.outcome) out["outcome"] = std::string(outcome_name(*picture.outcome));
  return out;
}

}  // namespace

std::string chrome_trace(const RunPicture& picture) {
  std::string text = "{\"displayTimeUnit\":\"ms\",\"otherData\":" + to_line(other_data(picture)) +
                     ",\"traceEvents\":[\n";
  const std::vector<Thread> threads = threads_of(picture);
  std::string separator;
  const auto add = [&](const std::string& event) {
    text += separator + event;
    separator = ",\n";
  };
  for (std::size_t g = 0; g < picture.groups.size(); ++g) {
    add(name_event("process_name", {g + 1, 0}, picture.groups[g].name));
  }
  for (std::uint32_t track = 0; track < threads.size(); ++track) {
    add(name_event("thread_name", threads[track], picture.track_name(track)));
  }
  for (const PictureSpan& span : picture.spans) {
    add(span_event(picture, span, threads[span.track]));
  }
  if (picture.is_cut_off) add(cut_event(picture));
  return text + "\n]}\n";
}

}  // namespace pnsim
