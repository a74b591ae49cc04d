// The parameters of a net template: their defaults and the checks of values given for them.
#pragma once

#include "simulator/model/template/parameter_values.h"
#include "simulator/model/template/template_spec.h"

namespace pnsim {

// Error 2 for an unknown name (with the nearest one). Error 3 for a value out of range, and for a
// list where one value is expected.
void check_parameters(const NetTemplate& net_template, const ParameterValues& overrides);

// Returns the defaults of the template, replaced by `overrides`, after the same checks.
ParameterValues resolve_parameters(const NetTemplate& net_template,
                                   const ParameterValues& overrides);

}  // namespace pnsim
