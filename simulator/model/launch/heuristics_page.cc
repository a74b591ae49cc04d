// The page docs/heuristics.md.
#include "simulator/model/launch/heuristics.h"

namespace pnsim {

std::string heuristics_markdown() {
  std::string out =
      "# Heuristics of the model of an SM\n"
      "\n"
      "A heuristic infers something that was not measured, or decides by a threshold. The rest of\n"
      "the model multiplies counts of the launch by measured facts of the device, or interpolates\n"
      "between measurements. `experiment validate --ablation` predicts all recorded points with "
      "each\n"
      "heuristic switched off. `experiment table heuristics` prints this page.\n"
      "\n"
      "| heuristic | when it applies, what it does | constants | evidence | when switched off |\n"
      "|---|---|---|---|---|\n";
  for (const HeuristicRow& row : heuristics()) {
    out += std::string("| ") + row.name + " | " + row.trigger + " | " + row.constants + " | " +
           row.evidence + " | " + row.fallback + " |\n";
  }
  return out;
}

}  // namespace pnsim
