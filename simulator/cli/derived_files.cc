#include "simulator/cli/derived_files.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/json.h"

namespace pnsim {
namespace {

namespace fs = std::filesystem;

std::string number_of(int id) {
  char number[16];
  std::snprintf(number, sizeof number, "%04d-", id);
  return number;
}

// File systems allow 255 bytes for a name.
std::string plain_name(const std::string& kernel) {
  constexpr std::size_t kMostOfName = 120;
  std::string name;
  for (const char c : kernel.substr(0, kMostOfName))
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

bool has_text(const InputJson& object, const char* key, const std::string& text) {
  return object.is_object() && object.contains(key) && object[key] == text;
}

bool is_derived_from(const std::string& page, const std::string& file) {
  try {
    const InputJson model = load_json(file);
    if (!has_text(model, "kind", "kernel-model") || !model.contains("provenance")) return false;
    const InputJson& provenance = model["provenance"];
    return has_text(provenance, "command", kDeriveCommand) && has_text(provenance, "from", page);
  } catch (const Error&) {
    return false;  // it cannot be read, so nothing says that derive made it
  }
}

// The source page may have given the earlier model a longer name, with all namespaces.
bool is_file_of(const SkippedLaunch& launch, const std::string& name) {
  return launch.id != kNoLaunchId && name.starts_with(number_of(launch.id)) &&
         name.ends_with(plain_name(launch.kernel) + ".json");
}

std::vector<fs::path> models_in(const std::string& folder) {
  std::vector<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (has_extension(entry.path().string(), ".json")) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::string derived_file_name(const ProfiledLaunch& launch) {
  return number_of(launch.id) + plain_name(launch.kernel) + ".json";
}

std::vector<std::string> remove_models_of_skipped(const std::string& folder,
                                                  const std::string& page,
                                                  const std::vector<SkippedLaunch>& skipped) {
  std::vector<std::string> removed;
  if (skipped.empty()) return removed;
  for (const fs::path& file : models_in(folder)) {
    const std::string name = file.filename().string();
    const bool is_of_skipped =
        std::any_of(skipped.begin(), skipped.end(),
                    [&](const SkippedLaunch& launch) { return is_file_of(launch, name); });
    if (!is_of_skipped || !is_derived_from(page, file.string())) continue;
    std::error_code failed;
    if (fs::remove(file, failed)) removed.push_back(file.string());
  }
  return removed;
}

void note_other_models(const std::string& folder, const std::set<std::string>& names) {
  const std::vector<fs::path> files = models_in(folder);
  const auto others = std::count_if(files.begin(), files.end(), [&](const fs::path& file) {
    return !names.contains(file.filename().string());
  });
  if (others == 0) return;
  spdlog::info(
      "note: {} holds {} other {}, which `pnsim --model {}` predicts as well; derive into "
      "an empty folder to keep profiles apart",
      folder, others, others == 1 ? "model" : "models", folder);
}

}  // namespace pnsim
