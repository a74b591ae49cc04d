// Basic shapes of plots as SVG text. Coordinates are pixels from the upper left corner.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pnsim {

// A title and smaller notes below it, in lines that fit.
struct SvgHeading {
  // Wraps the title and each note to a drawing of that width.
  SvgHeading(double width, const std::string& title, const std::vector<std::string>& notes);

  std::vector<std::string> title, notes;
  double height() const;  // what lies below may begin here
};

// How a series is drawn, so that it can be told from the others without colours.
enum class SvgMarker { kCircle, kSquare, kTriangle, kDiamond };

class SvgCanvas {
 public:
  SvgCanvas(double width, double height);

  void heading(const SvgHeading& heading);
  void line(double x1, double y1, double x2, double y2, const std::string& color, double width);
  // A viewer shows a tooltip where the pointer rests. `dashes`: the SVG stroke-dasharray, "" for a
  // solid line.
  void polyline(const std::vector<std::pair<double, double>>& points, const std::string& color,
                const std::string& dashes, const std::string& tooltip = "");
  void marker(SvgMarker shape, double x, double y, const std::string& color, bool filled,
              const std::string& tooltip = "");
  void box(double x, double y, double width, double height, const std::string& fill,
           const std::string& tooltip = "");
  // A fill for box() with white stripes: "url(#NAME)". Call it before the boxes.
  std::string striped_fill(const std::string& name, const std::string& color);
  void outline(double x, double y, double width, double height, const std::string& color,
               double line_width);
  // `anchor` is the SVG text-anchor: "start", "middle" or "end".
  void label(double x, double y, const std::string& text, const std::string& anchor, int size = 12,
             const std::string& color = "#222", const std::string& tooltip = "");
  // Rotated to read upwards, centred.
  void upright_label(double x, double y, const std::string& text);

  std::string text() const;  // the whole document

 private:
  std::string body_;
};

// At most two decimals, without trailing zeros: "3", "3.5", "-0.25".
std::string svg_number(double value);

// Replaces &, <, > and " by entities, and the control characters that XML cannot hold by "?".
std::string xml_escaped(const std::string& text);

}  // namespace pnsim
