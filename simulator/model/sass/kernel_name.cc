#include "simulator/model/sass/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "simulator/base/brackets.h"

namespace pnsim {
namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

// "_GLOBAL__N_" begins the name of an unnamed namespace in mangled names.
std::string without_unnamed(std::string name) {
  if (name.starts_with("_Z")) name = demangled(name);
  name = without_unnamed_namespaces(name);
  constexpr std::string_view kMangled = "_GLOBAL__N_";
  for (auto at = name.find(kMangled); at != std::string::npos; at = name.find(kMangled)) {
    const auto end = name.find("::", at);
    if (end == std::string::npos) break;
    name.erase(at, end + 2 - at);
  }
  return name;
}

// "c" of "a::b::c", and "a::b".
std::string_view last_part(std::string_view name) {
  const auto at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

std::string_view without_last_part(std::string_view name) {
  const auto at = name.rfind("::");
  return at == std::string_view::npos ? std::string_view{} : name.substr(0, at);
}

}  // namespace

std::string plain_kernel_name(std::string name) {
  name = without_unnamed(std::move(name));
  Brackets brackets;
  std::string plain;
  for (const char c : name) {
    if (c == '(' && !brackets.are_open()) break;
    if (!brackets.read(c)) plain += c;
  }
  while (!plain.empty() && plain.back() == ' ') plain.pop_back();
  return plain.substr(plain.rfind(' ') + 1);  // a template's name comes with its return type
}

std::string template_arguments(std::string name) {
  name = without_unnamed(std::move(name));
  Brackets brackets;
  std::string arguments;  // of the last name so far
  for (const char c : name) {
    if (!brackets.are_open()) {
      if (c == '(') break;
      if (c != ' ') arguments.clear();
    }
    if (brackets.read(c)) arguments += c;
  }
  return !brackets.are_open() && arguments.starts_with('<') ? arguments : "";
}

bool is_same_kernel(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (last_part(a) != last_part(b)) return false;
  // Every namespace of the shorter name, in order, among those of the longer one.
  while (!b.empty()) {
    if (a.empty()) return false;
    if (last_part(a) == last_part(b)) b = without_last_part(b);
    a = without_last_part(a);
  }
  return true;
}

}  // namespace pnsim
