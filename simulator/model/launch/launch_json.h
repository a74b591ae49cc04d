// A launch of a kernel model as JSON.
#pragma once

#include "simulator/model/launch/launch.h"

namespace pnsim {

Launch read_launch(const JsonReader& row);  // error 3 names the place
Json launch_json(const Launch& launch);

}  // namespace pnsim
