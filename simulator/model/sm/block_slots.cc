#include "simulator/model/sm/block_slots.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pnsim {

std::vector<std::vector<char>> admitted(const std::vector<Phase>& phases, std::int64_t slots,
                                        FirstBlocks first) {
  std::vector<std::vector<char>> out;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    std::int64_t begin = 0;
    out.emplace_back();
    for (const Phase& phase : phases) {
      const std::int64_t end = begin + phase.blocks;
      out.back().push_back(first == FirstBlocks::kInAnySlot || end > slots ||
                           (begin <= slot && slot < end));
      begin = end;
    }
  }
  return out;
}

SlotWarps warps_of_slots(CostedPrograms& programs, const std::vector<Phase>& phases,
                         const std::vector<std::vector<char>>& admits) {
  SlotWarps out;
  std::vector<std::int64_t> most;  // [phase] barriers of a warp
  for (const Phase& phase : phases) {
    most.push_back(0);
    for (const std::size_t k : phase.kinds)
      most.back() = std::max(most.back(), programs.barriers_of(k));
  }
  constexpr std::size_t kNotAdmitted = std::numeric_limits<std::size_t>::max();
  std::map<std::vector<std::size_t>, std::size_t>
      known;  // [phase] kind, and whose block it is in: most differs
  for (const std::vector<char>& of_slot : admits) {
    for (std::size_t w = 0; w < phases[0].kinds.size(); ++w) {
      std::vector<std::size_t> kinds;
      for (std::size_t p = 0; p < phases.size(); ++p)
        kinds.push_back(of_slot[p] ? phases[p].kinds[w] : kNotAdmitted);
      const auto [it, is_new] = known.try_emplace(kinds, out.rows.size());
      out.of_warp.push_back(it->second);
      if (!is_new) continue;
      WarpRows& rows = out.rows.emplace_back();
      std::vector<std::int64_t>& first = out.first.emplace_back();
      for (std::size_t p = 0; p < phases.size(); ++p) {
        const std::int64_t extra = of_slot[p] ? most[p] - programs.barriers_of(kinds[p]) : 0;
        first.push_back(of_slot[p] ? rows.append(programs, kinds[p], extra) : 0);
      }
      out.segments = std::max(out.segments, rows.segments().size());
      out.loops = std::max(out.loops, rows.loops().size());
    }
  }
  return out;
}

}  // namespace pnsim
