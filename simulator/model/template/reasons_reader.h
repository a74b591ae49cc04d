// Reads the "reasons" of a net template, which attribute the steps of a run to states.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json_reader.h"
#include "simulator/model/template/template_spec.h"

namespace pnsim {

// `net_template` already has its scopes and places; `symbols` are the names that expressions may
// use. Error 3 with the place in the file.
ReasonsSpec read_reasons(const JsonReader& json, const NetTemplate& net_template,
                         const std::vector<std::string>& symbols);

}  // namespace pnsim
