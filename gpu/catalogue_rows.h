// The rows of the catalogue, apart from looking them up.
#pragma once

#include <vector>

#include "gpu/catalogue.h"

namespace pnsim::gpu {

std::vector<Program> catalogue_rows();

}  // namespace pnsim::gpu
