// "Did you mean": the valid name closest to one that was not found.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pnsim {

// The candidate with the smallest edit distance to `name` (the first of equals), or "" when none
// is within half of the longer length.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

// `; did you mean "x"?` or, when nothing is near and the list is short, `; known: a, b, c`.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace pnsim
