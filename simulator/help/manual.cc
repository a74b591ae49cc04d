#include "simulator/help/manual.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "simulator/base/error.h"
#include "simulator/help/shown_parts.h"

namespace pnsim {
namespace {

// Text of a page: a backslash and a hyphen are characters of their own, and no line is a request.
std::string roff(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    at_start = c == '\n';
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }

std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// The examples at the end of a help text. Exit codes may follow them there; the page has them once.
std::string examples_of(const CLI::App& command) {
  const std::string footer = command.get_footer();
  const std::string text = footer.substr(0, footer.find("Exit codes:"));
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

// The argument of a macro such as .SS: one word in quotes.
std::string quoted(const std::string& text) { return "\"" + text + "\""; }

// Lines as they are, such as examples.
std::string verbatim(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

// "-j, --threads UINT", "--json[=VALUE]", "INPUT".
std::string option_head(const CLI::Option& option) {
  std::string head;
  const auto add = [&](const std::string& text) { head += (head.empty() ? "" : ", ") + text; };
  if (option.get_positional()) add(italic(option.get_name(true)));
  for (const std::string& name : option.get_snames()) add(bold("-" + name));
  for (const std::string& name : option.get_lnames()) add(bold("--" + name));
  const bool has_name = !option.get_snames().empty() || !option.get_lnames().empty();
  if (!has_name) return head;
  if (takes_value(option)) {
    // A validator's description follows a colon: "UINT:INT in [0 - 1024]".
    const std::string type = option.get_type_name();
    head += " " + italic(type.substr(0, type.find(':')));
  } else if (!option.get_fnames().empty()) {
    head += "[=" + italic("VALUE") + "]";
  }
  return head;
}

std::string option_entry(const CLI::Option& option) {
  std::string entry = ".TP\n" + option_head(option) + "\n" + roff(option.get_description());
  const std::string type = option.get_type_name();
  if (const std::size_t colon = type.find(':'); takes_value(option) && colon != std::string::npos) {
    entry += "\n(" + roff(type.substr(colon + 1)) + ")";
  }
  if (!option.get_default_str().empty()) {
    entry += "\n(default: " + roff(option.get_default_str()) + ")";
  }
  return entry + "\n";
}

// Arguments by position first.
std::string option_entries(const CLI::App& command) {
  std::string named, positional;
  for (const CLI::Option* option : shown_options(command)) {
    (option->get_positional() ? positional : named) += option_entry(*option);
  }
  return positional + named;
}

// "pnsim derive [OPTIONS] INPUT...": arguments that may be absent stand in brackets.
std::string synopsis(const std::string& program, const CLI::App& command) {
  std::string line = bold(program + " " + command.get_name()) + " [" + italic("OPTIONS") + "]";
  for (const CLI::Option* option : shown_options(command)) {
    if (!option->get_positional()) continue;
    const std::string name =
        italic(option->get_name(true)) + (option->get_items_expected_max() > 1 ? "..." : "");
    line += option->get_required() ? " " + name : " [" + name + "]";
  }
  return line;
}

std::string command_section(const std::string& program, const CLI::App& command) {
  std::string text = ".SS " + quoted(program + " " + command.get_name()) + "\n" +
                     synopsis(program, command) + "\n.PP\n" + roff(command.get_description()) +
                     "\n" + option_entries(command);
  const std::string examples = examples_of(command);
  return examples.empty() ? text : text + ".PP\n" + verbatim(examples);
}

std::string commands_section(const CLI::App& program) {
  std::string text = ".SH COMMANDS\n";
  for (const CLI::App* command : shown_commands(program)) {
    text += command_section(program.get_name(), *command);
  }
  return text;
}

// NAME and DESCRIPTION.
std::string name_section(const CLI::App& program) {
  std::istringstream lines(program.get_description());
  std::string first, line, rest;
  std::getline(lines, first);
  while (std::getline(lines, line)) rest += roff(line) + "\n.br\n";
  const std::size_t colon = first.find(": ");
  const std::string what = colon == std::string::npos ? first : first.substr(colon + 2);
  return ".SH NAME\n" + program.get_name() + " \\- " + roff(what) + "\n.SH SYNOPSIS\n" +
         bold(program.get_name()) + " " + italic("COMMAND") + " [" + italic("OPTIONS") +
         "]\n.SH DESCRIPTION\n" + rest + "Data goes to stdout, everything else to stderr.\n";
}

struct Entry {
  const char* name;
  const char* text;
};

constexpr Entry kVariables[] = {
    {"PNSIM_HOME",
     "The data folder: it holds models/, results/ and experiments/. By default it is found from "
     "the location of the program. A copy of it can be changed and used instead."},
    {"PNSIM_MODEL_PATH",
     "Folders, separated by colons, in which models, nets and devices are searched before the "
     "shipped ones."}};

struct Status {
  ExitCode code;
  const char* text;
};

constexpr Status kStatuses[] = {
    {ExitCode::kOk, "Done."},
    {ExitCode::kCheckFailed, "Done, but a goal was not reached, or a check failed."},
    {ExitCode::kUsage, "Usage: an unknown command, option, path or axis."},
    {ExitCode::kBadInput, "Bad input: the message says where, and what was expected."},
    {ExitCode::kUnavailable,
     "Something that was requested is missing; the message says how to "
     "get it."},
    {ExitCode::kLimit, "A limit was reached; partial results are marked."},
    {ExitCode::kInternal, "A defect of the program."},
    {ExitCode::kOutput, "An output could not be written."},
    {ExitCode::kInterrupted,
     "Interrupted (143 by SIGTERM, 129 by SIGHUP); finished rows are kept."},
    {ExitCode::kBrokenPipe, "The reader of stdout closed it."}};

std::string common_sections(const CLI::App& program) {
  std::string text = ".SH ENVIRONMENT\n";
  for (const auto& [name, what] : kVariables) {
    text += ".TP\n" + bold(name) + "\n" + roff(what) + "\n";
  }
  text += ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, what] : kStatuses) {
    text += ".TP\n" + bold(std::to_string(static_cast<int>(code))) + "\n" + roff(what) + "\n";
  }
  const std::string other = program.get_name() == "pnsim" ? "experiment" : "pnsim";
  return text + ".SH \"SEE ALSO\"\n" + bold(other) + "(1)\n";
}

}  // namespace

std::string manual_page(const CLI::App& program, const std::string& version) {
  std::string page = ".TH " + upper_case(program.get_name()) + " 1 \"\" " + quoted(version) + "\n";
  page += name_section(program) + commands_section(program);
  page += ".SH OPTIONS\n" + option_entries(program);
  const std::string examples = examples_of(program);
  if (!examples.empty()) page += ".SH EXAMPLES\n" + verbatim(examples);
  return page + common_sections(program);
}

}  // namespace pnsim
