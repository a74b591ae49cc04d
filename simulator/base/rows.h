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

// All rows of the file, or the wanted ones, in order. An empty list when the file does not exist.
// Error 3 with the line of a row that is not a JSON object, has no string "id", or has a value of
// the wrong type under a key that all readers use. `lines` (may be null) gets the line number of
// each row, for messages.
std::vector<InputJson> load_rows(const std::string& path, const WantedLine& is_wanted = nullptr,
                                 std::vector<std::size_t>* lines = nullptr);

// The same for a file that a run continues. An incomplete last line, left by a killed process, is
// removed from the file. Error 74 when that fails.
std::vector<InputJson> resume_rows(const std::string& path,
                                   std::vector<std::size_t>* lines = nullptr);

// Rows of every *.jsonl below data_root()/results/<device>, files in the order of their names. The
// last wanted row of each id counts. Files with a name in `but` are skipped.
std::vector<InputJson> recorded_rows(const std::string& device,
                                     const WantedLine& is_wanted = nullptr,
                                     std::span<const std::string_view> but = {});

}  // namespace pnsim
