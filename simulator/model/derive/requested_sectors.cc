#include "simulator/model/derive/requested_sectors.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

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
      constexpr long long kFar = 1LL << 40;  // further than any offset of an instruction
      const long long offset = std::strtoll(term.c_str(), nullptr, 16);
      out.offset = std::clamp(out.offset + std::clamp(offset, -kFar, kFar), -kFar, kFar);
    } else {
      out.registers += term + "+";
    }
  }
  return out;
}

namespace {

constexpr std::int64_t kBytesOfSector = 32, kLanes = 32;

std::int64_t sector_of(std::int64_t byte) {
  return byte >= 0 ? byte / kBytesOfSector : -((kBytesOfSector - 1 - byte) / kBytesOfSector);
}

// First and last sector of a row.
std::pair<std::int64_t, std::int64_t> sectors_of(const LanePattern& pattern, std::int64_t offset) {
  const std::int64_t first = pattern.phase + offset;
  return {sector_of(first), sector_of(first + pattern.bytes - 1)};
}

// The largest relative difference between the sectors of the pattern and the counted ones.
double misfit(const LanePattern& pattern, const std::vector<LoadRequest>& loads) {
  double worst = 0;
  for (const LoadRequest& load : loads) {
    const auto [first, last] = sectors_of(pattern, load.offset);
    const auto sectors = static_cast<double>(pattern.rows * (last - first + 1));
    worst = std::max(worst, std::abs(sectors - load.sectors) / load.sectors);
  }
  return worst;
}

// New shares without a pattern. Lanes with a sector each return to their own sector at an offset of
// a few words; neighbouring lanes reach the sectors of their neighbours.
std::vector<double> new_by_distance(const std::vector<LoadRequest>& loads) {
  std::vector<double> out;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const LoadRequest& load = loads[i];
    const double span =
        load.sectors >= 0.9 * load.lanes ? kBytesOfSector : kBytesOfSector * load.sectors;
    double share = 1;
    for (std::size_t k = 0; k < i; ++k) {
      share = std::min(share, std::abs(static_cast<double>(load.offset - loads[k].offset)) / span);
    }
    out.push_back(share);
  }
  return out;
}

std::vector<double> new_by_pattern(const LanePattern& pattern,
                                   const std::vector<LoadRequest>& loads) {
  std::vector<double> out;
  std::set<std::int64_t> requested;
  for (const LoadRequest& load : loads) {
    const auto [first, last] = sectors_of(pattern, load.offset);
    double fresh = 0;
    for (std::int64_t sector = first; sector <= last; ++sector) {
      fresh += requested.insert(sector).second ? 1 : 0;
    }
    out.push_back(fresh / static_cast<double>(last - first + 1));
  }
  return out;
}

}  // namespace

LanePattern pattern_of(const std::vector<LoadRequest>& loads) {
  constexpr double kFits = 0.08;  // some lanes may be inactive, as at the border of a picture
  LanePattern best{0, 0, 0};
  double least = kFits;
  if (loads.empty()) return best;
  const std::int64_t bytes = loads[0].bytes;
  if (loads[0].sectors <= 0 || bytes < 1 || bytes > 16) return best;
  // Addresses that begin at a sector are more likely: of equally good patterns the first is taken.
  for (std::int64_t phase = 0; phase < kBytesOfSector; phase += bytes) {
    for (std::int64_t rows = 1; rows <= kLanes; rows *= 2) {
      for (std::int64_t lanes = 1; lanes * rows <= kLanes; lanes *= 2) {
        const LanePattern pattern{rows, lanes * bytes, phase};
        const double off = misfit(pattern, loads);
        if (off < least - 1e-9) std::tie(best, least) = std::tuple{pattern, off};
      }
    }
  }
  return best;
}

void RequestedSectors::load(const std::string& text, LoadRequest load) {
  const LoadAddress at = address_of(text);
  constexpr std::size_t kMostLoads = 1024;  // of a group, and groups: a bound on the work
  if (at.registers.empty() || load.sectors <= 0) return;
  load.offset = at.offset;
  if (open_.size() >= kMostLoads && !open_.contains(at.registers)) return;
  const auto [it, is_new] = open_.try_emplace(at.registers, groups_.size());
  if (is_new) groups_.emplace_back();
  if (groups_[it->second].size() < kMostLoads) groups_[it->second].push_back(load);
}

void RequestedSectors::write(const SassInstruction& sass) {
  for (const RegisterIndex r : sass.writes) {
    if (r >= kPredicates) continue;
    const bool is_first = r == 0 || r == kUniformRegisters;
    const std::string name = name_of_register(r);
    // The register may be the second one of a pair, which has the name of its first.
    const std::string pair = is_first ? name : name_of_register(r - 1);
    std::erase_if(open_, [&](const auto& known) {
      return has_register(known.first, name) || has_register(known.first, pair);
    });
  }
}

std::vector<double> RequestedSectors::new_shares(std::size_t places) const {
  std::vector<double> out(places, 1);
  for (const std::vector<LoadRequest>& loads : groups_) {
    const LanePattern pattern = pattern_of(loads);
    const std::vector<double> shares =
        pattern.rows > 0 ? new_by_pattern(pattern, loads) : new_by_distance(loads);
    for (std::size_t i = 0; i < loads.size(); ++i) out[loads[i].place] = shares[i];
  }
  return out;
}

}  // namespace pnsim
