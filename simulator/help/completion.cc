#include "simulator/help/completion.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "simulator/help/shown_parts.h"

namespace pnsim {
namespace {

// What is known of the words before the last one.
struct Place {
  const CLI::App* command = nullptr;    // the program where no command was typed
  const CLI::Option* option = nullptr;  // whose value comes next; nullptr when none is due
  std::size_t positional = 0;           // arguments by position that were typed
};

// The option that is typed so: "--net", "-o". nullptr when there is none.
const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
  for (const CLI::App* app = &command; app; app = app->get_parent()) {
    for (const CLI::Option* option : shown_options(*app)) {
      if (option->check_name(word) && word.starts_with("-")) return option;
    }
  }
  return nullptr;
}

const CLI::App* command_named(const CLI::App& program, const std::string& name) {
  for (const CLI::App* command : shown_commands(program)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

// The command that the words name, else the default one if an option of it was typed, else the
// program; and the number of words up to its name.
std::pair<const CLI::App*, std::size_t> command_of(const CLI::App& program,
                                                   const std::vector<std::string>& words,
                                                   const CompletionRules& rules) {
  const CLI::App* fallback = command_named(program, rules.default_command);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!words[i].starts_with("-")) {
      const CLI::App* command = command_named(program, words[i]);
      if (!command) return {&program, i + 1};
      const bool has_more = i + 2 < words.size() && !words[i + 1].starts_with("-");
      const CLI::App* nested = has_more ? command_named(*command, words[i + 1]) : nullptr;
      return nested ? std::pair{nested, i + 2} : std::pair{command, i + 1};
    }
    const bool is_common = option_named(program, words[i]) != nullptr;
    if (fallback && !is_common && option_named(*fallback, words[i])) return {fallback, 0};
  }
  return {&program, 0};
}

Place place_of(const CLI::App& program, const std::vector<std::string>& words,
               const CompletionRules& rules) {
  Place place;
  std::size_t i = 0;
  for (std::tie(place.command, i) = command_of(program, words, rules); i + 1 < words.size(); ++i) {
    if (place.option) {
      place.option = nullptr;
    } else if (words[i].starts_with("-")) {
      const CLI::Option* option = option_named(*place.command, words[i]);
      if (option && takes_value(*option)) place.option = option;
    } else {
      ++place.positional;
    }
  }
  return place;
}

// The argument by position that comes next; the last one may be repeated.
const CLI::Option* positional_at(const CLI::App& command, std::size_t position) {
  const CLI::Option* last = nullptr;
  for (const CLI::Option* option : shown_options(command)) {
    if (!option->get_positional()) continue;
    last = option;
    if (position-- == 0) return option;
  }
  return last && last->get_items_expected_max() > 1 ? last : nullptr;
}

class Candidates {
 public:
  explicit Candidates(std::string beginning) : beginning_(std::move(beginning)) {}

  void add(const std::string& word, std::string what) {
    if (!word.starts_with(beginning_) || !words_.insert(word).second) return;
    std::replace(what.begin(), what.end(), '\n', ' ');
    text_ += word + (what.empty() ? "" : "\t" + what) + "\n";
  }

  void add_commands(const CLI::App& program) {
    for (const CLI::App* command : shown_commands(program)) {
      add(command->get_name(), command->get_description());
    }
  }

  void add_options(const CLI::App& command) {
    for (const CLI::Option* option : shown_options(command)) {
      for (const std::string& name : option->get_lnames()) {
        add("--" + name, option->get_description());
      }
      if (!option->get_lnames().empty()) continue;
      for (const std::string& name : option->get_snames()) {
        add("-" + name, option->get_description());
      }
    }
  }

  // Values of an option or of an argument by position. `before` is "--option=" or "".
  void add_values(const CLI::App& command, const CLI::Option& option, const std::string& before,
                  const CompletionRules& rules) {
    if (add_alternatives(option, before)) return;
    for (const NamedValues& values : rules.values) {
      if (!values.command.empty() && values.command != command.get_name()) continue;
      if (!option.check_name(values.argument)) continue;
      for (const std::string& name : values.names()) add(before + name, "");
      break;
    }
    text_ += std::string(kFilesToo) + "\n";
  }

  const std::string& text() const { return text_; }

 private:
  // Those of a validator: "TEXT:{cpu,gpu}". False when the option has none.
  bool add_alternatives(const CLI::Option& option, const std::string& before) {
    const std::string type = option.get_type_name();
    const std::size_t begin = type.find(":{"), end = type.find('}');
    if (begin == std::string::npos || end == std::string::npos) return false;
    std::istringstream values(type.substr(begin + 2, end - begin - 2));
    for (std::string value; std::getline(values, value, ',');) add(before + value, "");
    return true;
  }

  std::string beginning_, text_;
  std::set<std::string> words_;  // an option of two commands is one candidate
};

}  // namespace

std::string completions(const CLI::App& program, const std::vector<std::string>& words,
                        const CompletionRules& rules) {
  const std::string current = words.empty() ? "" : words.back();
  const Place place = place_of(program, words, rules);
  Candidates candidates(current);
  const std::size_t equals = current.find('=');
  if (place.option) {
    candidates.add_values(*place.command, *place.option, "", rules);
  } else if (current.starts_with("--") && equals != std::string::npos) {
    const CLI::Option* option = option_named(*place.command, current.substr(0, equals));
    if (option)
      candidates.add_values(*place.command, *option, current.substr(0, equals + 1), rules);
  } else if (current.starts_with("-")) {
    candidates.add_options(*place.command);
    const CLI::App* fallback = command_named(program, rules.default_command);
    if (place.command == &program && fallback) candidates.add_options(*fallback);
    if (place.command->get_fallthrough() && place.command != &program) {
      candidates.add_options(program);
    }
  } else if (place.command == &program || !shown_commands(*place.command).empty()) {
    candidates.add_commands(*place.command);
  } else if (const CLI::Option* option = positional_at(*place.command, place.positional)) {
    candidates.add_values(*place.command, *option, "", rules);
  }
  return candidates.text();
}

}  // namespace pnsim
