// Helpers that the tables of a report share.
#pragma once

#include <cmath>

#include "experiments/report/report.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {

// A share in percent: "12.3" for 0.123; "-" for NaN.
inline std::string percent(double share) { return std::isnan(share) ? "-" : fixed(100 * share, 1); }

// An error in percent: "+12.3" for 0.123, "-4.5" for -0.045.
inline std::string signed_percent(double error) { return (error >= 0 ? "+" : "") + percent(error); }

// null for NaN.
inline Json number_or_null(double value) { return std::isnan(value) ? Json(nullptr) : Json(value); }

// Example: "Errors (recorded, h200)".
inline std::string title_of(const RunResults& results, const std::string& what) {
  return what + " (" + short_text(results.info.comparison) + ")";
}

inline std::string joined(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

}  // namespace pnsim::experiments
