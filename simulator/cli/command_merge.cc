// pnsim merge: merges the shards of a sweep.
#include <spdlog/spdlog.h>

#include <filesystem>

#include "simulator/analysis/sweep/merge_rows.h"
#include "simulator/base/error.h"
#include "simulator/base/output_file.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"

namespace pnsim {
namespace {

struct MergeCommand {
  std::vector<std::string> files;
  std::string output;
  bool replace = false;
  bool quiet = false;
};

// As `pnsim sweep -o` does: a file may hold the rows of hours.
void refuse_to_replace(const MergeCommand& command) {
  for (const std::string& file : command.files) note_input(file);
  const OutputFile out(command.output);  // another refusal, such as of an input, comes first
  std::error_code none;
  if (command.replace || !std::filesystem::is_regular_file(command.output, none)) return;
  if (std::filesystem::file_size(command.output, none) == 0 || none) return;
  fail_usage(command.output +
             " already contains something: name another file with -o, or replace it with "
             "--replace");
}

ExitCode merge(const MergeCommand& command) {
  refuse_to_replace(command);
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
  sub->add_flag("--replace", command->replace, "replace an output file that is not empty");
  sub->add_flag("-q,--quiet", command->quiet, "no notices");
  sub->callback([command, &action] { action = [command] { return merge(*command); }; });
}

}  // namespace pnsim
