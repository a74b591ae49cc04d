#include "simulator/cli/word_hint.h"

#include <algorithm>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/near_files.h"
#include "simulator/base/nearest.h"
#include "simulator/base/process.h"
#include "simulator/cli/input.h"
#include "simulator/model/derive/page_search.h"

namespace pnsim {
namespace {

const std::vector<std::string> kCommandsOfExperiment{
    "list",    "measure",   "repeat",  "counts",   "table",     "report",
    "profile", "calibrate", "devices", "validate", "microbench"};

std::string hint_of_kind(const std::string& given, InputKind kind) {
  const std::string word = shell_line({given});
  if (kind == InputKind::kKernelModel) {
    return "; it is a kernel model, which this predicts: pnsim --model " + word;
  }
  if (kind == InputKind::kDevice) {
    return "; it is a device profile: pnsim --model MODEL --device " + word;
  }
  return "; it is a net, which this runs: pnsim run " + word;
}

// "" when it names no input.
std::string hint_of_input(const std::string& word) {
  if (const auto pages = derive_arguments(word)) {
    return "; it is a profile, of which this makes kernel models: pnsim derive " + *pages +
           " -o my_models";
  }
  if (is_folder(word)) return "; it is a folder: pnsim --model " + shell_line({word});
  try {
    return hint_of_kind(word, kind_of_input(word));
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

std::string hint_of_first_word(const std::string& word, const std::vector<std::string>& commands) {
  const auto& others = kCommandsOfExperiment;
  if (std::find(others.begin(), others.end(), word) != others.end()) {
    return "; the program experiment has it: experiment " + word;
  }
  const std::string as_input = hint_of_input(word);
  if (!as_input.empty()) return as_input;
  if (!nearest_name(word, commands).empty()) return suggestion(word, commands);
  const std::string file = near_file(word);
  if (!file.empty()) return "; did you mean the file: pnsim --model " + shell_line({file}) + "?";
  const std::string model = nearest_name(word, shipped_names("models"));
  if (!model.empty()) return "; did you mean the kernel model: pnsim --model " + model + "?";
  return suggestion(word, commands);
}

}  // namespace pnsim
