// JSON input and output: strict parsing with bounds on file size and nesting.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pnsim {

using Json = nlohmann::ordered_json;  // for writing: keys keep the order in which they were set
using InputJson = nlohmann::json;     // for reading: a key look-up costs O(log n)

inline constexpr std::uint64_t kMaxFileBytes = 256'000'000;
inline constexpr int kMaxNesting = 64;

// Error 3 when the file is missing, is a directory, or exceeds kMaxFileBytes.
void check_file(const std::string& path);

// Returns the whole file. Error 3 when it is missing, not a regular file, or exceeds kMaxFileBytes.
std::string read_file(const std::string& path);

// Parses strictly. Duplicate keys, nesting beyond kMaxNesting, trailing text and invalid UTF-8 are
// errors 3. The message names `origin` (a file) and the place in it.
InputJson parse_json(std::string_view text, const std::string& origin);

InputJson load_json(const std::string& path);

// The id of the nlohmann type_error for text that cannot be written because it is not UTF-8.
inline constexpr int kJsonNotUtf8 = 316;

// Serialises the value on one line; numbers use the shortest text that reads back unchanged.
std::string to_line(const Json& value);

}  // namespace pnsim
