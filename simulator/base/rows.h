// Result rows: one JSON object a line, each with an "id".
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim {

// Which lines of a file are wanted. To read a line is a hundred times the work of a look at its
// text.
using WantedLine = std::function<bool(std::string_view line)>;

// All rows of the file, or the wanted ones, in order. An empty list when the file does not exist.
// Error 3 with the line for one that is not a JSON object or has no string "id".
// Keys that every reader takes for text, numbers, objects or lists must be such.
// `lines`, where given, gets the line of each row, for messages.
std::vector<InputJson> load_rows(const std::string& path, const WantedLine& is_wanted = nullptr,
                                 std::vector<std::size_t>* lines = nullptr);

// The same of a file that a run is to go on with: a last line without its end, cut off when a
// process was killed, is taken off the file. Error 74 when that fails.
std::vector<InputJson> resume_rows(const std::string& path,
                                   std::vector<std::size_t>* lines = nullptr);

// Rows of every *.jsonl below data_root()/results/<device>, files in the order of their names.
// Of rows with one id the last one counts, among those that are wanted. Files of the names `but`
// are passed over.
std::vector<InputJson> recorded_rows(const std::string& device,
                                     const WantedLine& is_wanted = nullptr,
                                     std::span<const std::string_view> but = {});

}  // namespace pnsim
