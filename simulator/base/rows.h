// Result rows: one JSON object per line, each with an "id".
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/base/output_file.h"

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

// Whether the line is the beginning of a JSON object without its end, as a killed process leaves
// it.
bool is_torn_row(std::string_view line);

// The same for a file that a run continues. A torn last row is removed from the file, but only
// after all rows before it were read without an error. Error 74 when the removal fails.
std::vector<InputJson> resume_rows(const OutputFile& file,
                                   std::vector<std::size_t>* lines = nullptr);

// Rows of every *.jsonl below data_root()/results/<device>, files in the order of their names. The
// last wanted row of each id counts. Files with a name in `but` are skipped.
std::vector<InputJson> recorded_rows(const std::string& device,
                                     const WantedLine& is_wanted = nullptr,
                                     std::span<const std::string_view> but = {});

}  // namespace pnsim
