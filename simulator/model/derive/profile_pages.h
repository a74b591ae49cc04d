// The pages of one profile, read together: what `pnsim derive` makes models of.
#pragma once

#include <string>
#include <vector>

#include "simulator/model/derive/derive.h"

namespace pnsim {

struct ProfilePages {
  std::vector<ProfiledLaunch> launches;  // in the order of the raw page
  std::vector<std::string> warnings;     // sentences for stderr: what may make predictions wrong
  std::vector<std::string> notes;        // likewise: what was compared, and what was let pass
};

// The files of a raw and a source page of the same launches, which get the programs of their warps;
// of the raw page alone (`source` is "") they have counts. Error 3 as read_ncu_raw() and
// check_against_source() say.
ProfilePages read_profile_pages(const std::string& raw, const std::string& source);

}  // namespace pnsim
