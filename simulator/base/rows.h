// Result rows: one JSON object per line, each with an "id".
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim {

// Selects the lines to parse. Parsing a line costs about a hundred times as much as searching its
// text (an estimate).
using WantedLine = std::function<bool(std::string_view line)>;

// All rows of the file, or the wanted ones, in order. The list is empty when the file does not
// exist. Error 3 names the line that is not a JSON object or has no string "id".
std::vector<InputJson> load_rows(const std::string& path, const WantedLine& is_wanted = nullptr);

// The same for a file that a run continues. An incomplete last line, left by a killed process, is
// removed from the file. Error 74 when that fails.
std::vector<InputJson> resume_rows(const std::string& path);

// Rows of every *.jsonl below data_root()/results/<device>, files in the order of their names. The
// last wanted row of each id counts. Files with a name in `but` are skipped.
std::vector<InputJson> recorded_rows(const std::string& device,
                                     const WantedLine& is_wanted = nullptr,
                                     std::span<const std::string_view> but = {});

}  // namespace pnsim
