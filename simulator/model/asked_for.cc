#include "simulator/model/asked_for.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace pnsim {
namespace {

std::string name_of_register(RegisterIndex r) {
  return r < kUniformRegisters ? "R" + std::to_string(r)
                               : "UR" + std::to_string(r - kUniformRegisters);
}

// "R2.64+UR4+" has R2 and UR4.
bool has_register(const std::string& registers, const std::string& name) {
  std::istringstream terms(registers);
  for (std::string term; std::getline(terms, term, '+');) {
    if (term.substr(0, term.find('.')) == name) return true;
  }
  return false;
}

}  // namespace

LoadAddress address_of(const std::string& text) {
  const std::size_t open = text.rfind('['), close = text.rfind(']');
  LoadAddress out;
  if (open == std::string::npos || close == std::string::npos || close < open) return out;
  std::istringstream terms(text.substr(open + 1, close - open - 1));
  for (std::string term; std::getline(terms, term, '+');) {
    if (term.starts_with("0x") || term.starts_with("-0x")) {
      out.offset += std::strtoll(term.c_str(), nullptr, 16);
    } else {
      out.registers += term + "+";
    }
  }
  return out;
}

double AskedFor::fresh(const std::string& text, double sectors, double lanes) {
  constexpr double kSectorBytes = 32;
  const LoadAddress at = address_of(text);
  if (at.registers.empty() || sectors <= 0) return 1;
  // Lanes with a sector each come back to it a few words on; those side by side to their
  // neighbours'.
  const double span = sectors >= 0.9 * lanes ? kSectorBytes : kSectorBytes * sectors;
  double share = 1;
  std::vector<std::int64_t>& offsets = offsets_[at.registers];
  for (const std::int64_t other : offsets) {
    const double apart = static_cast<double>(at.offset) - static_cast<double>(other);
    share = std::min(share, std::abs(apart) / span);
  }
  offsets.push_back(at.offset);
  return share;
}

void AskedFor::write(const SassInstruction& sass) {
  for (const RegisterIndex r : sass.writes) {
    if (r >= kPredicates) continue;
    const bool is_first = r == 0 || r == kUniformRegisters;
    const std::string name = name_of_register(r);
    const std::string pair = is_first ? name : name_of_register(r - 1);  // is named by its first
    std::erase_if(offsets_, [&](const auto& known) {
      return has_register(known.first, name) || has_register(known.first, pair);
    });
  }
}

}  // namespace pnsim
