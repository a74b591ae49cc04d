#include "simulator/cli/other_files.h"

#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/model/derive/page_search.h"

namespace pnsim {

namespace fs = std::filesystem;

void refuse_other_files(const std::string& path) {
  if (path.ends_with(".json") || path.ends_with(".pnml")) return;
  if (const auto pages = derive_arguments(path)) {
    fail_input(path,
               "found a profile of ncu, expected a net or a kernel model; this makes kernel models "
               "of it: pnsim derive " +
                   *pages + " -o my_models; then: pnsim --model my_models");
  }
  std::error_code none;
  const std::string suffix = fs::path(path).extension().string();
  if (!fs::is_regular_file(path, none) || (suffix != ".csv" && suffix != ".jsonl")) return;
  fail_input(path, "found a table or rows (" + suffix +
                       "), expected a net (.json, .pnml) or a kernel model (.json); pnsim models "
                       "lists the shipped ones");
}

}  // namespace pnsim
