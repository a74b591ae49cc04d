// For how many launches of a program a profiled one stands (model/launch/kernel_model.h), in sums
// and in tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace pnsim {

// How often a time counts: as often as it stands for launches, or once where that is not known.
double weight_of(const std::optional<double>& stands_for);

// A sum of parts with 6 digits: the whole number that it is near to, if there is one.
double near_whole(double launches);

// "1,234", "6.5"; "-" for nothing.
std::string launches_cell(const std::optional<double>& launches);
// "1234", "6.500000"; "" for nothing.
std::string launches_csv(const std::optional<double>& launches);
// "1 launch of its program: itself", "6.5 launches of its program, which have its kernel ...".
std::string launches_text(double launches);
// What a column of launches means. `silent` of `all` rows have none.
std::string launches_legend(std::size_t silent, std::size_t all);

}  // namespace pnsim
