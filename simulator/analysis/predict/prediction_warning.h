// One reason to trust a prediction less.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

struct PredictionWarning {
  std::string kind;  // a word for tables: "missing", "tensor", "spinning" ...
  std::string text;  // whole sentences, on one line
};
using PredictionWarnings = std::vector<PredictionWarning>;

}  // namespace pnsim
