// Points that are known to fit the catalogue: a program of it, and values that its axes take.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gpu/point.h"

namespace pnsim::gpu {

// The point with these values in the program's order. Error 2 with the nearest name for an axis
// that the program has not; otherwise as check_point.
Point make_point(const std::string& program, const std::map<std::string, std::int64_t>& values,
                 const Input& input = {});

// The program's default values, `values` laid over them. Errors as make_point.
Point default_point(const std::string& program,
                    const std::map<std::string, std::int64_t>& values = {},
                    const Input& input = {});

// Error 2 unless the program exists and the point has its axes, all of them, in its order, each
// with a value that the program takes.
void check_point(const Point& point);

}  // namespace pnsim::gpu
