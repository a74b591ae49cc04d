// Exact numbers of the analyses: integers and fractions of any size (Boost.Multiprecision).
#pragma once

// GCC 12 takes the union inside a number that is moved for one that may not have been written.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/multiprecision/cpp_int.hpp>
#pragma GCC diagnostic pop

namespace pnsim {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;  // always in lowest terms

}  // namespace pnsim
