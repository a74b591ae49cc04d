// Basic shapes of plots as SVG text. Coordinates are pixels from the upper left corner.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pnsim {

class SvgCanvas {
 public:
  SvgCanvas(double width, double height);

  // Draws the title and a smaller note below it.
  void heading(const std::string& title, const std::string& note);
  void line(double x1, double y1, double x2, double y2, const std::string& color, double width);
  void polyline(const std::vector<std::pair<double, double>>& points, const std::string& color,
                bool dashed);
  void dot(double x, double y, const std::string& color, bool filled);
  void box(double x, double y, double width, double height, const std::string& fill);
  void outline(double x, double y, double width, double height, const std::string& color,
               double line_width);
  // `anchor` is the SVG text-anchor: "start", "middle" or "end".
  void label(double x, double y, const std::string& text, const std::string& anchor, int size = 12,
             const std::string& color = "#222");
  // Rotated to read upwards, centred.
  void upright_label(double x, double y, const std::string& text);

  std::string text() const;  // the whole document

 private:
  std::string body_;
};

// At most two decimals, without trailing zeros: "3", "3.5", "-0.25".
std::string svg_number(double value);

// Replaces &, <, > and " by entities.
std::string xml_escaped(const std::string& text);

}  // namespace pnsim
