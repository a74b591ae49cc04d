// What a page calls: the command line, and the fast calls as JSON texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "web/engine/games.h"

namespace pnsim {

class PageCalls {
 public:
  // {"call": NAME, "request": {...}} -> the answer of that call, or {"error": MESSAGE}. Throws
  // nothing.
  std::string answer(std::string_view call);

 private:
  std::string answer_of(const std::string& name, const JsonReader& request);

  Games games_;
};

// Runs `pnsim ARGS` as the program does and returns its exit code. What an earlier run left in
// memory has no effect.
int run_command_line(const std::vector<std::string>& args);

// The same for a JSON list of strings. Exit code 2 for another text, such as one with half a
// surrogate pair, which is no Unicode.
int run_command_line_json(const std::string& args);

}  // namespace pnsim
