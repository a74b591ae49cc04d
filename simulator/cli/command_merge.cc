// pnsim merge: merges the shards of a sweep.
#include <spdlog/spdlog.h>

#include "simulator/analysis/sweep/merge_rows.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"

namespace pnsim {
namespace {

struct MergeCommand {
  std::vector<std::string> files;
  std::string output;
  bool quiet = false;
};

ExitCode merge(const MergeCommand& command) {
  const Merged merged = merge_rows(command.files, command.output);
  if (!merged.is_complete()) {
    spdlog::error("{}; {} was not written", missing_text(merged), command.output);
    return ExitCode::kCheckFailed;
  }
  spdlog::info("{} rows in {}", grouped(static_cast<long long>(merged.points)), command.output);
  return ExitCode::kOk;
}

}  // namespace

void add_merge_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<MergeCommand>();
  CLI::App* sub = app.add_subcommand("merge", "merge the shards of a sweep");
  sub->add_option("ROWS", command->files, "rows files of one sweep")->required();
  sub->add_option("-o,--output", command->output, "file for the rows of the whole sweep")
      ->required();
  sub->add_flag("-q,--quiet", command->quiet, "no notices");
  sub->callback([command, &action] { action = [command] { return merge(*command); }; });
}

}  // namespace pnsim
