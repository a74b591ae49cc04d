// What the option prices share with their reference. C++17 without dependencies, because nvcc
// compiles it.
#pragma once

namespace pnsim::gpu {

inline constexpr float kRiskFree = 0.02f, kVolatility = 0.3f;  // a year

// Price and strike, and years to the strike, from numbers between -1 and 1.
inline constexpr float kPriceMiddle = 17.5f, kPriceRange = 12.5f;
inline constexpr float kStrikeMiddle = 50.5f, kStrikeRange = 49.5f;
inline constexpr float kYearsMiddle = 5.125f, kYearsRange = 4.875f;

// The normal distribution by a polynomial in 1 / (1 + kSlope |x|): Abramowitz and Stegun, Handbook
// of Mathematical Functions, formula 26.2.17.
inline constexpr float kSlope = 0.2316419f, kRootOfTwoPi = 2.50662827f;
inline constexpr float kPolynomial1 = 0.31938153f, kPolynomial2 = -0.356563782f,
                       kPolynomial3 = 1.781477937f, kPolynomial4 = -1.821255978f,
                       kPolynomial5 = 1.330274429f;

}  // namespace pnsim::gpu
