// Factors on parameters of a net: `--set "l1*=2"`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/model/template/parameter_values.h"
#include "simulator/model/template/template_spec.h"

namespace pnsim {

using ParameterFactors = std::map<std::string, double>;  // by parameter name; each is above 0

// A factor as a user types it: a number above 0 and at most 10^9. Nothing for other text.
std::optional<double> parse_factor(const std::string& text);
inline constexpr const char* kFactorExpected =
    "expected a factor: a number above 0 and at most 10^9, such as 0.5";

// The product as a whole number. Error 3 with the parameter's name for a product over 2^62.
std::int64_t scaled(double value, double factor, const std::string& name);

// Multiplies the values in `given`, or else the template's default, and rounds to whole numbers.
// The parameters are in `given` afterwards. Error 2 for an unknown parameter (with the nearest
// one), and for a switch, which has no quantity to multiply. Error 3 for a product over 2^62.
void multiply_parameters(const NetTemplate& net_template, const ParameterFactors& factors,
                         ParameterValues& given);

// Error 2 when the parameter is unknown or a switch (its values are 0 and 1).
void check_has_quantity(const NetTemplate& net_template, const std::string& parameter);

// Multiplies the numbers of a list, so that their sum is scaled and rounded once: the fractions are
// spread over the list. Error 3 with the name for a sum over 2^62.
void multiply_list(double factor, const std::string& name, std::vector<std::int64_t>& values);

}  // namespace pnsim
