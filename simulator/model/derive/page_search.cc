#include "simulator/model/derive/page_search.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "simulator/base/extension.h"
#include "simulator/base/process.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 1 << 16;  // enough for the header of a raw page

bool is_page_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

bool is_page(const fs::path& path, PageKind kind) {
  std::ifstream in(path, std::ios::binary);
  std::string head(kHeadBytes, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return begins_as(page_of(head), kind);
}

// "x.source.csv" beside "x.raw.csv", and the other way round; "" when it does not exist.
std::string page_beside(const fs::path& page, const std::string& from, const std::string& to) {
  std::string name = page.filename().string();
  const std::size_t at = name.rfind(from);
  if (at == std::string::npos) return "";
  const fs::path other = page.parent_path() / name.replace(at, from.size(), to);
  return is_page_file(other) ? other.string() : "";
}

std::string arguments_of(const std::string& raw, const std::string& source) {
  const std::string in_place = page_beside(raw, "raw", "raw_in_place");
  return "--ncu " + (raw.empty() ? "RAW.csv" : shell_line({raw})) + " --source " +
         (source.empty() ? "SOURCE.csv" : shell_line({source})) +
         (in_place.empty() ? "" : " --in-place " + shell_line({in_place}));
}

}  // namespace

std::optional<std::string> derive_arguments(const std::string& path) {
  if (!is_page_file(path)) return std::nullopt;
  if (is_ncu_report(path)) return "--ncu " + shell_line({path});
  if (is_page(path, PageKind::kRaw)) return arguments_of(path, page_beside(path, "raw", "source"));
  if (is_page(path, PageKind::kSource)) {
    return arguments_of(page_beside(path, "source", "raw"), path);
  }
  return std::nullopt;
}

std::optional<std::string> derive_arguments_in(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (has_extension(path, ".csv") || has_extension(path, ".ncu-rep")) paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    if (const auto arguments = derive_arguments(path.string())) return arguments;
  }
  return std::nullopt;
}

}  // namespace pnsim
