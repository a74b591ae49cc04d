// Brackets in the name of a C++ function, as compilers and profilers print it.
#pragma once

#include <string>
#include <string_view>

namespace pnsim {

// Reads a name character by character. A closing bracket without its opening one is ignored:
// profilers shorten what lambdas are called, and leave some. So is ">" in other brackets than "<":
// a comparison, or the arrow of a lambda's result type.
class Brackets {
 public:
  // Whether `c`, the next character, is a bracket or in brackets.
  bool read(char c);
  bool are_open() const { return !open_.empty(); }

 private:
  std::string open_;
  char before_ = 0;
};

// Erases unnamed namespaces: "a::(anonymous namespace)::f" and "a::<unnamed>::f" become "a::f".
// Nsight Compute 2025.3 may cut the outer namespaces off. It then prints "unnamed>::f" for
// "a::<unnamed>::f", and "g<unnamed>::f>" for "g<a::<unnamed>::f>", which becomes "g<f>".
std::string without_unnamed_namespaces(std::string_view name);

// "f" of "f<T>(int)".
std::string without_brackets(std::string_view name);

}  // namespace pnsim
