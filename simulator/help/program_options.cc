#include "simulator/help/program_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <sstream>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"

namespace pnsim {
namespace {

constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0    done\n"
    "  1    done, but a goal was not reached, or a check or a tolerance failed\n"
    "  2    usage: an unknown command, option, path or axis\n"
    "  3    bad input; the message names the file and the line\n"
    "  4    something is missing (a GPU, a recorded point); the message says how to get it\n"
    "  5    a limit was reached; partial results are written and marked\n"
    "  70   a defect of the program\n"
    "  74   output could not be written\n"
    "  130  interrupted; finished rows are kept";

std::string footer_of(const std::vector<Example>& examples) {
  std::string text = examples.empty() ? "" : "Examples:\n";
  for (const Example& example : examples) {
    text += "  " + example.about + ":\n    " + example.command + "\n";
  }
  return text + (text.empty() ? "" : "\n") + kExitCodes;
}

bool is_option(const std::string& argument) {
  const bool is_long = argument.size() > 2 && argument.starts_with("--");
  return is_long || (argument.size() > 1 && argument[0] == '-' &&
                     std::isalpha(static_cast<unsigned char>(argument[1])) != 0);
}

void add_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
}

const CLI::App* subcommand_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

// The subcommand among the arguments: the first word that names one. An option may precede it.
const CLI::App* named_command_of(const CLI::App& app, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (const CLI::App* command = subcommand_named(app, argument)) return command;
  }
  return nullptr;
}

[[noreturn]] void fail_option(const CLI::App& app, const CLI::App* command,
                              const std::string& option, const std::vector<std::string>& known) {
  const std::string program = app.get_name() + (command ? " " + command->get_name() : "");
  // Only names that begin alike: --version is no help for --json.
  const std::string start = option.substr(0, option.starts_with("--") ? 3 : 1);
  std::vector<std::string> likely;
  for (const std::string& name : known) {
    if (name.starts_with(start)) likely.push_back(name);
  }
  const std::string nearest = nearest_name(option, likely);
  fail_usage("unknown option " + option + " of " + program + "; " +
             (nearest.empty()
                  ? program + " --help lists all"
                  : "did you mean " + nearest + "? (" + program + " --help lists all)"));
}

// CLI11 reports an unknown option only after everything else, and without a suggestion.
void refuse_unknown_options(const CLI::App& app, const std::vector<std::string>& arguments,
                            const std::string& default_command) {
  const CLI::App* const given = named_command_of(app, arguments);
  const CLI::App* const command = given ? given : subcommand_named(app, default_command);
  std::vector<std::string> known;
  add_names(app, known);
  for (const CLI::App* each = command; each; each = named_command_of(*each, arguments)) {
    add_names(*each, known);  // a command, and the command within it: "device", "scale"
  }
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (!is_option(argument)) continue;
    const std::string name =
        argument.starts_with("--") ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail_option(app, given, name, known);
    }
  }
}

// A word behind a flag that takes its value with "=" only ("--json FILE") is the usual reason for a
// word too many.
[[noreturn]] void fail_extra(const CLI::App& app, const std::vector<std::string>& arguments) {
  for (const std::string& word : app.remaining(true)) {
    std::string text = "unexpected argument \"" + word + "\"";
    const auto at = std::find(arguments.begin(), arguments.end(), word);
    if (at != arguments.begin() && at != arguments.end() && is_option(*(at - 1))) {
      text += "; a value of " + *(at - 1) + " is written " + *(at - 1) + "=" + word;
    }
    fail_usage(text + "; try: " + app.get_name() + " --help");
  }
  fail_usage("unexpected arguments; try: " + app.get_name() + " --help");
}

}  // namespace

void add_examples(CLI::App& app, const Examples& examples) {
  const auto of = [&](const std::string& name) {
    const auto it = examples.find(name);
    return footer_of(it == examples.end() ? std::vector<Example>{} : it->second);
  };
  app.footer(of(""));
  for (CLI::App* command : app.get_subcommands({})) command->footer(of(command->get_name()));
}

void add_message_flags(CLI::App& app, bool& quiet, bool* verbose) {
  for (CLI::App* command : app.get_subcommands({})) {
    if (!command->get_option_no_throw("--quiet")) {
      command->add_flag("-q,--quiet", quiet, "only warnings and errors on stderr, no progress");
    }
    if (verbose && !command->get_option_no_throw("--verbose")) {
      command->add_flag("-v,--verbose", *verbose, "more: all points, progress");
    }
  }
}

std::vector<std::string> without_help_command(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

bool parse_arguments(CLI::App& app, std::vector<std::string> arguments,
                     const std::string& default_command) {
  refuse_unknown_options(app, arguments, default_command);
  const std::vector<std::string> as_given = arguments;
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 expects them in reverse order
    app.parse(arguments);
  } catch (const CLI::ExtrasError&) {
    fail_extra(app, as_given);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) fail_usage(error.what());
    std::ostringstream text;  // --help, --version
    app.exit(error, text, text);
    write_text(text.str());
    return false;
  }
  return true;
}

}  // namespace pnsim
