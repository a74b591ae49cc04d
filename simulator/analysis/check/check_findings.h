// The conclusions that `pnsim check` draws from the results it has collected.
#pragma once

#include "simulator/analysis/check/check_report.h"
#include "simulator/net/enabling.h"

namespace pnsim {

// The inputs of the findings beside the report itself.
struct Evidence {
  const Net& net;
  const EnablingProof& enabling;
  const FamilyMaker& places;
  const FamilyMaker& transitions;
};

// Fills report.findings from the other parts of the report: first warnings, then notes, then checks
// that passed.
void add_findings(const Evidence& evidence, CheckReport& report);

}  // namespace pnsim
