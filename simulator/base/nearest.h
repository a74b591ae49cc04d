// "Did you mean": finds the valid name that is closest to an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pnsim {

// The candidate with the smallest edit distance to `name`; the first one wins a tie. Returns ""
// when every distance exceeds half of the longer length.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

// Returns `; did you mean "x"?`, or `; known: a, b, c` when no name is near and the list is short.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace pnsim
