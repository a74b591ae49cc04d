#include "simulator/base/near_files.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "simulator/base/extension.h"
#include "simulator/base/nearest.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 2000;  // of a folder; an error must not take a second
constexpr std::size_t kLeastOfAPart = 4;    // letters: "a" is a part of too many names

struct FolderEntries {
  std::vector<std::string> files, folders;  // .json files by path
};

FolderEntries entries_of(const fs::path& folder) {
  FolderEntries out;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code none;
    const std::string name = it->path().filename().string();
    if (++seen > kMostEntries) return {};
    if (name.starts_with(".")) continue;
    if (it->is_directory(none)) {
      out.folders.push_back((folder / name).string());
    } else if (has_extension(name, ".json")) {
      out.files.push_back((folder / name).string());
    }
  }
  std::sort(out.files.begin(), out.files.end());
  std::sort(out.folders.begin(), out.folders.end());
  return out;
}

std::string stem_of(const std::string& file) { return fs::path(file).stem().string(); }

std::string containing(const std::string& stem, const std::vector<std::string>& files) {
  if (stem.size() < kLeastOfAPart) return "";
  for (const std::string& file : files) {
    if (stem_of(file).find(stem) != std::string::npos) return file;
  }
  return "";
}

std::string nearest_of(const std::string& stem, const std::vector<std::string>& files) {
  std::vector<std::string> stems;
  for (const std::string& file : files) stems.push_back(stem_of(file));
  const std::string nearest = nearest_name(stem, stems);
  if (nearest.empty()) return "";
  return files[static_cast<std::size_t>(std::find(stems.begin(), stems.end(), nearest) -
                                        stems.begin())];
}

}  // namespace

std::string near_file(const std::string& path) {
  const fs::path as_path(path);
  const std::string stem = stem_of(path);
  const FolderEntries here = entries_of(as_path.parent_path());
  std::string found = containing(stem, here.files);
  if (as_path.has_parent_path()) return found.empty() ? nearest_of(stem, here.files) : found;
  for (const std::string& folder : here.folders) {
    if (!found.empty()) break;
    found = containing(stem, entries_of(folder).files);
  }
  return found;
}

}  // namespace pnsim
