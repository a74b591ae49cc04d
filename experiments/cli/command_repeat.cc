// experiment repeat [FIRST SECOND]: run-to-run repeatability of measured times.
#include "experiments/cli/commands.h"
#include "experiments/measure/repeatability.h"
#include "experiments/spec/device_file.h"
#include "experiments/spec/options.h"
#include "simulator/base/data_files.h"
#include "simulator/base/output.h"
#include "simulator/base/rows.h"

namespace pnsim::experiments {
namespace {

struct RepeatOptions {
  std::vector<std::string> files;  // empty: show the recorded repeats
  std::string device = "h200";
  bool save = false;
  OutputOptions output;
};

Rendered rendered(const std::vector<InputJson>& rows) {
  Rendered out;
  Json json = Json::array();
  for (const InputJson& row : rows) {
    out.text += (out.text.empty() ? "" : "\n") + repeat_text(row);
    json.push_back(Json(row));
  }
  out.json = json.dump(1) + "\n";
  return out;
}

Rendered recorded_repeats(const std::string& device) {
  std::vector<InputJson> rows = recorded_rows(device);
  std::erase_if(rows, [](const InputJson& row) { return row.value("kind", "") != "repeat"; });
  if (rows.empty()) {
    fail_unavailable(
        "no repeat is recorded in results/" + device +
        "; to record one: experiment measure --out FIRST.jsonl, the same with SECOND.jsonl, then "
        "experiment repeat FIRST.jsonl SECOND.jsonl --save");
  }
  return rendered(rows);
}

std::vector<InputJson> rows_of(const std::string& file) {
  read_file(file);  // throws error 3 when the file is missing
  return load_rows(file);
}

ExitCode repeat(const RepeatOptions& options, const Invocation& invocation) {
  for (const std::string& file : options.files) note_input(file);
  check_output(options.output);
  if (options.files.empty()) {
    write_output(options.output, recorded_repeats(options.device));
    return ExitCode::kOk;
  }
  if (options.files.size() != 2) fail_usage("expected two files of times, or none");
  const std::vector<InputJson> first = rows_of(options.files[0]),
                               second = rows_of(options.files[1]);
  const Json row = repeat_row(first, second, summarize_repeats(repeated_times(first, second)),
                              invocation.command_line);
  if (options.save) {
    const std::string folder =
        data_root() + "/results/" + device_folder(row["device"].get<std::string>());
    make_folder(OutputFile::stored(folder, ShippedFolder::kResults));
    append_line(OutputFile::stored(folder + "/repeat.jsonl", ShippedFolder::kResults),
                to_line(row));
  }
  write_output(options.output, rendered({InputJson(row)}));
  return ExitCode::kOk;
}

}  // namespace

void add_repeat_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub =
      app.add_subcommand("repeat", "run-to-run repeatability: of two files, or recorded");
  auto options = std::make_shared<RepeatOptions>();
  sub->add_option("FILES", options->files,
                  "two files of rows that `experiment measure --out` wrote one after the other");
  sub->add_option("--device", options->device, "device whose recorded repeats are shown")
      ->capture_default_str();
  sub->add_flag("--save", options->save, "append the summary to results/DEVICE/repeat.jsonl");
  add_json_flag(*sub, options->output);
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return repeat(*options, invocation); };
  });
}

}  // namespace pnsim::experiments
