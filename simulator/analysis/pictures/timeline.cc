// Pictures of runs as SVG: warps and schedulers over the steps, with idle times in a light colour.
#include <algorithm>

#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/base/error.h"
#include "simulator/base/svg_canvas.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kMaxDrawnSteps = 5000;
constexpr std::uint32_t kMaxDrawnUnits = 128;
constexpr double kLeft = 110, kTop = 62, kRow = 16, kBar = 12, kGap = 10, kBottom = 64;
constexpr double kPlotWidth = 1200, kMaxStepWidth = 24;
constexpr double kMinLabelledWidth = 14;  // minimum width of a scheduler's bar with a label
constexpr const char* kIdleColor = "#eeeeee";
// The palette of Okabe and Ito, which colour-blind readers can distinguish.
constexpr const char* kColors[] = {"#56b4e9", "#f0e442", "#009e73", "#e69f00",
                                   "#0072b2", "#cc79a7", "#d55e00", "#999999"};

class Timeline {
 public:
  explicit Timeline(const RunPicture& picture)
      : picture_(picture),
        drawn_units_(std::min(picture.units, kMaxDrawnUnits)),
        step_width_(
            std::min(kMaxStepWidth, kPlotWidth / std::max(1.0, static_cast<double>(steps())))),
        canvas_(kLeft + plot_width() + 24, bottom() + kBottom) {}

  std::string draw() {
    canvas_.heading(picture_.net + ": steps " + std::to_string(picture_.first) + " to " +
                        std::to_string(std::max(picture_.end, picture_.first + 1) - 1),
                    note());
    draw_axis();
    for (std::uint32_t track = 0; track < picture_.units + picture_.schedulers; ++track) {
      if (is_drawn(track)) draw_name(track);
    }
    for (const PictureSpan& span : picture_.spans) {
      if (is_drawn(span.track)) draw_span(span);
    }
    draw_legend();
    return canvas_.text();
  }

 private:
  std::uint64_t steps() const { return picture_.end - picture_.first; }
  double plot_width() const { return std::max(600.0, step_width_ * static_cast<double>(steps())); }
  bool is_drawn(std::uint32_t track) const {
    return picture_.is_scheduler(track) || track < drawn_units_;
  }
  double bottom() const { return y_of(picture_.units + picture_.schedulers); }

  // The upper edge of a track. For the track after the last one: the lower edge of the plot.
  double y_of(std::uint32_t track) const {
    if (!picture_.is_scheduler(track)) return kTop + kRow * track;
    return kTop + kRow * (drawn_units_ + (track - picture_.units)) + kGap;
  }
  double x_of(std::uint64_t step) const {
    return kLeft + step_width_ * static_cast<double>(step - picture_.first);
  }

  std::string note() const {
    if (drawn_units_ == picture_.units)
      return "one row per " + picture_.unit + " and per scheduler";
    return "the first " + std::to_string(drawn_units_) + " of " + std::to_string(picture_.units) +
           " " + picture_.unit + "s";
  }

  void draw_axis() {
    std::uint64_t tick = 1;
    for (const std::uint64_t next : {2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
      if (static_cast<double>(tick) * step_width_ < 50) tick = next;
    }
    for (std::uint64_t step = (picture_.first + tick - 1) / tick * tick; step <= picture_.end;
         step += tick) {
      canvas_.line(x_of(step), kTop - 4, x_of(step), bottom(), "#cccccc", 0.5);
      canvas_.label(x_of(step), bottom() + 14, std::to_string(step), "middle", 11);
    }
  }

  void draw_name(std::uint32_t track) {
    canvas_.label(kLeft - 8, y_of(track) + kBar - 2, picture_.track_name(track), "end", 11);
  }

  std::string color_of(std::size_t state) const {
    return state == picture_.idle() ? kIdleColor : kColors[state % std::size(kColors)];
  }

  void draw_span(const PictureSpan& span) {
    const double x = x_of(span.from), width = x_of(span.to) - x, y = y_of(span.track);
    canvas_.box(x, y, width, kBar, color_of(span.state));
    const bool has_holder = picture_.is_scheduler(span.track) && span.state != picture_.idle();
    if (has_holder && width >= kMinLabelledWidth) {
      canvas_.label(x + width / 2, y + kBar - 2, std::to_string(span.unit), "middle", 9);
    }
  }

  void draw_legend() {
    double x = kLeft;
    const double y = bottom() + 32;
    for (std::size_t state = 0; state < picture_.states.size(); ++state) {
      canvas_.box(x, y, 14, kBar, color_of(state));
      canvas_.label(x + 20, y + kBar - 2, picture_.states[state], "start", 12);
      x += 40 + 7 * static_cast<double>(picture_.states[state].size());
    }
  }

  const RunPicture& picture_;
  const std::uint32_t drawn_units_;
  const double step_width_;
  SvgCanvas canvas_;
};

}  // namespace

std::string timeline_svg(const RunPicture& picture) {
  if (picture.end - picture.first > kMaxDrawnSteps) {
    fail_usage("--timeline: " + std::to_string(picture.end - picture.first) +
               " steps are too many to draw, the most are " + std::to_string(kMaxDrawnSteps) +
               "; give a window with --trace-steps A:B");
  }
  return Timeline(picture).draw();
}

}  // namespace pnsim
