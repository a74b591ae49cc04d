// experiment microbench: measures latencies, rates and overheads of the GPU of this machine.
#include <spdlog/spdlog.h>

#include <chrono>

#include "experiments/cli/commands.h"
#include "experiments/spec/device_file.h"
#include "experiments/spec/options.h"
#include "gpu/micro_row.h"
#include "simulator/base/data_files.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

struct MicrobenchOptions {
  std::vector<std::string> only;
  std::string out;  // "": results/<device>/microbench.jsonl
  bool list = false;
  OutputOptions output;
};

std::string list_text() {
  TextTable table({"name", "what runs", "what it measures"});
  for (const gpu::Microbenchmark& bench : gpu::microbenchmarks()) {
    table.add_row({bench.name, bench.what, bench.determines});
  }
  return table.text();
}

// The requested benchmarks in the order of the list. Throws error 2 for an unknown one.
std::vector<std::string> chosen(const std::vector<std::string>& only) {
  std::vector<std::string> known;
  for (const gpu::Microbenchmark& bench : gpu::microbenchmarks()) known.push_back(bench.name);
  for (const std::string& name : only) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail_usage("unknown microbenchmark \"" + name + "\"" + suggestion(name, known));
    }
  }
  if (only.empty()) return known;
  std::erase_if(known, [&](const std::string& name) {
    return std::find(only.begin(), only.end(), name) == only.end();
  });
  return known;
}

// Formats "level=l2 kind=read".
std::string settings_text(const Json& axes) {
  std::string text;
  for (const auto& [axis, value] : axes.items()) {
    text += (text.empty() ? "" : " ") + axis + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

void add_to_table(const Json& row, TextTable& table) {
  table.add_row({row["bench"], settings_text(row["axes"]), significant(row["value"], 5),
                 row["unit"], significant(100 * row["rel_mad"].get<double>(), 2)});
}

void warn_of(const std::string& name, const gpu::MicroConditions& conditions) {
  if (conditions.is_throttled) {
    spdlog::warn("{}: the clock of the GPU was throttled; `calibrate` will not use these rows",
                 name);
  }
  if (conditions.other_processes > 0) {
    spdlog::warn("{}: {} other processes were on the GPU; `calibrate` will not use these rows",
                 name, conditions.other_processes);
  }
}

ExitCode microbench(const MicrobenchOptions& options, const Invocation& invocation) {
  check_output(options.output);
  if (options.list) {
    write_stdout(list_text());
    return ExitCode::kOk;
  }
  const std::vector<std::string> names = chosen(options.only);
  if (!options.out.empty())
    static_cast<void>(OutputFile::stored(options.out, ShippedFolder::kResults));
  gpu::note_other_processes();
  const gpu::DeviceFacts device = gpu::query_device();  // error 4 without a GPU
  const std::string folder = data_root() + "/results/" + device_folder(device.name);
  const std::string file = options.out.empty() ? folder + "/microbench.jsonl" : options.out;
  const OutputFile out = OutputFile::stored(file, ShippedFolder::kResults);
  if (options.out.empty()) make_folder(OutputFile::stored(folder, ShippedFolder::kResults));
  TextTable table({"bench", "setting", "value", "unit", "spread %"});
  Json rows = Json::array();
  for (const std::string& name : names) {
    const auto start = std::chrono::steady_clock::now();
    const gpu::MicroRun run = gpu::run_microbenchmark(name);
    if (!run.skipped.empty()) spdlog::warn("{}: skipped: {}", name, run.skipped);
    warn_of(name, run.conditions);
    for (const gpu::MicroValue& value : run.values) {
      rows.push_back(gpu::micro_row(value, run.conditions, device, invocation.command_line));
      append_line(out, to_line(rows.back()));
      add_to_table(rows.back(), table);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    spdlog::info("{}: {:.1f} s", name, took.count());
  }
  spdlog::info("appended {} rows to {}", rows.size(), file);
  write_output(options.output, {table.text(), rows.dump(1) + "\n", ""});
  return ExitCode::kOk;
}

}  // namespace

void add_microbench_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("microbench",
                                     "measure latencies, rates and overheads of the "
                                     "GPU of this machine");
  auto options = std::make_shared<MicrobenchOptions>();
  sub->add_option("NAME", options->only, "only these instead of all");
  sub->add_flag("--list", options->list, "only list the microbenchmarks");
  sub->add_option("--out", options->out, "file of the rows (results/DEVICE/microbench.jsonl)");
  add_json_flag(*sub, options->output);
  sub->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return microbench(*options, invocation); };
  });
}

}  // namespace pnsim::experiments
