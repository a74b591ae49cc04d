#include "simulator/model/template/delay_macro.h"

namespace pnsim {
namespace {

std::string steps_text(const JsonReader& row) {
  const JsonReader steps = row.at("steps");
  if (steps.is_string()) return "(" + steps.string() + ")";
  return std::to_string(steps.integer(0, std::int64_t{1} << 40));
}

}  // namespace

std::vector<DelayPlace> delay_places(const JsonReader& row) {
  row.only({"name", "scope", "steps", "takes", "gives"});
  const std::string name = row.at("name").string();
  return {{name + "_wait", "tokens of the delay " + name + ", one per remaining step"},
          {name + "_passed", "steps of the delay " + name + " that have passed"}};
}

std::vector<DelayTransition> delay_transitions(const JsonReader& row) {
  const std::string name = row.at("name").string();
  const std::string steps = steps_text(row);
  const std::string wait = name + "_wait", passed = name + "_passed";
  return {{name + "_start", "the delay begins", {}, {{wait, steps + " + 1"}}, true, false},
          {name + "_tick",
           "one step passes",
           {{wait, "2"}},
           {{wait, "1"}, {passed, "1"}},
           false,
           false},
          {name + "_end", "the delay is over", {{wait, "1"}, {passed, steps}}, {}, false, true}};
}

}  // namespace pnsim
