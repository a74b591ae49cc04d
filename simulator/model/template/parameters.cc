#include "simulator/model/template/parameters.h"

#include <string>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim {
namespace {

void check_range(const NetTemplate& net_template, const ParameterSpec& spec, std::int64_t value) {
  if (value >= spec.min && value <= spec.max) return;
  fail_input(net_template.name, "parameter " + spec.name + ": found " + std::to_string(value) +
                                    ", expected " + std::to_string(spec.min) + " to " +
                                    std::to_string(spec.max));
}

}  // namespace

void check_parameters(const NetTemplate& net_template, const ParameterValues& overrides) {
  for (const auto& [name, given] : overrides) {
    const ParameterSpec* spec = net_template.find_parameter(name);
    if (!spec) {
      fail_usage("net " + net_template.name + " has no parameter \"" + name + "\"" +
                 suggestion(name, net_template.parameter_names()));
    }
    if (given.empty() || (given.size() > 1 && spec->scope.empty())) {
      fail_input(net_template.name, "parameter " + name + ": found a list of " +
                                        std::to_string(given.size()) + " values, expected one");
    }
    for (const std::int64_t value : given) check_range(net_template, *spec, value);
  }
}

ParameterValues resolve_parameters(const NetTemplate& net_template,
                                   const ParameterValues& overrides) {
  check_parameters(net_template, overrides);
  ParameterValues values;
  for (const ParameterSpec& spec : net_template.parameters) {
    values[spec.name] = {spec.default_value};
  }
  for (const auto& [name, given] : overrides) values[name] = given;
  return values;
}

}  // namespace pnsim
