// The profiler's source page is compared with its raw page.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"
#include "simulator/model/sass/sass.h"

namespace pnsim {

// The source page beside the raw page; [launch] in the order of the raw page.
struct SourceCheck {
  LaunchTables tables;                 // null for a launch without one
  std::vector<SourceCounts> launches;  // sums of each table
  std::vector<std::size_t> sums;       // how many sums were compared and are equal
  std::vector<std::string>
      differences;                 // tolerated, a sentence a launch; the source page's counts hold
  std::size_t tolerated_sums = 0;  // how many sums are in these sentences
  double needed_tolerance = 0;     // relative: accepts the sums that are faults; 0 where none does
  Faults faults;
};

// Reads `ncu --page source --csv --print-source sass` and finds the table of each launch
// (table_match.h). Every sum of a launch (SourceCounts::sums) must equal the raw page's column of
// that name, where the page has it. Where the raw page counts accesses from the code, the source
// page has at least as many: it includes accesses whose lanes were all predicated off. A launch
// with another sum has a fault that names the first one. The profiler counts in several runs, and
// the runs may differ: where branches split warps, differences of up to 10 % are reported and
// tolerated, and where warps spin, of up to 50 %. The threads that are predicated on may differ by
// 10 % in any launch, because predicates depend on data. `tolerance` is a relative difference that
// is accepted in every sum. A launch whose `faults` entry is given keeps it.
SourceCheck compare_with_source(const std::vector<ProfiledLaunch>& launches, Faults faults,
                                const std::string& csv_text, const std::string& origin,
                                double tolerance = 0);

// The same; error 3 with the first fault.
SourceCheck check_against_source(const std::vector<ProfiledLaunch>& launches,
                                 const std::string& csv_text, const std::string& origin);

}  // namespace pnsim
