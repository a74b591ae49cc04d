// Constants that the programs in double precision share with their references. C++17 without
// dependencies, because nvcc compiles it.
#pragma once

namespace pnsim::gpu {

inline constexpr double kDiffusion = 0.125;            // share that moves to each neighbour
inline constexpr double kDoubleSoftening = 0.0078125;  // added to squared distances

}  // namespace pnsim::gpu
