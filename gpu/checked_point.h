// Points that were checked against the catalogue: the program exists and takes the values.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gpu/point.h"

namespace pnsim::gpu {

// The point with these values in the program's order. Error 2 with the nearest name for an
// unknown axis; otherwise as check_point.
Point make_point(const std::string& program, const std::map<std::string, std::int64_t>& values,
                 const Input& input = {});

// The program's default values, replaced by `values` where given. Errors as make_point.
Point default_point(const std::string& program,
                    const std::map<std::string, std::int64_t>& values = {},
                    const Input& input = {});

// Error 2 unless the program exists and the point has exactly its axes, in its order, with valid
// values.
void check_point(const Point& point);

}  // namespace pnsim::gpu
