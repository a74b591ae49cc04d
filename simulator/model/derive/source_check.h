// The profiler's source page is compared with its raw page.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"
#include "simulator/model/sass/sass.h"

namespace pnsim {

// The source page beside the raw page.
struct SourceCheck {
  std::vector<SourceTable> tables;     // one a launch, in the order of the raw page
  std::vector<SourceCounts> launches;  // sums of each table
  std::vector<std::size_t> sums;       // of each launch: how many sums were compared and are equal
  std::vector<std::string>
      differences;  // tolerated, each a sentence; the source page's counts hold
};

// Reads `ncu --page source --csv --print-source sass`. Every sum of a launch (SourceCounts::sums)
// must equal the raw page's column of that name, where the page has it. Where the raw page counts
// accesses from the code, the source page has at least as many: it includes accesses whose lanes
// were all predicated off. Error 3 names the first sum that differs. Where branches split warps,
// differences of up to 10 % are reported and tolerated: the profiler counts in several runs, and
// the runs differ.
SourceCheck check_against_source(const std::vector<ProfiledLaunch>& launches,
                                 const std::string& csv_text, const std::string& origin);

}  // namespace pnsim
