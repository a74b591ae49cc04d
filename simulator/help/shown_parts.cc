#include "simulator/help/shown_parts.h"

namespace pnsim {

std::vector<const CLI::App*> shown_commands(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* command) {
    return !command->get_name().empty() && !command->get_group().empty();
  });
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* option) { return !option->get_group().empty(); });
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

}  // namespace pnsim
