// Values of the parameters of a net template.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pnsim {

// By parameter name: one value, or, for a parameter with a scope, one value per instance.
using ParameterValues = std::map<std::string, std::vector<std::int64_t>>;

}  // namespace pnsim
