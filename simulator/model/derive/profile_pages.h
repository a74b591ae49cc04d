// The pages of one profile, read together: the input of `pnsim derive`.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"

namespace pnsim {

struct ProfilePages {
  std::vector<ProfiledLaunch> launches;  // in the order of the raw page
  std::vector<std::string> warnings;     // sentences for stderr: reasons for wrong predictions
  std::vector<std::string> notes;  // sentences for stderr: sums compared, differences tolerated
};

// Reads the files of a raw page and of a source page of the same launches, which get programs.
// With the raw page alone (`source` is "") the launches have counts. Errors are those of
// read_ncu_raw() and check_against_source().
ProfilePages read_profile_pages(const std::string& raw, const std::string& source);

}  // namespace pnsim
