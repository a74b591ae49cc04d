#include "simulator/base/compressed.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/process.h"

namespace pnsim {
namespace {

using namespace std::string_view_literals;

struct Compression {
  std::string_view first_bytes;
  const char* name;
  const char* to_shell;  // the command that prints what a file holds, whatever its name
};
constexpr Compression kCompressions[] = {
    {.first_bytes = "\x1f\x8b"sv, .name = "gzip", .to_shell = "zcat <"},
    {.first_bytes = "PK\3\4"sv, .name = "zip", .to_shell = "unzip -p"},
    {.first_bytes = "\x28\xb5\x2f\xfd"sv, .name = "zstd", .to_shell = "zstdcat <"},
    {.first_bytes = "BZh"sv, .name = "bzip2", .to_shell = "bzcat <"},
    {.first_bytes = "\xfd\x37zXZ\0"sv, .name = "xz", .to_shell = "xzcat <"}};

bool is_workbook(const std::string& path) {
  return has_extension(path, ".xlsx") || has_extension(path, ".ods");
}

}  // namespace

void refuse_compressed(std::string_view bytes, const std::string& path) {
  const auto it =
      std::find_if(std::begin(kCompressions), std::end(kCompressions),
                   [&](const Compression& one) { return bytes.starts_with(one.first_bytes); });
  if (it == std::end(kCompressions)) return;
  if (is_workbook(path)) {
    fail_input(path, "found a workbook of a spreadsheet program, expected text; save it as CSV");
  }
  std::error_code none;
  const bool is_file = std::filesystem::is_regular_file(path, none);
  fail_input(path, std::string("found a file compressed by ") + it->name +
                       ", expected text; unpack it: " +
                       (is_file ? it->to_shell + (" " + shell_line({path}) + " > NEW")
                                : std::string("<(") + it->to_shell + " FILE)"));
}

}  // namespace pnsim
