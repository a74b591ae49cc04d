#include "simulator/help/program_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>

#include "simulator/base/output.h"
#include "simulator/help/usage_errors.h"

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

// An argument by position that has a name too ("INPUT", "--model") is described once, by position.
class DescribedOnce : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    if (is_positional || !option->get_positional())
      return CLI::Formatter::make_option(option, is_positional);
    std::stringstream out;
    CLI::detail::format_help(out, make_option_name(option, false) + " " + option->get_type_name(),
                             "another way to give " + option->get_name(true), column_width_);
    return out.str();
  }
};

// `name` is that of the command with those above it: "device scale"; "" is the program.
void add_examples_below(CLI::App& app, const std::string& name, const Examples& examples) {
  const auto it = examples.find(name);
  app.footer(footer_of(it == examples.end() ? std::vector<Example>{} : it->second));
  for (CLI::App* command : app.get_subcommands({})) {
    add_examples_below(*command, (name.empty() ? "" : name + " ") + command->get_name(), examples);
  }
}

void set_formatter(CLI::App& app, const std::shared_ptr<DescribedOnce>& formatter) {
  app.formatter(formatter);
  for (CLI::App* command : app.get_subcommands({})) set_formatter(*command, formatter);
}

}  // namespace

void add_examples(CLI::App& app, const Examples& examples) {
  add_examples_below(app, "", examples);
}

void add_message_flags(CLI::App& app, bool& quiet, bool* verbose) {
  for (CLI::App* command : app.get_subcommands({})) {
    add_message_flags(*command, quiet, verbose);  // "device scale"
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

bool parse_arguments(CLI::App& app, std::vector<std::string> arguments, const UsageHelp& help) {
  set_formatter(app, std::make_shared<DescribedOnce>());
  refuse_unknown_options(app, arguments, help);
  const std::vector<std::string> as_given = arguments;
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 expects them in reverse order
    app.parse(arguments);
    refuse_other_bases(app);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) fail_parse(app, error, as_given, help);
    std::ostringstream text;  // --help, --version
    app.exit(error, text, text);
    write_text(text.str());
    return false;
  }
  return true;
}

}  // namespace pnsim
