// The part of a net template that says where the steps of a run go.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json_reader.h"
#include "simulator/model/template/template_spec.h"

namespace pnsim {

// `net_template` has its scopes and places; `symbols` are what expressions may name. Error 3 with
// the place in the file.
ReasonsSpec read_reasons(const JsonReader& json, const NetTemplate& net_template,
                         const std::vector<std::string>& symbols);

}  // namespace pnsim
