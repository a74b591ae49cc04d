// What to type where an input, or a command of the other program, stands in place of a command.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

// For `pnsim norm_group`: "; it is a kernel model: pnsim --model norm_group". Otherwise the nearest
// of the commands and inputs.
std::string hint_of_first_word(const std::string& word, const std::vector<std::string>& commands);

}  // namespace pnsim
