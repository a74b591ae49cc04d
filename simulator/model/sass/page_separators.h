// Pages whose cells stand between semicolons, as programs write CSV where the comma is the decimal
// mark.
#pragma once

#include <string>
#include <string_view>

namespace pnsim {

// The page with commas between the cells. Where a number of the page has a decimal comma ("1.234,5"
// or "0,7"), all numbers are rewritten with a point and without separators of thousands; cells that
// have a decimal point in spite of that ("9.0", a version) stay. Quotes that are not closed stay
// so: the reader of the page reports them.
std::string with_commas(std::string_view page);

}  // namespace pnsim
