#include "simulator/analysis/check/check_report.h"

#include <algorithm>

namespace pnsim {

std::string severity_name(Severity severity) {
  switch (severity) {
    case Severity::kOk:
      return "ok";
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
  }
  return "?";
}

bool CheckReport::has_warnings() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::kWarning; });
}

}  // namespace pnsim
