// JSON in and out: strict parsing, bounded files.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pnsim {

using Json = nlohmann::ordered_json;  // what we write: keys stay in the order they were set
using InputJson = nlohmann::json;     // what we read: look-up by key costs log n

inline constexpr std::uint64_t kMaxFileBytes = 256'000'000;
inline constexpr int kMaxNesting = 64;

// Error 3 when it is missing, a directory, or over kMaxFileBytes.
void check_file(const std::string& path);

// The whole file as text. Error 3 when it is missing, not a regular file, or over kMaxFileBytes.
std::string read_file(const std::string& path);

// Memory that parsed values may take, as estimated before they are kept: a file of `{}` alone needs
// fifty times its size. One may be used for many texts.
struct JsonMemory {
  std::uint64_t most = 900'000'000;  // bytes
  std::uint64_t used = 0;
};

// For a file that says early that its kind is "net": two million transitions take as many.
inline constexpr std::uint64_t kMaxNetMemory = 2'500'000'000;

// Parses strictly: duplicate keys, nesting over kMaxNesting, trailing text and invalid UTF-8 are
// errors 3 that name `origin` (a file) and the place in it.
// Error 5 for values that take more than `memory`.
InputJson parse_json(std::string_view text, const std::string& origin);
InputJson parse_json(std::string_view text, const std::string& origin, JsonMemory& memory);

// A net file may take kMaxNetMemory.
InputJson load_json(const std::string& path);
InputJson parse_net_json(std::string_view text, const std::string& origin);

// The id of nlohmann's type_error when a text to be written is not UTF-8.
inline constexpr int kJsonNotUtf8 = 316;

// One line, shortest round-trip numbers.
std::string to_line(const Json& value);

}  // namespace pnsim
