#include "simulator/cli/trace.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/base/json.h"
#include "simulator/engine/reference_engine.h"

namespace pnsim {
namespace {

std::string trace_line(const Net& net, const Json& step, std::vector<TransitionId> fired,
                       const Marking& marking) {
  Json line;
  line["step"] = step;
  line["fired"] = Json::array();
  std::sort(fired.begin(), fired.end());
  for (const TransitionId t : fired) line["fired"].push_back(net.name_of(t));
  line["marking"] = Json::object();
  auto& members = line["marking"].get_ref<Json::object_t&>();
  for (std::uint32_t p = 0; p < marking.size(); ++p) {
    if (marking[p] != 0) members.push_back({net.name_of(PlaceId{p}), marking[p]});
  }
  return to_line(line) + "\n";
}

}  // namespace

std::string trace_text(const Net& net, RunId id, std::uint64_t max_steps) {
  ReferenceEngine engine(net, id);
  std::string text = trace_line(net, nullptr, {}, engine.marking());
  while (!engine.outcome(max_steps)) {
    if (engine.steps() >= kMaxTraceSteps) {
      fail_limit("--trace: the run is longer than " + std::to_string(kMaxTraceSteps) +
                 " steps; give --max-steps");
    }
    const std::span<const TransitionId> fired = engine.choose();
    const std::vector<TransitionId> list(fired.begin(), fired.end());
    engine.fire();
    text += trace_line(net, engine.steps() - 1, list, engine.marking());
  }
  return text;
}

}  // namespace pnsim
