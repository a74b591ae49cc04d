// The predictions of one kernel model by every net that it allows, side by side.
#pragma once

#include <string>
#include <vector>

#include "simulator/analysis/predict/run_report.h"

namespace pnsim {

struct NetsReport {
  std::vector<ModelRunReport> reports;  // at least one; that of the net that the model names first
  std::string not_run;                  // whole sentences: which net was not run, and why
  bool net_was_given = false;           // by --net: one report, and its own forms below
};

// The report of the net whose step is a cycle, because nothing in it is fitted; else the first one.
const ModelRunReport& believed(const NetsReport& report);

// The report of another net than the believed one; null when there is none.
const ModelRunReport* beside_believed(const NetsReport& report);

// The object of the first report, with those of the other nets in the array "also".
Json to_json(const NetsReport& report);

// A table with a row per net, the launches of the believed net, and which net to believe and why.
std::string text_of(const NetsReport& report);

// The lines of each report, with the net in a last column.
std::string csv_of(const NetsReport& report);

}  // namespace pnsim
