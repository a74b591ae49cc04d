// The profiler's source page held against its raw page.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"
#include "simulator/model/sass/sass.h"

namespace pnsim {

// The source page beside the raw page.
struct SourceCheck {
  std::vector<SourceTable> tables;       // of each launch, as in the raw page
  std::vector<SourceCounts> launches;    // their sums
  std::vector<std::size_t> sums;         // of each, how many were compared and are equal
  std::vector<std::string> differences;  // let pass, each a sentence; the page's counts hold
};

// ncu --page source --csv --print-source sass: every sum of a launch (SourceCounts::sums) must be
// what the raw page has in that column, where it has it, to the last digit. Where the raw page
// counts accesses from the code, the source page has at least as many: also those whose lanes were
// all predicated off. Error 3 names the first that differs. Where branches split warps, differences
// of up to 10 % are told and let pass: the profiler counts in several runs, and those differ.
SourceCheck check_against_source(const std::vector<ProfiledLaunch>& launches,
                                 const std::string& csv_text, const std::string& origin);

}  // namespace pnsim
