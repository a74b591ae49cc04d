#include "simulator/help/usage_errors.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/numbers.h"
#include "simulator/base/process.h"

namespace pnsim {
namespace {

using Words = std::vector<std::string>;

// The word for a shell. Brackets alone stay as they are: "l1=[1,2]".
std::string as_typed(const std::string& word) {
  const bool has_others = word.find_first_of(" \t\n\"'\\$`*?{}()<>|&;!#~") != std::string::npos;
  return has_others || word.empty() ? shell_line({word}) : word;
}

bool is_option_word(const std::string& argument) {
  const bool is_long = argument.size() > 2 && argument.starts_with("--");
  return is_long || (argument.size() > 1 && argument[0] == '-' &&
                     std::isalpha(static_cast<unsigned char>(argument[1])) != 0);
}

void add_option_names(const CLI::App& app, Words& names) {
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
const CLI::App* named_command_of(const CLI::App& app, const Words& arguments) {
  for (const std::string& argument : arguments) {
    if (const CLI::App* command = subcommand_named(app, argument)) return command;
  }
  return nullptr;
}

[[noreturn]] void fail_option(const std::string& program, const std::string& option,
                              const Words& known,
                              const std::map<std::string, std::string>& elsewhere) {
  if (const auto other = elsewhere.find(option); other != elsewhere.end()) {
    fail_usage("unknown option " + option + " of " + program + "; " + other->second);
  }
  // Only names that begin alike: --version is no help for --json. Several letters behind one dash
  // are a long option.
  const bool is_short = !option.starts_with("--");
  const std::string name = is_short && option.size() > 2 ? "-" + option : option;
  const std::string start = name.substr(0, name.starts_with("--") ? 3 : 1);
  Words likely;
  for (const std::string& other : known) {
    if (other.starts_with(start)) likely.push_back(other);
  }
  const std::string nearest = nearest_name(name, likely);
  fail_usage("unknown option " + option + " of " + program + "; " +
             (nearest.empty()
                  ? program + " --help lists all"
                  : "did you mean " + nearest + "? (" + program + " --help lists all)"));
}

bool has_name(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The part of an argument that must be known: "--net" of "--net=sm", "-j" of "-j4", and all of
// "-net", whose letters are those of a long option.
std::string option_name(const std::string& argument, const Words& known) {
  const std::string name = argument.substr(0, argument.find('='));
  if (argument.starts_with("--")) return name;
  const bool is_long = name.size() > 2 && has_name(known, "-" + name);
  return is_long || !has_name(known, argument.substr(0, 2)) ? name : argument.substr(0, 2);
}

// The command that was given, and the one within it ("device", "scale").
std::vector<const CLI::App*> given_commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands{&app};
  while (!commands.back()->get_subcommands().empty()) {
    commands.push_back(commands.back()->get_subcommands().front());
  }
  return commands;
}

std::string command_text(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : given_commands(app)) {
    text += (text.empty() ? "" : " ") + command->get_name();
  }
  return text;
}

// As a user types it: the name of a positional, else the short name of an option.
std::string name_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  return option.get_name();
}

const CLI::Option* given_option(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : given_commands(app)) {
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

// The option that the word at this place follows: "--set" for the 64 of "--set block 64". Empty
// where the word follows a positional.
std::string option_before(const CLI::App& app, const Words& arguments, std::size_t at) {
  for (std::size_t i = at; i-- > 0;) {
    if (!is_option_word(arguments[i])) {
      if (i + 1 < at) return "";  // one word is the value of the option, a second is none
      continue;
    }
    return given_option(app, arguments[i]) ? arguments[i] : "";
  }
  return "";
}

// Values of options that name something: "PATH=VALUE: a parameter ..."
bool takes_assignment(const CLI::Option& option) {
  const std::string& about = option.get_description();
  const std::string first = about.substr(0, about.find_first_of(" :"));
  return first == "PATH=VALUE" || first == "NAME=VALUE" || first == "FACT=NUMBER" ||
         first == "NAME=VALUES";
}

// What to type instead, for a word behind an option.
std::string advice_behind(const CLI::App& app, const Words& arguments, std::size_t at,
                          const UsageHelp& help) {
  const std::string& word = arguments[at];
  const std::string name = option_before(app, arguments, at);
  if (name.empty()) return "";
  const CLI::Option& option = *given_option(app, name);
  const bool is_value = is_option_word(arguments[at - 1]);
  if (is_value && option.get_fnames().empty()) return "; " + name + " takes no value";
  if (is_value) return "; a value of " + name + " is written " + name + "=" + as_typed(word);
  const std::string& value = arguments[at - 1];
  if (takes_assignment(option) && value.find('=') == std::string::npos) {
    return "; write " + name + " " + as_typed(value + "=" + word);
  }
  if (takes_assignment(option) && word.find('=') != std::string::npos) {
    return "; repeat the option: " + name + " " + as_typed(value) + " " + name + " " +
           as_typed(word);
  }
  const auto several = help.several_values.find(name);
  return "; " + name + " takes one value" +
         (several == help.several_values.end() ? "" : ". For several: " + several->second);
}

// "block=64" without --set.
std::string advice_of_assignment(const CLI::App& app, const std::string& word) {
  if (word.find('=') == std::string::npos) return "";
  const bool has_values = word.find('[') != std::string::npos;
  for (const char* name : {"--axis", "--set"}) {
    const CLI::Option* option = given_option(app, name);
    if (option && (has_values == (std::string(name) == "--axis"))) {
      return "; write " + name_of(*option) + " " + as_typed(word);
    }
  }
  return "";
}

// "raw.csv" of `experiment validate raw.csv source.csv`.
std::string advice_of_page(const CLI::App& app, const std::string& word, const UsageHelp& help) {
  if (!word.ends_with(".csv") && !word.ends_with(".ncu-rep")) return "";
  const auto pages = help.of_pages.find(given_commands(app).back()->get_name());
  return pages == help.of_pages.end() ? "" : "; " + pages->second;
}

[[noreturn]] void fail_word(const CLI::App& app, const std::string& word, const Words& arguments,
                            const UsageHelp& help, const std::string& otherwise) {
  // The last one: an earlier equal word may be the value of an option.
  const auto last = std::find(arguments.rbegin(), arguments.rend(), word);
  std::string advice = advice_of_page(app, word, help);
  if (advice.empty()) advice = advice_of_assignment(app, word);
  if (advice.empty() && last != arguments.rend()) {
    const auto at = static_cast<std::size_t>(arguments.rend() - last) - 1;
    advice = at == 0 ? "" : advice_behind(app, arguments, at, help);
  }
  fail_usage("unexpected argument \"" + word + "\" of " + command_text(app) +
             (advice.empty() ? otherwise : advice) + "; try: " + command_text(app) + " --help");
}

// A positional that excludes an option stands for the same thing.
void refuse_both(const CLI::App& app, const Words& arguments, const UsageHelp& help) {
  for (const CLI::App* command : given_commands(app)) {
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional() || option->count() == 0) continue;
      for (const CLI::Option* other : option->get_excludes()) {
        if (other->count() == 0) continue;
        fail_word(app, option->results().front(), arguments, help,
                  "; " + other->get_name() + " " + other->results().front() +
                      " is the input already, and the command takes one");
      }
    }
  }
}

std::string nested_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;  // hidden
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

// The first example that begins like the command.
std::string example_of(const CLI::App& app, const Examples& examples) {
  const std::string command = command_text(app);
  for (const auto& [name, of_command] : examples) {
    for (const Example& example : of_command) {
      if (example.command.starts_with(command + " ")) return "; for example: " + example.command;
    }
  }
  return "; try: " + command + " --help";
}

// "lst" of `pnsim device lst`.
void refuse_unknown_nested(const CLI::App& app, const CLI::App& command, const Words& arguments) {
  const auto at = std::find(arguments.begin(), arguments.end(), command.get_name());
  if (at == arguments.end() || at + 1 == arguments.end() || is_option_word(at[1])) return;
  Words names;
  for (const CLI::App* nested : command.get_subcommands({})) names.push_back(nested->get_name());
  fail_usage(command_text(app) + ": unknown command \"" + at[1] + "\"" + suggestion(at[1], names));
}

void refuse_missing(const CLI::App& app, const Words& arguments, const UsageHelp& help) {
  for (const CLI::App* command : given_commands(app)) {
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      fail_usage(command_text(app) + ": " + name_of(*option) + " is required (" +
                 option->get_description() + ")" + example_of(app, help.examples));
    }
    if (command->get_require_subcommand_min() > 0 && command->get_subcommands().empty()) {
      refuse_unknown_nested(app, *command, arguments);
      fail_usage(command_text(app) + ": expected a command behind it: " + nested_names(*command) +
                 example_of(app, help.examples));
    }
  }
}

// "--net: At Most 1 required but received 2", "--axis: 1 required TEXT missing"
[[noreturn]] void fail_count(const CLI::App& app, const std::string& message) {
  const std::string name = message.substr(0, message.find(": "));
  const CLI::Option* option = given_option(app, name);
  if (!option) fail_usage(message);
  if (option->count() > 1) {
    fail_usage(name + " is given " + std::to_string(option->count()) + " times: give it once");
  }
  fail_usage(name + ": expected a value behind it (" + option->get_description() + ")");
}

// The option of that exact name, of the command, of one within it, or of the program.
const CLI::Option* named_option(const std::vector<const CLI::App*>& commands,
                                const std::string& name) {
  for (const CLI::App* command : commands) {
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

// CLI11 takes the next word as the value, also where it is an option, and then misses that one.
void refuse_options_as_values(const std::vector<const CLI::App*>& commands, const Words& arguments,
                              const Words& known) {
  for (std::size_t i = 0; i + 1 < arguments.size() && arguments[i] != "--"; ++i) {
    if (!is_option_word(arguments[i])) continue;
    const CLI::Option* option = named_option(commands, arguments[i]);
    if (!option || option->get_items_expected_min() < 1) continue;
    const std::string& next = arguments[i + 1];
    if (is_option_word(next) && has_name(known, option_name(next, known))) {
      fail_usage(arguments[i] + ": expected a value behind it (" + option->get_description() +
                 "), found the option " + next);
    }
    ++i;
  }
}

// "-o=FILE": the value would begin with "=".
void refuse_short_with_equals(const std::string& argument, const Words& known) {
  const std::string name = argument.substr(0, argument.find('='));
  if (name.size() != 2 || name == argument || !has_name(known, name)) return;
  const std::string value = argument.substr(3);
  fail_usage(argument + ": a value of " + name + " follows behind a blank: " + name + " " +
             (value.empty() ? "VALUE" : as_typed(value)));
}

}  // namespace

void refuse_other_bases(const CLI::App& app) {
  for (const CLI::App* command : given_commands(app)) {
    for (const CLI::Option* option : command->get_options()) {
      const std::string type = option->get_type_name();
      if (!type.starts_with("INT") && !type.starts_with("UINT")) continue;
      for (const std::string& value : option->results()) {
        const std::string fault = fault_of_decimal(value);
        if (!fault.empty()) fail_usage(name_of(*option) + ": " + fault);
      }
    }
  }
}

void refuse_unknown_options(const CLI::App& app, const Words& arguments, const UsageHelp& help) {
  const CLI::App* const given = named_command_of(app, arguments);
  const CLI::App* const command = given ? given : subcommand_named(app, help.default_command);
  Words known;
  add_option_names(app, known);
  std::vector<const CLI::App*> commands{&app};
  for (const CLI::App* each = command; each; each = named_command_of(*each, arguments)) {
    add_option_names(*each, known);  // a command, and the command within it: "device", "scale"
    commands.push_back(each);
  }
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!is_option_word(argument)) continue;
    refuse_short_with_equals(argument, known);
    const std::string name = option_name(argument, known);
    if (!has_name(known, name)) {
      fail_option(app.get_name() + (given ? " " + given->get_name() : ""), name, known,
                  help.elsewhere);
    }
  }
  refuse_options_as_values(commands, arguments, known);
}

void fail_parse(const CLI::App& app, const CLI::ParseError& error, const Words& arguments,
                const UsageHelp& help) {
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) refuse_both(app, arguments, help);
  if (dynamic_cast<const CLI::RequiredError*>(&error)) refuse_missing(app, arguments, help);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) fail_count(app, error.what());
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    for (const std::string& word : app.remaining(true)) fail_word(app, word, arguments, help, "");
  }
  fail_usage(error.what());
}

void fail_flag_value(const std::string& word, const std::string& read_as, const std::string& flag) {
  fail_usage("found " + word + " as " + read_as + "; a value of " + flag + " is written " + flag +
             "=" + shell_line({word}));
}

}  // namespace pnsim
