// Exact numbers of the analyses: integers and fractions of any size (Boost.Multiprecision).
#pragma once

// GCC 12 warns that a moved number's union may be uninitialised. The warning is a false positive.
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/multiprecision/cpp_int.hpp>
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace pnsim {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;  // always in lowest terms

}  // namespace pnsim
