// What a check concludes from the numbers it has collected.
#pragma once

#include "simulator/analysis/check/check_report.h"
#include "simulator/net/enabling.h"

namespace pnsim {

// What the findings are drawn from, besides the rest of the report.
struct Evidence {
  const Net& net;
  const EnablingProof& enabling;
  const FamilyMaker& places;
  const FamilyMaker& transitions;
};

// Fills report.findings from all its other parts: warnings first, then notes, then what is fine.
void add_findings(const Evidence& evidence, CheckReport& report);

}  // namespace pnsim
