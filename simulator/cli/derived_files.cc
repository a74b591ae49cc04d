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

// The kernel of a model that derive made of the page of this name; "" of all other files.
std::string kernel_derived_from(const std::string& page, const std::string& file) {
  try {
    const InputJson model = load_json(file);
    if (!has_text(model, "kind", "kernel-model") || !model.contains("provenance")) return "";
    const InputJson& provenance = model["provenance"];
    const bool is_derived =
        has_text(provenance, "command", kDeriveCommand) && has_text(provenance, "from", page);
    const auto kernel = model.find("name");
    return is_derived && kernel != model.end() && kernel->is_string() ? kernel->get<std::string>()
                                                                      : "";
  } catch (const Error&) {
    return "";  // it cannot be read, so nothing says that derive made it
  }
}

// The name that derive gives the model of this launch. The source page may have given the earlier
// model a longer name of the kernel, with all namespaces.
bool is_file_of(const SkippedLaunch& launch, const std::string& kernel, const std::string& name) {
  if (launch.id == kNoLaunchId || launch.kernel.empty()) return false;
  const bool is_kernel = kernel == launch.kernel || kernel.ends_with("::" + launch.kernel);
  return is_kernel && name == number_of(launch.id) + plain_name(kernel) + ".json";
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
                                                  const std::vector<SkippedLaunch>& skipped,
                                                  const std::set<std::string>& written) {
  std::vector<std::string> removed;
  if (skipped.empty()) return removed;
  for (const fs::path& file : models_in(folder)) {
    const std::string name = file.filename().string();
    if (written.contains(name)) continue;
    const std::string kernel = kernel_derived_from(page, file.string());
    const bool is_of_skipped =
        std::any_of(skipped.begin(), skipped.end(),
                    [&](const SkippedLaunch& launch) { return is_file_of(launch, kernel, name); });
    if (!is_of_skipped) continue;
    std::error_code failed;
    if (fs::remove(file, failed)) {
      removed.push_back(file.string());
    } else {
      spdlog::warn("{}: cannot be removed ({}); it is of an earlier run of this page",
                   file.string(), failed.message());
    }
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
