#include "simulator/base/svg_canvas.h"

#include <cstdio>

namespace pnsim {
namespace {

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + svg_number(value) + "\"";
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml_escaped(value) + "\"";
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
        out += c;
    }
  }
  return out;
}

SvgCanvas::SvgCanvas(double width, double height)
    : body_("<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
            attribute("height", height) + " viewBox=\"0 0 " + svg_number(width) + " " +
            svg_number(height) + "\" font-family=\"sans-serif\">\n" +
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n") {}

void SvgCanvas::heading(const std::string& title, const std::string& note) {
  label(24, 26, title, "start", 17);
  if (!note.empty()) label(24, 46, note, "start", 12, "#555");
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, const std::string& color,
                     double width) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
           attribute("y2", y2) + attribute("stroke", color) + attribute("stroke-width", width) +
           "/>\n";
}

void SvgCanvas::polyline(const std::vector<std::pair<double, double>>& points,
                         const std::string& color, bool dashed) {
  if (points.empty()) return;
  std::string list;
  for (const auto& [x, y] : points) {
    list += (list.empty() ? "" : " ") + svg_number(x) + "," + svg_number(y);
  }
  body_ += "<polyline fill=\"none\"" + attribute("stroke", color) + " stroke-width=\"1.8\"" +
           (dashed ? " stroke-dasharray=\"6 4\"" : "") + attribute("points", list) + "/>\n";
}

void SvgCanvas::dot(double x, double y, const std::string& color, bool filled) {
  body_ += "<circle" + attribute("cx", x) + attribute("cy", y) + " r=\"3\"" +
           attribute("fill", filled ? color : "white") + attribute("stroke", color) + "/>\n";
}

void SvgCanvas::box(double x, double y, double width, double height, const std::string& fill) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + attribute("fill", fill) + "/>\n";
}

void SvgCanvas::outline(double x, double y, double width, double height, const std::string& color,
                        double line_width) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + " fill=\"none\"" + attribute("stroke", color) +
           attribute("stroke-width", line_width) + "/>\n";
}

void SvgCanvas::label(double x, double y, const std::string& text, const std::string& anchor,
                      int size, const std::string& color) {
  body_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", size) +
           attribute("text-anchor", anchor) + attribute("fill", color) + ">" + xml_escaped(text) +
           "</text>\n";
}

void SvgCanvas::upright_label(double x, double y, const std::string& text) {
  const std::string at = svg_number(x) + " " + svg_number(y);
  body_ += "<text" + attribute("x", x) + attribute("y", y) +
           " font-size=\"14\" text-anchor=\"middle\" fill=\"#222\"" +
           attribute("transform", "rotate(-90 " + at + ")") + ">" + xml_escaped(text) + "</text>\n";
}

std::string SvgCanvas::text() const { return body_ + "</svg>\n"; }

}  // namespace pnsim
