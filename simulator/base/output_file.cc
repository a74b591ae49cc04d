#include "simulator/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

using FileId = std::pair<dev_t, ino_t>;

// Nothing for what is not there.
std::optional<FileId> id_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

bool is_regular(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

// What is written to it is what is read from it: files and pipes, not terminals.
bool keeps_content(const fs::path& path) {
  std::error_code none;
  return is_regular(path) || fs::is_fifo(path, none);
}

fs::path canonical_of(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  if (failed) return path;
  fs::path place = fs::weakly_canonical(absolute, failed);
  if (failed) return absolute;
  // A link to a file that is not there yet: the file will be where the link points.
  for (int links = 0; links < 40 && fs::is_symlink(place, failed); ++links) {
    const fs::path target = fs::read_symlink(place, failed);
    if (failed) break;
    place = fs::weakly_canonical(place.parent_path() / target, failed);
    if (failed) break;
  }
  return place;
}

// Canonical paths of the files that were read, and what each was then.
class Inputs {
 public:
  void add(const std::string& path) {
    const auto id = id_of(path);
    if (!id || !keeps_content(path)) return;
    // What stands behind /dev/stdin has no canonical name that could be opened.
    const fs::path place = is_regular(path) ? canonical_of(path) : fs::path(path);
    const std::lock_guard lock(mutex_);
    places_[place] = *id;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    places_.clear();
  }

  // An inode counts only while its input is still there: the file system gives it out again.
  bool contain(const fs::path& place, const std::optional<FileId>& id) {
    const std::lock_guard lock(mutex_);
    if (places_.contains(place)) return true;
    return id && std::any_of(places_.begin(), places_.end(), [&](const auto& input) {
             return input.second == *id && id_of(input.first) == id;
           });
  }

 private:
  std::mutex mutex_;
  std::map<fs::path, FileId> places_;
};

Inputs& noted_inputs() {
  static Inputs inputs;
  return inputs;
}

struct NamedFolder {
  ShippedFolder folder;
  const char* below_root;
};

// The innermost first: devices lie below models.
constexpr NamedFolder kShippedFolders[] = {
    {ShippedFolder::kDevices, "models/devices"},   {ShippedFolder::kModels, "models"},
    {ShippedFolder::kSpecs, "experiments/specs"},  {ShippedFolder::kSpecs, "experiments/documents"},
    {ShippedFolder::kSpecs, "experiments/others"}, {ShippedFolder::kResults, "results"}};

// "" where no data folder is found: then nothing is shipped.
std::string root_or_none() {
  try {
    return data_root();
  } catch (const Error&) {
    return "";
  }
}

bool holds_file(const fs::path& folder, const FileId& id) {
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end;
       it.increment(failed)) {
    if (id_of(it->path()) == id) return true;
  }
  return false;
}

// The folder that the file is in, or would be; or that has another name of the same file.
ShippedFolder shipped_folder_of(const fs::path& place, const std::optional<FileId>& id) {
  const fs::path root = root_or_none();
  if (root.empty()) return ShippedFolder::kNone;
  for (const auto& [folder, below_root] : kShippedFolders) {
    const auto folder_id = id_of(root / below_root);
    if (!folder_id) continue;
    for (fs::path parent = place;; parent = parent.parent_path()) {
      if (id_of(parent) == folder_id) return folder;
      if (!parent.has_relative_path()) break;
    }
  }
  struct stat status {};
  if (!id || ::stat(place.c_str(), &status) != 0 || status.st_nlink < 2)
    return ShippedFolder::kNone;
  for (const auto& [folder, below_root] : kShippedFolders) {
    if (holds_file(root / below_root, *id)) return folder;
  }
  return ShippedFolder::kNone;
}

// The devices are a part of the models.
bool is_within(ShippedFolder folder, ShippedFolder of) {
  return folder == of || (folder == ShippedFolder::kDevices && of == ShippedFolder::kModels);
}

[[noreturn]] void fail_is_input(const std::string& path) {
  fail_usage("the output " + path + " is an input: name another file");
}

void refuse_shipped(const std::string& path, ShippedFolder allowed) {
  const fs::path place = canonical_of(path);
  const auto id = id_of(place);
  if (id && !is_regular(place) && !fs::is_directory(place)) return;  // a pipe, a terminal
  const ShippedFolder folder = shipped_folder_of(place, id);
  if (folder == ShippedFolder::kNone || is_within(folder, allowed)) return;
  const std::string what = folder == ShippedFolder::kResults ? "recorded results" : "shipped files";
  if (id && is_regular(place)) {
    fail_usage("the output " + path + " is a " +
               (folder == ShippedFolder::kResults ? "recorded" : "shipped") +
               " file: name another file");
  }
  fail_usage("the output " + path + " would be among the " + what + ": name another place");
}

// An installation's data folder belongs to the system: an ordinary user stores in a copy.
void refuse_read_only(const std::string& path, const fs::path& place) {
  const auto is_writable = [](const fs::path& what) {
    return ::faccessat(AT_FDCWD, what.c_str(), W_OK, AT_EACCESS) == 0;
  };
  fs::path folder = place.parent_path();
  while (!id_of(folder) && folder.has_relative_path()) folder = folder.parent_path();
  if (is_writable(place) || is_writable(folder)) return;
  const std::string root = root_or_none();
  throw Error(ExitCode::kOutput,
              "the output " + path + " is in the data folder " + root +
                  ", which you may not write; use a copy of it: cp -r " + root +
                  " ~/pnsim-data; export PNSIM_HOME=~/pnsim-data; or name another "
                  "place with --out, if the command has that option");
}

void refuse_inputs(const std::string& path, Inputs& inputs) {
  const fs::path place = canonical_of(path);
  const auto id = id_of(path);
  if (id && !keeps_content(path)) return;
  if (inputs.contain(place, id)) fail_is_input(path);
}

}  // namespace

void note_input(const std::string& path) { noted_inputs().add(path); }

void forget_inputs() { noted_inputs().clear(); }

OutputFile::OutputFile(std::string path, Checked)
    : path_(std::move(path)), place_(canonical_of(path_).string()) {}

OutputFile::OutputFile(std::string path) : OutputFile(std::move(path), Checked{}) {
  if (path_ == "-") {
    fail_usage(
        "the output \"-\": expected the name of a file, because stdout is not supported here; "
        "./- is a file of that name");
  }
  refuse_shipped(path_, ShippedFolder::kNone);
  refuse_inputs(path_, noted_inputs());
}

OutputFile OutputFile::stored(std::string path, ShippedFolder folder) {
  const fs::path place = canonical_of(path);
  const ShippedFolder found = shipped_folder_of(place, id_of(place));
  if (found == ShippedFolder::kNone || !is_within(found, folder)) return {std::move(path)};
  refuse_read_only(path, place);
  return {std::move(path), Checked{}};
}

OutputFile OutputFile::updated(std::string path, ShippedFolder folder,
                               const std::vector<std::string>& inputs) {
  Inputs named;
  for (const std::string& input : inputs) named.add(input);
  refuse_inputs(path, named);
  refuse_shipped(path, folder);
  const fs::path place = canonical_of(path);
  if (shipped_folder_of(place, id_of(place)) != ShippedFolder::kNone) refuse_read_only(path, place);
  return {std::move(path), Checked{}};
}

void check_output_folders(const std::vector<std::string>& paths, const std::string& made) {
  // Ends with a separator, so that a folder is a part of it only with its whole name.
  const std::string made_place = made.empty() ? "" : (canonical_of(made) / "").string();
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    const fs::path folder = canonical_of(path).parent_path();
    std::error_code none;
    if (fs::is_directory(folder, none)) continue;
    if (made_place.starts_with((folder / "").string())) continue;
    throw Error(ExitCode::kOutput, path + ": cannot be written: the directory " + folder.string() +
                                       " does not exist; make it, or name another file");
  }
}

void check_output_files(const std::vector<std::string>& paths) {
  std::set<std::string> places;
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    const OutputFile file(path);
    // Several outputs to one terminal or to /dev/null lose nothing.
    if (id_of(path) && !keeps_content(path)) continue;
    if (!places.insert(file.place()).second) fail_usage("two outputs name the same file: " + path);
  }
}

}  // namespace pnsim
