// How much room texts take in an SVG, where nobody knows the reader's font.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

// An upper estimate of the width in pixels, for the usual sans-serif fonts (DejaVu Sans is among
// the widest). `size` is the font size in pixels.
double text_width(const std::string& text, double size);

// Lines that are at most `width` wide, broken at spaces. A longer word is cut (fitted_text).
std::vector<std::string> wrapped_text(const std::string& text, double width, double size);

// The text, or its beginning and its end with "..." between them, at most `width` wide.
std::string fitted_text(const std::string& text, double width, double size);

}  // namespace pnsim
