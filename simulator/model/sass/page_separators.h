// Pages whose cells stand between semicolons, as programs write CSV where the comma is the decimal
// mark.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace pnsim {

// The page with commas between the cells. Where a number of the page has a decimal comma ("1.234,5"
// or "0,7"), all numbers are rewritten with a point and without separators of thousands; cells that
// have a decimal point in spite of that ("9.0", a version) stay. Quotes that are not closed stay
// so: the reader of the page reports them.
std::string with_commas(std::string_view page);

// Error 3 where some numbers of a page between semicolons have a decimal comma and others a decimal
// point, because a number such as "1.234" may then be either. `holds_numbers` says which columns
// are looked at, by their headings: versions and addresses ("9.0", "127.0.0.1") are texts. `next`
// says what to do.
using HoldsNumbers = std::function<bool(std::string_view heading)>;
void check_decimal_marks(std::string_view page, const std::string& origin,
                         const HoldsNumbers& holds_numbers, const std::string& next);

}  // namespace pnsim
