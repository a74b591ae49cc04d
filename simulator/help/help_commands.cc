#include "simulator/help/help_commands.h"

#include "simulator/base/error.h"
#include "simulator/base/provenance.h"
#include "simulator/help/manual.h"

namespace pnsim {

bool is_help_command(const std::vector<std::string>& args) {
  return !args.empty() && (args[0] == "manual" || args[0] == "complete");
}

std::string help_command_text(const CLI::App& program, const std::vector<std::string>& args,
                              const CompletionRules& rules) {
  if (args[0] == "complete") {
    try {
      return completions(program, {args.begin() + 1, args.end()}, rules);
    } catch (const Error&) {  // of names: no data folder, say. The user is typing.
      return "";
    }
  }
  if (args.size() > 1) {
    fail_usage("manual takes no arguments, found \"" + args[1] + "\"; try: " + program.get_name() +
               " manual | man -l -");
  }
  return manual_page(program, program.get_name() + " " + program_version());
}

}  // namespace pnsim
