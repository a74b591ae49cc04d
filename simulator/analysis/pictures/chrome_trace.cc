// Pictures of runs for chrome://tracing and Perfetto (the "Trace Event Format" in JSON).
#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/base/json.h"

namespace pnsim {
namespace {

constexpr int kUnitsProcess = 1;
constexpr int kSchedulersProcess = 2;

int process_of(const RunPicture& picture, std::uint32_t track) {
  return picture.is_scheduler(track) ? kSchedulersProcess : kUnitsProcess;
}

std::uint32_t thread_of(const RunPicture& picture, std::uint32_t track) {
  return picture.is_scheduler(track) ? track - picture.units : track;
}

std::string name_event(const char* what, int process, std::uint32_t thread,
                       const std::string& name) {
  return to_line(Json{
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}});
}

std::string span_event(const RunPicture& picture, const PictureSpan& span) {
  Json event{{"ph", "X"},
             {"name", picture.span_name(span)},
             {"cat", picture.states[span.state]},
             {"ts", span.from},
             {"dur", span.to - span.from},
             {"pid", process_of(picture, span.track)},
             {"tid", thread_of(picture, span.track)}};
  return to_line(event);
}

}  // namespace

std::string chrome_trace(const RunPicture& picture) {
  std::string text = "{\"displayTimeUnit\":\"ms\",\"otherData\":" +
                     to_line(Json{{"net", picture.net},
                                  {"time", "one step is shown as 1 us"},
                                  {"steps", {picture.first, picture.end}}}) +
                     ",\"traceEvents\":[\n" +
                     name_event("process_name", kUnitsProcess, 0, picture.unit + "s");
  if (picture.schedulers > 0) {
    text += ",\n" + name_event("process_name", kSchedulersProcess, 0, "schedulers");
  }
  for (std::uint32_t track = 0; track < picture.units + picture.schedulers; ++track) {
    text += ",\n" + name_event("thread_name", process_of(picture, track), thread_of(picture, track),
                               picture.track_name(track));
  }
  for (const PictureSpan& span : picture.spans) text += ",\n" + span_event(picture, span);
  return text + "\n]}\n";
}

}  // namespace pnsim
