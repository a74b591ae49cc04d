// Pictures of runs as SVG: warps, schedulers and units over the steps, with idle times in a light
// colour.
#include <algorithm>

#include "simulator/analysis/pictures/run_picture.h"
#include "simulator/base/error.h"
#include "simulator/base/svg_canvas.h"
#include "simulator/base/svg_text.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kMaxDrawnSteps = 5000;
constexpr std::uint32_t kMaxDrawnWarps = 128;
constexpr double kRow = 16, kBar = 12, kGap = 10, kAxis = 48, kRight = 32, kMargin = 24;
constexpr double kPlotWidth = 1200, kMinPlotWidth = 600, kMaxStepWidth = 24;
constexpr int kNameSize = 11, kLegendSize = 12, kHolderSize = 9;
constexpr double kLegendBox = 14, kLegendLine = 20;
constexpr double kSeam = 0.5, kWideBar = 2;  // between bars, unless they are narrow
constexpr const char* kRestColor = "#eeeeee";
constexpr const char* kCutColor = "#b00000";
// The palette of Okabe and Ito, which colour-blind readers can distinguish. Further states are
// striped.
constexpr const char* kColors[] = {"#56b4e9", "#f0e442", "#009e73", "#e69f00",
                                   "#0072b2", "#cc79a7", "#d55e00", "#999999"};

// A track that is drawn, and its place in the drawing.
struct DrawnTrack {
  bool is_drawn = false;
  double y = 0;  // upper edge, from the upper edge of the plot
};

class Timeline {
 public:
  explicit Timeline(const RunPicture& picture)
      : picture_(picture),
        step_width_(std::min(kMaxStepWidth, kPlotWidth / static_cast<double>(steps()))),
        left_(name_width() + 2 * kMargin / 3),
        width_(left_ + std::max(kMinPlotWidth, step_width_ * static_cast<double>(steps())) +
               kRight),
        heading_(width_, title(), notes()) {
    place_tracks();
    place_legend();
  }

  std::string draw() {
    SvgCanvas canvas(width_, top() + plot_height_ + kAxis);
    canvas.heading(heading_);
    const std::string cut = cut_off_text(picture_);
    if (!cut.empty()) canvas.label(kMargin, heading_.height(), cut, "start", 13, kCutColor);
    add_fills(canvas);
    draw_legend(canvas);
    draw_rows(canvas);
    draw_axis(canvas);
    for (const PictureSpan& span : picture_.spans) draw_span(span, canvas);
    if (!cut.empty() && picture_.ends_here) {
      canvas.line(x_of(picture_.end), top() - 6, x_of(picture_.end), top() + plot_height_,
                  kCutColor, 2);
    }
    return canvas.text();
  }

 private:
  std::uint64_t steps() const { return std::max<std::uint64_t>(1, picture_.end - picture_.first); }
  double x_of(std::uint64_t step) const {
    return left_ + step_width_ * static_cast<double>(step - picture_.first);
  }
  double legend_top() const { return heading_.height() + (picture_.is_cut_off ? 20 : 0); }
  double top() const {
    return legend_top() + kLegendLine * static_cast<double>(legend_lines_) + 14;
  }

  std::string title() const {
    return picture_.title + (picture_.title.empty() ? "" : ", ") + steps_text(picture_);
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = picture_.notes;
    const std::size_t warps = picture_.groups[0].tracks.size();
    if (warps > kMaxDrawnWarps) {
      notes.push_back("the first " + std::to_string(kMaxDrawnWarps) + " of " +
                      std::to_string(warps) + " " + picture_.groups[0].name);
    }
    return notes;
  }

  double name_width() const {
    double width = 0;
    for (const PictureGroup& group : picture_.groups) {
      for (const std::string& name : group.tracks) {
        width = std::max(width, text_width(name, kNameSize));
      }
    }
    return width;
  }

  void place_tracks() {
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
      if (g > 0) plot_height_ += kGap;
      for (std::size_t t = 0; t < picture_.groups[g].tracks.size(); ++t) {
        const bool is_drawn = g > 0 || t < kMaxDrawnWarps;
        tracks_.push_back({is_drawn, plot_height_});
        if (is_drawn) plot_height_ += kRow;
      }
    }
  }

  // The states of the drawn bars get a place in the legend, line by line.
  void place_legend() {
    legend_.assign(picture_.states.size(), {-1, 0});
    std::vector<char> is_seen(picture_.states.size(), 0);
    for (const PictureSpan& span : picture_.spans) {
      if (tracks_[span.track].is_drawn) is_seen[span.state] = 1;
    }
    double x = kMargin;
    for (std::size_t s = 0; s < picture_.states.size(); ++s) {
      if (!is_seen[s]) continue;
      const double width = legend_width(s);
      if (x > kMargin && x + width > width_ - kRight) {
        x = kMargin;
        ++legend_lines_;
      }
      legend_[s] = {x, kLegendLine * static_cast<double>(legend_lines_ - 1)};
      x += width;
    }
  }
  double legend_width(std::size_t state) const {
    return kLegendBox + 6 + text_width(picture_.states[state].name, kLegendSize) + 18;
  }

  void add_fills(SvgCanvas& canvas) {
    std::size_t color = 0;
    for (const PictureState& state : picture_.states) {
      if (state.is_rest) {
        fills_.emplace_back(kRestColor);
        continue;
      }
      const char* plain = kColors[color % std::size(kColors)];
      fills_.push_back(color < std::size(kColors)
                           ? plain
                           : canvas.striped_fill("striped" + std::to_string(color), plain));
      ++color;
    }
  }

  void draw_legend(SvgCanvas& canvas) const {
    for (std::size_t s = 0; s < picture_.states.size(); ++s) {
      const auto [x, y] = legend_[s];
      if (x < 0) continue;
      canvas.box(x, legend_top() + y, kLegendBox, kBar, fills_[s]);
      canvas.label(x + kLegendBox + 6, legend_top() + y + kBar - 2, picture_.states[s].name,
                   "start", kLegendSize);
    }
  }

  // Names, and a light row behind the bars.
  void draw_rows(SvgCanvas& canvas) const {
    const double width = step_width_ * static_cast<double>(picture_.end - picture_.first);
    for (std::uint32_t track = 0; track < tracks_.size(); ++track) {
      if (!tracks_[track].is_drawn) continue;
      const double y = top() + tracks_[track].y;
      canvas.label(left_ - 8, y + kBar - 2, picture_.track_name(track), "end", kNameSize);
      canvas.box(left_, y, width, kBar, kRestColor);
    }
  }

  void draw_axis(SvgCanvas& canvas) const {
    const double room = text_width(std::to_string(picture_.end), kNameSize) + 12;
    std::uint64_t tick = 1;
    for (const std::uint64_t next : {2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
      if (static_cast<double>(tick) * step_width_ < std::max(room, 50.0)) tick = next;
    }
    const double bottom = top() + plot_height_;
    for (std::uint64_t step = (picture_.first + tick - 1) / tick * tick; step <= picture_.end;
         step += tick) {
      canvas.line(x_of(step), top() - 4, x_of(step), bottom, "#cccccc", 0.5);
      canvas.label(x_of(step), bottom + 14, std::to_string(step), "middle", kNameSize);
    }
    canvas.label(left_, bottom + 34, picture_.step, "start", kLegendSize);
  }

  // The row is already drawn in the colour of rest.
  void draw_span(const PictureSpan& span, SvgCanvas& canvas) const {
    if (!tracks_[span.track].is_drawn || picture_.states[span.state].is_rest) return;
    const double x = x_of(span.from), width = x_of(span.to) - x, y = top() + tracks_[span.track].y;
    canvas.box(x, y, width > kWideBar ? width - kSeam : width, kBar, fills_[span.state],
               picture_.track_name(span.track) + ": " + picture_.span_name(span) + ", " +
                   picture_.step + "s " + std::to_string(span.from) + " to " +
                   std::to_string(span.to - 1));
    if (span.warp == kNoWarp) return;
    const std::string number = std::to_string(span.warp);
    if (text_width(number, kHolderSize) + 2 > width) return;
    canvas.label(x + width / 2, y + kBar - 2, number, "middle", kHolderSize);
  }

  const RunPicture& picture_;
  const double step_width_, left_, width_;
  const SvgHeading heading_;
  std::vector<DrawnTrack> tracks_;  // [track]
  double plot_height_ = 0;
  std::vector<std::pair<double, double>> legend_;  // [state] x, y; x < 0: not in the legend
  std::size_t legend_lines_ = 1;
  std::vector<std::string> fills_;  // [state]
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
