#include "simulator/model/template/template_spec.h"

namespace pnsim {

const ParameterSpec* NetTemplate::find_parameter(std::string_view wanted) const {
  for (const ParameterSpec& p : parameters) {
    if (p.name == wanted) return &p;
  }
  return nullptr;
}

std::vector<std::string> NetTemplate::parameter_names() const {
  std::vector<std::string> names;
  for (const ParameterSpec& p : parameters) names.push_back(p.name);
  return names;
}

}  // namespace pnsim
