#include "simulator/model/template/parameter_factors.h"

#include <cmath>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/numbers.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

constexpr double kMostFactor = 1e9;

}  // namespace

std::optional<double> parse_factor(const std::string& text) {
  const std::optional<double> factor = parse_double(text);
  if (!factor || !(*factor > 0 && *factor <= kMostFactor)) return std::nullopt;
  return factor;
}

std::int64_t scaled(double value, double factor, const std::string& name) {
  const double product = value * factor;
  if (!(std::abs(product) <= static_cast<double>(kMaxTokens))) {
    fail_input("--set " + name, "the product with the factor is over 2^62");
  }
  return std::llround(product);
}

void check_has_quantity(const NetTemplate& net_template, const std::string& parameter) {
  const ParameterSpec* spec = net_template.find_parameter(parameter);
  if (!spec) {
    fail_usage("net " + net_template.name + " has no parameter \"" + parameter + "\"" +
               suggestion(parameter, net_template.parameter_names()));
  }
  if (spec->min == 0 && spec->max == 1) {
    fail_usage("--set " + parameter + "*=: the parameter " + parameter + " of net " +
               net_template.name + " is a switch, so a factor has no meaning; write --set " +
               parameter + "=0 or --set " + parameter + "=1");
  }
}

void multiply_parameters(const NetTemplate& net_template, const ParameterFactors& factors,
                         ParameterValues& given) {
  for (const auto& [name, factor] : factors) {
    check_has_quantity(net_template, name);
    const auto [it, is_default] =
        given.try_emplace(name, 1, net_template.find_parameter(name)->default_value);
    for (std::int64_t& value : it->second) {
      value = scaled(static_cast<double>(value), factor, name);
    }
  }
}

void multiply_list(double factor, const std::string& name, std::vector<std::int64_t>& values) {
  double sum = 0;
  std::int64_t before = 0;
  for (std::int64_t& value : values) {
    sum += static_cast<double>(value);
    const std::int64_t all = scaled(sum, factor, name);
    value = all - before;
    before = all;
  }
}

}  // namespace pnsim
