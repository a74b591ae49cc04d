// What a file or a folder holds that a user names in place of a profile page or of a model.
#pragma once

#include <optional>
#include <string>

namespace pnsim {

// Arguments of `pnsim derive` for one file, quoted for a shell: "--ncu raw.csv --source
// source.csv". The source page is the one that lies beside the raw page under the same name, or the
// placeholder SOURCE.csv. Absent where the file is neither a page nor a report of ncu.
std::optional<std::string> derive_arguments(const std::string& path);

// The same for the first page or report of a folder; absent where it holds none.
std::optional<std::string> derive_arguments_in(const std::string& folder);

}  // namespace pnsim
