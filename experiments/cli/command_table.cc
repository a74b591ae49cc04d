// experiment table NAME (see kTables): tables from recorded rows.
#include <spdlog/spdlog.h>

#include "experiments/cli/commands.h"
#include "experiments/spec/suite.h"
#include "experiments/tables/document_tables.h"
#include "experiments/tables/heuristics_table.h"
#include "experiments/tables/launch_shape_table.h"
#include "experiments/tables/rank_table.h"
#include "experiments/tables/reasons_table.h"
#include "experiments/validate/device_tables.h"
#include "experiments/validate/others_table.h"
#include "experiments/validate/scaling_table.h"
#include "simulator/base/nearest.h"
#include "simulator/base/output.h"

namespace pnsim::experiments {
namespace {

const std::vector<std::string> kTables{
    "report", "homework", "imbalance",  "atomics", "modes",   "sorting", "launch-shape",
    "rank",   "reasons",  "heuristics", "devices", "scaling", "others"};

// Tables that run simulations.
const std::vector<std::string> kSimulated{"report",  "launch-shape", "rank",  "reasons",
                                          "devices", "scaling",      "others"};

// The flags that some tables would ignore, and the tables that take them.
struct TableFlag {
  std::string flag;
  std::vector<std::string> tables;
};
const std::vector<TableFlag> kFlags{
    {.flag = "--device",
     .tables = {"report", "homework", "imbalance", "atomics", "modes", "sorting", "launch-shape",
                "rank", "reasons", "scaling"}},
    {.flag = "--from", .tables = {"scaling"}},
    {.flag = "--out", .tables = {"atomics"}},
    {.flag = "--csv", .tables = {"report", "launch-shape", "rank"}},
    {.flag = "--net", .tables = kSimulated},
    {.flag = "--seed", .tables = kSimulated},
    {.flag = "--replicas", .tables = kSimulated},
    {.flag = "--threads", .tables = kSimulated},
    {.flag = "--engine", .tables = kSimulated}};

struct TableOptions {
  std::string name;
  std::vector<std::string> flags;  // those of kFlags that were given
  std::string device = "h200";
  std::string from = "h200";  // whose profile is scaled
  std::string out;            // folder of the plots; "": the default
  std::string net = "sm";     // net of the simulations
  std::string engine = "auto";
  RunOptions run;
  OutputOptions output;
};

std::string plots_folder(const TableOptions& options) {
  return options.out.empty() ? "results-out/atomics" : options.out;
}

Rendered atomics_with_plots(const RowIndex& rows, const DeviceProfile& device,
                            const TableOptions& options) {
  const AtomicsReport report = atomics_report(rows, device.title);
  const std::string folder = plots_folder(options);
  make_folder(folder);
  for (const auto& [name, svg] : report.plots) write_file_whole(folder + "/" + name, svg);
  spdlog::info("{} plots in {}", report.plots.size(), folder);
  return report.rendered;
}

RunOptions run_options(const TableOptions& options) {
  RunOptions run = options.run;
  run.engine = parse_engine(options.engine);
  return run;
}

// The measured table or, for the GPU of the report itself, the predicted one.
Rendered report(const RowIndex& rows, const DeviceProfile& device, const TableOptions& options) {
  if (!is_the_reports_device(device)) return report_table(rows);
  return predicted_report_table(device, load_net(options.net), run_options(options));
}

// "the table scaling", "the tables report, launch-shape and rank".
std::string tables_text(const std::vector<std::string>& tables) {
  std::string text = tables.size() == 1 ? "the table " : "the tables ";
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (i > 0) text += i + 1 == tables.size() ? " and " : ", ";
    text += tables[i];
  }
  return text;
}

void check_flags(const TableOptions& options) {
  for (const auto& [flag, tables] : kFlags) {
    const bool is_given =
        std::find(options.flags.begin(), options.flags.end(), flag) != options.flags.end();
    if (!is_given || std::find(tables.begin(), tables.end(), options.name) != tables.end())
      continue;
    fail_usage(flag + " is for " + tables_text(tables) + ", not for " + options.name +
               (flag == "--csv" ? "; use --json" : "; remove it"));
  }
}

ExitCode show_table(const TableOptions& options) {
  check_output(options.output);
  check_output_folders(options.output, options.name == "atomics" ? plots_folder(options) : "");
  if (std::find(kTables.begin(), kTables.end(), options.name) == kTables.end()) {
    fail_usage("unknown table \"" + options.name + "\"" + suggestion(options.name, kTables));
  }
  check_flags(options);
  const DeviceProfile device = load_device_profile(options.device);  // refuses an unknown one
  if (options.name == "heuristics") {
    write_output(options.output, heuristics_table());
    return ExitCode::kOk;
  }
  if (options.name == "devices") {
    write_output(options.output, devices_table(options.net, run_options(options)));
    return ExitCode::kOk;
  }
  if (options.name == "others") {
    write_output(options.output, others_table(shipped_others(), options.net, run_options(options)));
    return ExitCode::kOk;
  }
  if (options.name == "scaling") {
    write_output(options.output, scaling_table(load_device_profile(options.from), device,
                                               options.net, run_options(options)));
    return ExitCode::kOk;
  }
  const RowIndex rows(device.name);
  if (options.name == "report") {
    write_output(options.output, report(rows, device, options));
  } else if (options.name == "homework") {
    write_output(options.output, homework_table(rows, device));
  } else if (options.name == "modes") {
    write_output(options.output, modes_table(rows));
  } else if (options.name == "launch-shape") {
    write_output(options.output, launch_shape_table(RecordedResults(device.name), device,
                                                    load_net(options.net), run_options(options)));
  } else if (options.name == "rank") {
    write_output(options.output, rank_table(RecordedResults(device.name), device,
                                            load_net(options.net), run_options(options)));
  } else if (options.name == "reasons") {
    write_output(options.output,
                 reasons_table(rows, device, load_net(options.net), run_options(options)));
  } else if (options.name == "sorting") {
    write_output(options.output, sorting_table(rows, device));
  } else if (options.name == "imbalance") {
    write_output(options.output, imbalance_table(rows));
  } else {
    write_output(options.output, atomics_with_plots(rows, device, options));
  }
  return ExitCode::kOk;
}

}  // namespace

void add_table_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub =
      app.add_subcommand("table", "the documents' tables and plots, from recorded rows");
  auto options = std::make_shared<TableOptions>();
  sub->add_option(
         "NAME", options->name,
         "report: the radix report's; homework, imbalance: the homework's; atomics: the "
         "atomics document's plots; modes: cold and single times over warm ones; sorting: CUB's "
         "sort beside the paper's; launch-shape: the best block size, predicted from "
         "launches of another one; rank: what the first configurations in the predicted order keep "
         "of the best speed; reasons: why warps wait, by the profiler and by "
         "the net; heuristics: what the model of an SM infers (docs/heuristics.md); devices: "
         "profiled on one GPU, predicted for another; scaling: a GPU as if only its data sheet "
         "were known (--device h100); others: launches of programs that others wrote, at first "
         "sight and now (takes minutes)")
      ->required();
  sub->add_option("--device", options->device,
                  "device whose rows are used (not of heuristics, devices and others)")
      ->capture_default_str();
  sub->add_option("--from", options->from, "scaling: the measured profile that is scaled")
      ->capture_default_str();
  sub->add_option("--out", options->out, "folder of the plots (results-out/atomics)");
  sub->add_option(
         "--net", options->net,
         "net template of launch-shape, rank, reasons, devices, scaling, others and the report "
         "on its own GPU")
      ->capture_default_str();
  add_simulation_flags(*sub, options->run, options->engine);
  add_json_flag(*sub, options->output);
  add_csv_flag(*sub, options->output);
  sub->callback([&invocation, options, sub] {
    for (const TableFlag& one : kFlags) {
      if (sub->count(one.flag) > 0) options->flags.push_back(one.flag);
    }
    invocation.action = [options] { return show_table(*options); };
  });
}

}  // namespace pnsim::experiments
