#include "simulator/cli/other_files.h"

#include <filesystem>

#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/model/derive/page_search.h"

namespace pnsim {

namespace fs = std::filesystem;

void refuse_other_files(const std::string& path) {
  if (has_extension(path, ".json") || has_extension(path, ".pnml")) return;
  if (const auto pages = derive_arguments(path)) {
    fail_input(path,
               "found a profile of ncu, expected a net or a kernel model; this makes kernel models "
               "of it: pnsim derive " +
                   *pages + " -o my_models; then: pnsim --model my_models");
  }
  std::error_code none;
  const bool is_table = has_extension(path, ".csv"), is_rows = has_extension(path, ".jsonl");
  if (!fs::is_regular_file(path, none) || !(is_table || is_rows)) return;
  fail_input(path, std::string(is_table ? "found a table (.csv)" : "found rows (.jsonl)") +
                       ", expected a net (.json, .pnml) or a kernel model (.json); pnsim models "
                       "lists the shipped ones");
}

}  // namespace pnsim
