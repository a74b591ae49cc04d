#include "simulator/analysis/runs/run_options.h"

#include <vector>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim {

EngineKind parse_engine(const std::string& name) {
  if (name == "auto") return EngineKind::kAuto;
  if (name == "reference") return EngineKind::kReference;
  if (name == "fast") return EngineKind::kFast;
  const std::vector<std::string> known{"auto", "reference", "fast"};
  fail_usage("unknown engine \"" + name + "\"" + suggestion(name, known));
}

std::string engine_name(EngineKind kind) {
  return kind == EngineKind::kReference ? "reference" : "fast";
}

}  // namespace pnsim
