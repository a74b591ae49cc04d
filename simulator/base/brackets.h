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

// Without unnamed namespaces: "a::f" of "a::(anonymous namespace)::f" and of "a::<unnamed>::f".
// Nsight Compute may drop the namespaces around one, and then its bracket or that of the template
// arguments in front of it: "unnamed>::f", or "g<unnamed>::f>" for "g<a::<unnamed>::f>", which is
// "g<f>".
std::string without_unnamed_namespaces(std::string name);

// "f" of "f<T>(int)".
std::string without_brackets(std::string_view name);

}  // namespace pnsim
