#include "web/engine/page_calls.h"

#include <cstdio>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output_file.h"
#include "simulator/cli/pnsim_program.h"
#include "simulator/help/log.h"
#include "web/engine/explore.h"
#include "web/engine/surface.h"

namespace pnsim {
namespace {

std::string error_text(const std::string& message) {
  // A name that is not UTF-8 may be part of the message.
  return Json{{"error", message}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string PageCalls::answer_of(const std::string& name, const JsonReader& request) {
  if (name == "explore") return explore(request);
  if (name == "surface") return to_line(surface(request));
  if (name == "surfaceRow") return to_line(surface_row(request));
  if (name == "openNet") return to_line(games_.open(request));
  if (name == "step") return to_line(games_.step(request));
  if (name == "back") return to_line(games_.back(request));
  if (name == "closeNet") return to_line(games_.close(request));
  const std::vector<std::string> known{"explore", "surface", "surfaceRow", "openNet",
                                       "step",    "back",    "closeNet"};
  fail_usage("unknown call \"" + name + "\"" + suggestion(name, known));
}

std::string PageCalls::answer(std::string_view call) {
  try {
    set_up_log("pnsim", LogLevel::kWarnings);  // nobody reads which file was found
    JsonMemory memory{kMaxNetMemory};
    const InputJson json = parse_json(call, "request", memory);
    const JsonReader reader(json, "request");
    reader.only({"call", "request"});
    return answer_of(reader.at("call").string(), reader.at("request"));
  } catch (const std::bad_alloc&) {
    return error_text("out of memory");
  } catch (const std::exception& error) {
    return error_text(error.what());
  }
}

int run_command_line(const std::vector<std::string>& args) {
  forget_inputs();
  std::vector<std::string> words{"pnsim"};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int code = pnsim_program(static_cast<int>(words.size()), argv.data());
  std::fflush(stdout);
  std::fflush(stderr);
  return code;
}

int run_command_line_json(const std::string& args) {
  std::vector<std::string> words;
  try {
    words = InputJson::parse(args).get<std::vector<std::string>>();
  } catch (const InputJson::exception&) {
    std::fputs("pnsim: error: expected arguments that are Unicode texts\n", stderr);
    return static_cast<int>(ExitCode::kUsage);
  }
  return run_command_line(words);
}

}  // namespace pnsim
