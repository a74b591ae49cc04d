#include "simulator/analysis/questions/replica_rule.h"

#include <algorithm>
#include <cmath>

namespace pnsim {

Told told(double change, double half_width, double matters) {
  if (std::abs(change) > half_width) return Told::kChange;
  return std::abs(change) + half_width <= matters ? Told::kNone : Told::kNoise;
}

Told run_until_told(const ReplicaRule& rule,
                    const std::function<void(std::uint32_t, std::uint32_t)>& run,
                    const std::function<Told(int look)>& tell) {
  Told out = Told::kNoise;
  std::uint32_t have = 0;
  int look = 0;
  for (std::uint32_t want = rule.first; out == Told::kNoise && have < rule.most; want *= 2) {
    want = std::min(want, rule.most);
    run(have, want - have);
    have = want;
    out = tell(++look);
  }
  return out;
}

std::string text_of(const ReplicaRule& rule, std::uint32_t used) {
  std::string text = std::to_string(std::min(rule.first, used));
  if (used > rule.first) text += " to " + std::to_string(used);
  return text + (used == 1 ? " replica" : " replicas");
}

std::string remark_of(Told told) {
  if (told == Told::kChange) return "";
  return told == Told::kNoise ? "hidden by the draws" : name_of(told);
}

std::string name_of(Told told) {
  switch (told) {
    case Told::kChange:
      return "change";
    case Told::kNone:
      return "no change";
    case Told::kNoise:
      return "noise";
    case Told::kOneRun:
      return "one replica";
  }
  return "";
}

}  // namespace pnsim
