// The files that `pnsim derive` writes into its output folder.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "simulator/model/derive/profile_pages.h"

namespace pnsim {

// "0038-gemm.json": the ID, and the kernel's name with '_' for all but letters, digits and '_'.
std::string derived_file_name(const ProfiledLaunch& launch);

// Removes the models that an earlier run made of launches of `page` (a file's name) that this run
// skips: predicted together with the new ones, they would be results of another run. A file that
// does not say that derive made it of a page of that name stays, and so does one of `written`, the
// names of this run's files: a skipped launch may have the ID of another. Returns what was removed.
std::vector<std::string> remove_models_of_skipped(const std::string& folder,
                                                  const std::string& page,
                                                  const std::vector<SkippedLaunch>& skipped,
                                                  const std::set<std::string>& written);

// A note on stderr about models in the folder that are not among `names`: a table of the folder
// would mix them with those of this run.
void note_other_models(const std::string& folder, const std::set<std::string>& names);

}  // namespace pnsim
