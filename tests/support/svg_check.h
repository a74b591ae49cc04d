// Checks that an SVG can be read: no text leaves the drawing or covers another one, and every
// series of a plot looks different. Shares no estimate of text widths with the code that draws.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace pnsim {

// The colours of Okabe and Ito with a grey, which colour-blind readers can distinguish.
inline const std::set<std::string> kSafeColors = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#E69F00", "#56B4E9", "#5B5B5B", "#000000"};

class SvgCheck {
 public:
  explicit SvgCheck(const std::string& svg) {
    EXPECT_TRUE(document_.load_string(svg.c_str())) << svg.substr(0, 200);
    root_ = document_.child("svg");
    std::sscanf(root_.attribute("viewBox").as_string(), "0 0 %lf %lf", &width_, &height_);
  }

  pugi::xml_node root() const { return root_; }

  // Whole sentences; empty when there is nothing to blame.
  std::vector<std::string> faults() const {
    std::vector<std::string> out;
    const std::vector<Text> texts = all_texts();
    if (texts.empty()) out.push_back("there is no text");
    for (const Text& text : texts) {
      if (text.left >= 0 && text.right <= width_ && text.top >= 0 && text.bottom <= height_) {
        continue;
      }
      out.push_back("\"" + text.words + "\" leaves the drawing");
    }
    add_covered(texts, out);
    return out;
  }

  // The looks of the legend, area by area: colour, dashes, shape and filling of each entry.
  // A plotting area is a box without filling.
  std::vector<std::vector<std::string>> looks() const {
    std::vector<std::vector<std::string>> out;
    for (const auto& area : root_.children("rect")) {
      if (area.attribute("fill").as_string() != std::string("none")) continue;
      const double right = number(area, "x") + number(area, "width");
      const double top = number(area, "y"), bottom = top + number(area, "height");
      out.emplace_back();
      for (const Text& text : all_texts()) {
        const bool is_name = text.left > right + 30 && !text.is_upright;
        if (!is_name || text.baseline < top || text.baseline > bottom) continue;
        const std::string look = look_at(text.baseline - 4, right);
        if (!look.empty()) out.back().push_back(look);
      }
    }
    return out;
  }

  // Markers of the points that say nothing when the pointer rests on them. Those of legends need
  // not.
  std::size_t silent_markers() const {
    std::size_t silent = 0, entries = 0;
    for (const char* shape : {"circle", "polygon"}) {
      for (const auto& node : root_.children(shape)) silent += node.child("title").empty();
    }
    for (const auto& area : looks()) {
      for (const std::string& look : area) entries += look.find("marker") != std::string::npos;
    }
    return silent - entries;
  }

 private:
  struct Text {
    std::string words;
    double left = 0, right = 0, top = 0, bottom = 0, baseline = 0;
    bool is_upright = false;
  };

  static double number(const pugi::xml_node& node, const char* name) {
    return node.attribute(name).as_double();
  }

  // DejaVu Sans, the widest of the usual fonts, takes 0.59 of the size a character on average.
  static double width_of(const std::string& words, double size) {
    double width = 0;
    for (const char c : words) {
      const bool is_thin = std::string("iljI|'.,:;()[] ").find(c) != std::string::npos;
      width += is_thin ? 0.38 : c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '%' ? 1 : 0.63;
    }
    return width * size;
  }

  std::vector<Text> all_texts() const {
    std::vector<Text> out;
    for (const auto& node : root_.children("text")) {
      const double x = number(node, "x"), y = number(node, "y"), size = number(node, "font-size");
      const std::string anchor = node.attribute("text-anchor").as_string();
      Text text;
      text.words = node.text().as_string();
      const double width = width_of(text.words, size);
      const double before = anchor == "end" ? width : anchor == "middle" ? width / 2 : 0;
      text.is_upright = !node.attribute("transform").empty();
      text.baseline = y;
      if (text.is_upright) {
        text.left = x - 0.8 * size;
        text.right = x + 0.2 * size;
        text.top = y - (width - before);
        text.bottom = y + before;
      } else {
        text.left = x - before;
        text.right = x + width - before;
        text.top = y - 0.8 * size;
        text.bottom = y + 0.2 * size;
      }
      out.push_back(text);
    }
    return out;
  }

  // A picture has thousands of texts: only those at the same height are compared.
  static void add_covered(std::vector<Text> texts, std::vector<std::string>& out) {
    std::stable_sort(texts.begin(), texts.end(),
                     [](const Text& a, const Text& b) { return a.top < b.top; });
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t k = i + 1; k < texts.size() && texts[k].top < texts[i].bottom; ++k) {
        if (!touch(texts[i], texts[k])) continue;
        out.push_back("\"" + texts[i].words + "\" covers \"" + texts[k].words + "\"");
      }
    }
  }

  static bool touch(const Text& a, const Text& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }

  // What the legend shows at this height, right of x.
  std::string look_at(double y, double x) const {
    std::string look;
    for (const auto& line : root_.children("polyline")) {
      double x1 = 0, y1 = 0;
      std::sscanf(line.attribute("points").as_string(), "%lf,%lf", &x1, &y1);
      if (std::abs(y1 - y) > 0.1 || x1 < x) continue;
      look += std::string(line.attribute("stroke").as_string()) + " line " +
              line.attribute("stroke-dasharray").as_string();
    }
    for (const char* shape : {"circle", "polygon"}) {
      for (const auto& node : root_.children(shape)) {
        double mx = number(node, "cx"), my = number(node, "cy");
        std::string form = shape;
        if (form == "polygon") std::tie(mx, my, form) = polygon(node);
        if (std::abs(my - y) > 1.1 || mx < x || !node.child("title").empty()) continue;
        look += std::string(node.attribute("stroke").as_string()) + " marker " + form +
                node.attribute("fill").as_string();
      }
    }
    return look;
  }

  // The middle of a marker with corners, and its number of corners with the height of the first.
  static std::tuple<double, double, std::string> polygon(const pugi::xml_node& node) {
    std::vector<double> xs, ys;
    const char* at = node.attribute("points").as_string();
    double px = 0, py = 0;
    int used = 0;
    while (std::sscanf(at, "%lf,%lf%n", &px, &py, &used) == 2) {
      xs.push_back(px);
      ys.push_back(py);
      at += used;
    }
    const auto [left, right] = std::minmax_element(xs.begin(), xs.end());
    const auto [low, high] = std::minmax_element(ys.begin(), ys.end());
    const double middle = (*left + *right) / 2;
    const std::string form =
        std::to_string(xs.size()) + (std::abs(xs[0] - middle) < 0.1 ? "^" : "");
    return {middle, (*low + *high) / 2, form};
  }

  pugi::xml_document document_;
  pugi::xml_node root_;
  double width_ = 0, height_ = 0;
};

// Every text fits and the areas of the plot have series of different looks and safe colours.
inline void expect_readable(const std::string& svg, const std::string& name) {
  const SvgCheck check(svg);
  for (const std::string& fault : check.faults()) ADD_FAILURE() << name << ": " << fault;
  for (const auto& area : check.looks()) {
    EXPECT_EQ(std::set<std::string>(area.begin(), area.end()).size(), area.size())
        << name << ": two series look alike";
    for (const std::string& look : area) {
      EXPECT_TRUE(kSafeColors.contains(look.substr(0, look.find(' ')))) << name << ": " << look;
    }
  }
}

}  // namespace pnsim
