// Reads net templates from their JSON files.
#pragma once

#include <string>

#include "simulator/base/json_reader.h"
#include "simulator/model/template/template_spec.h"

namespace pnsim {

// Reads and checks a template (models/schema/net_template.schema.json). Error 3 with the place in
// the file for anything that is not as it must be.
NetTemplate read_net_template(const JsonReader& json);
NetTemplate load_net_template(const std::string& path);

}  // namespace pnsim
