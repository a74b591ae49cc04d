// The functions that JavaScript calls (engine.mjs). Strings are UTF-8; a returned one is valid up
// to the next call.
#include <cstdlib>
#include <string>

#include "web/engine/page_calls.h"

namespace {

std::string last_answer;

}  // namespace

extern "C" {

void pnsim_begin() {
  ::setenv("PNSIM_HOME", "/data", 1);
  ::unsetenv("COLUMNS");
  ::setenv("HOME", "/work", 1);
}

// `request`: page_calls.h.
const char* pnsim_call(const char* request) {
  static pnsim::PageCalls calls;
  last_answer = calls.answer(request);
  return last_answer.c_str();
}

// `args`: a JSON list of strings.
int pnsim_run(const char* args) { return pnsim::run_command_line_json(args); }

}  // extern "C"
