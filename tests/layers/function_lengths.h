// How long the functions of a C++ file are, found by its braces; good for code in the style of this
// project.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pnsim::test {

struct FunctionLength {
  std::size_t line;   // of its opening brace, from 1
  std::size_t lines;  // from the opening brace to the closing one
};

// Functions with a body, in the order of the file; lambdas and local classes belong to the function
// around them.
std::vector<FunctionLength> function_lengths(std::string_view source);

}  // namespace pnsim::test
