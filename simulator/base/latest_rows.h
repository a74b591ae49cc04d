// A file of rows in which a newer row replaces an older one of the same id.
#pragma once

#include <span>
#include <string>

#include "simulator/base/output_file.h"

namespace pnsim {

// Appends the lines, which are rows (append_line), and then removes all but the last row of each
// id. Lines that are no rows stay. The file is changed at once; a path that is not a regular file
// only gets the lines. Waits for other processes that do the same. Errors as of append_line.
void store_latest_rows(const OutputFile& file, std::span<const std::string> lines);

}  // namespace pnsim
