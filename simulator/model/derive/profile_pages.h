// The pages of one profile, read together: the input of `pnsim derive`.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"

namespace pnsim {

// A page as CSV, or a report of ncu (*.ncu-rep), whose pages the installed profiler prints.
struct ProfileFiles {
  std::string raw;             // the raw page, or the report
  std::string source;          // the source page; "": none, or that of the report
  std::string in_place{};      // a raw page of launches in place (in_place_page.h); "": none
  bool allow_missing = false;  // go on without columns that decide the predicted time
  double tolerance = 0;        // relative difference of the pages' sums that is accepted
};

// A launch that has no model.
struct SkippedLaunch {
  std::size_t position = 0;  // in the raw page, from 0
  int id = kNoLaunchId;      // the profiler's ID
  std::string kernel;
  std::string why;  // as an error says it
};

struct ProfilePages {
  std::vector<ProfiledLaunch> launches;  // that have a model, in the order of the raw page
  std::vector<SkippedLaunch> skipped;    // that have none
  std::vector<std::string> warnings;     // sentences for stderr: reasons for wrong predictions
  std::string raw;                       // the text of the raw page
  std::vector<std::string> notes;  // sentences for stderr: sums compared, differences tolerated
};

// Reads a raw page and a source page of the same launches, which get programs. With the raw page
// alone the launches have counts. A launch that is invalid, that the source page does not have, or
// whose programs cannot be inferred is skipped. Error 3 for files that are no such pages, when no
// launch is left, and, with a source page, for columns that are missing and decide the predicted
// time (unless allowed: the models then keep their names).
ProfilePages read_profile_pages(const ProfileFiles& files);

}  // namespace pnsim
