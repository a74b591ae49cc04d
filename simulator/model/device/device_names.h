// Names of device profiles.
#pragma once

#include <optional>
#include <string>

namespace pnsim {

// The name of the shipped profile of the GPU that the driver calls `title`: "NVIDIA H100 80GB HBM3"
// -> "h100". Nothing when no shipped profile has the title.
std::optional<std::string> profile_name_of(const std::string& title);

}  // namespace pnsim
