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

// Error 3 for a named pipe: opening one that no program writes to waits for ever. The pipes of the
// shell's `<(...)` and of /dev/stdin have writers and no place in the file system, so they pass.
void refuse_named_pipe(const std::string& path);

// Error 3 when the file is missing, is a directory or a named pipe, or exceeds kMaxFileBytes.
void check_file(const std::string& path);

// Returns the whole file. Error 3 as of check_file(), and for a compressed file (compressed.h).
std::string read_file(const std::string& path);

// The same for a text that is often unpacked on the way (`<(zcat page.csv.gz)`): a named pipe may
// deliver it. Like every pipe it can be read only once.
std::string read_file_or_pipe(const std::string& path);

// Memory that parsed values may take together with the text at hand, as estimated before they are
// kept: a file of `{}` alone needs fifty times its size. One may be used for many texts.
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

// The id of the nlohmann type_error for text that cannot be written because it is not UTF-8.
inline constexpr int kJsonNotUtf8 = 316;

// Serialises the value on one line; numbers use the shortest text that reads back unchanged.
std::string to_line(const Json& value);

}  // namespace pnsim
