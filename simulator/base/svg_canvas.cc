#include "simulator/base/svg_canvas.h"

#include <cstdio>

#include "simulator/base/svg_text.h"

namespace pnsim {
namespace {

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + svg_number(value) + "\"";
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml_escaped(value) + "\"";
}

constexpr double kHeadingMargin = 24, kTitleSize = 17, kTitleLine = 22, kNoteSize = 12,
                 kNoteLine = 16;

// Ends an element, with a tooltip inside if there is one.
std::string end_of(const std::string& element, const std::string& tooltip) {
  if (tooltip.empty()) return "/>\n";
  return "><title>" + xml_escaped(tooltip) + "</title></" + element + ">\n";
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

// The corners of a marker around 0, 0.
std::vector<std::pair<double, double>> corners(SvgMarker shape) {
  if (shape == SvgMarker::kSquare) return {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}};
  if (shape == SvgMarker::kTriangle) return {{0, -4}, {4, 3}, {-4, 3}};
  return {{0, -4.5}, {4.5, 0}, {0, 4.5}, {-4.5, 0}};
}

}  // namespace

std::string svg_number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string out = text;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // Not even as a character reference may XML 1.0 hold these.
        out += is_control(c) ? '?' : c;
    }
  }
  return out;
}

SvgCanvas::SvgCanvas(double width, double height)
    : body_("<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
            attribute("height", height) + " viewBox=\"0 0 " + svg_number(width) + " " +
            svg_number(height) + "\" font-family=\"sans-serif\">\n" +
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n") {}

SvgHeading::SvgHeading(double width, const std::string& title_text,
                       const std::vector<std::string>& note_texts)
    : title(wrapped_text(title_text, width - 2 * kHeadingMargin, kTitleSize)) {
  for (const std::string& note : note_texts) {
    const auto lines = wrapped_text(note, width - 2 * kHeadingMargin, kNoteSize);
    notes.insert(notes.end(), lines.begin(), lines.end());
  }
}

double SvgHeading::height() const {
  return 26 + kTitleLine * (static_cast<double>(title.size()) - 1) +
         (notes.empty() ? 0 : 4 + kNoteLine * static_cast<double>(notes.size())) + 18;
}

void SvgCanvas::heading(const SvgHeading& heading) {
  double y = 26 - kTitleLine;
  for (const std::string& line : heading.title) {
    label(kHeadingMargin, y += kTitleLine, line, "start", static_cast<int>(kTitleSize));
  }
  y += 4;
  for (const std::string& line : heading.notes) {
    label(kHeadingMargin, y += kNoteLine, line, "start", static_cast<int>(kNoteSize), "#555");
  }
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, const std::string& color,
                     double width) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
           attribute("y2", y2) + attribute("stroke", color) + attribute("stroke-width", width) +
           "/>\n";
}

void SvgCanvas::polyline(const std::vector<std::pair<double, double>>& points,
                         const std::string& color, const std::string& dashes,
                         const std::string& tooltip) {
  if (points.empty()) return;
  std::string list;
  for (const auto& [x, y] : points) {
    list += (list.empty() ? "" : " ") + svg_number(x) + "," + svg_number(y);
  }
  body_ += "<polyline fill=\"none\"" + attribute("stroke", color) + " stroke-width=\"1.8\"" +
           (dashes.empty() ? "" : attribute("stroke-dasharray", dashes)) +
           attribute("points", list) + end_of("polyline", tooltip);
}

void SvgCanvas::marker(SvgMarker shape, double x, double y, const std::string& color, bool filled,
                       const std::string& tooltip) {
  const std::string paint =
      attribute("fill", filled ? color : "white") + attribute("stroke", color);
  if (shape == SvgMarker::kCircle) {
    body_ += "<circle" + attribute("cx", x) + attribute("cy", y) + " r=\"3\"" + paint +
             end_of("circle", tooltip);
    return;
  }
  std::string list;
  for (const auto& [dx, dy] : corners(shape)) {
    list += (list.empty() ? "" : " ") + svg_number(x + dx) + "," + svg_number(y + dy);
  }
  body_ += "<polygon" + attribute("points", list) + paint + end_of("polygon", tooltip);
}

void SvgCanvas::box(double x, double y, double width, double height, const std::string& fill,
                    const std::string& tooltip) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + attribute("fill", fill) + end_of("rect", tooltip);
}

std::string SvgCanvas::striped_fill(const std::string& name, const std::string& color) {
  body_ += "<pattern" + attribute("id", name) +
           " width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
           "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\"" +
           attribute("fill", color) +
           "/><rect width=\"2\" height=\"5\" fill=\"white\" fill-opacity=\"0.6\"/></pattern>\n";
  return "url(#" + name + ")";
}

void SvgCanvas::outline(double x, double y, double width, double height, const std::string& color,
                        double line_width) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + " fill=\"none\"" + attribute("stroke", color) +
           attribute("stroke-width", line_width) + "/>\n";
}

void SvgCanvas::label(double x, double y, const std::string& text, const std::string& anchor,
                      int size, const std::string& color, const std::string& tooltip) {
  body_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", size) +
           attribute("text-anchor", anchor) + attribute("fill", color) + ">" + xml_escaped(text) +
           (tooltip.empty() ? "" : "<title>" + xml_escaped(tooltip) + "</title>") + "</text>\n";
}

void SvgCanvas::upright_label(double x, double y, const std::string& text) {
  const std::string at = svg_number(x) + " " + svg_number(y);
  body_ += "<text" + attribute("x", x) + attribute("y", y) +
           " font-size=\"14\" text-anchor=\"middle\" fill=\"#222\"" +
           attribute("transform", "rotate(-90 " + at + ")") + ">" + xml_escaped(text) + "</text>\n";
}

std::string SvgCanvas::text() const { return body_ + "</svg>\n"; }

}  // namespace pnsim
