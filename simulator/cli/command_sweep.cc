// pnsim sweep: runs every point of a product of axes and writes one row of JSON per point.
#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "simulator/analysis/runs/gpu_use.h"
#include "simulator/analysis/sweep/sweep_plot.h"
#include "simulator/analysis/sweep/sweep_ranks.h"
#include "simulator/base/extension.h"
#include "simulator/base/interrupt.h"
#include "simulator/base/output.h"
#include "simulator/base/read_line.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"
#include "simulator/cli/sweep_input.h"
#include "simulator/engine/gpu_replicas.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kManyPoints = 1000;      // sweeps of at least this size estimate their time
constexpr std::uint64_t kMostInATable = 10'000;  // points of which a table is made unasked

struct SweepCommand {
  InputOptions input;
  std::vector<std::string> axes;
  RunFlags flags;
  std::string output;
  bool resume = false;
  std::string shard;
  std::string on = "cpu";
  std::string csv;    // "": not written, "-": stdout, else a file
  std::string plot;   // an SVG file
  bool json = false;  // rows on stdout, also on a terminal
  bool quiet = false;
};

// Without a rows file the rows are the data on stdout, unless they are asked for in another form. A
// person at a terminal sees the table, unless --json asks for the rows.
bool writes_rows_to_stdout(const SweepCommand& command) {
  return command.json || (command.output.empty() && command.csv.empty() && command.plot.empty() &&
                          ::isatty(STDOUT_FILENO) == 0);
}

std::vector<Axis> parse_axes(const std::vector<std::string>& texts) {
  std::vector<Axis> axes;
  for (const std::string& text : texts) axes.push_back(parse_axis(text));
  point_count(axes);  // refuses too many points before anything is loaded
  return axes;
}

std::string count_text(std::uint64_t count, const char* what) {
  return grouped(static_cast<long long>(count)) + " " + what + (count == 1 ? "" : "s");
}

// Ends the process, because a point may take hours and its thread cannot be stopped. It must be
// called while no row is being written.
void end_when_interrupted(std::uint64_t rows, const std::string& output) {
  const int signal = interrupting_signal();
  if (signal == 0) return;
  const std::string text =
      "\npnsim: interrupted; " + count_text(rows, "row") +
      (output.empty() ? " written\n" : " kept in " + output + ": continue with --resume\n");
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  std::_Exit(128 + signal);
}

void say_start(const SweepPoints& points, const SweepRun& run, const RowsDone& done,
               const std::string& where = "") {
  const std::uint64_t count = run.shard.size(points.count());
  std::string text = count_text(count, "point");
  if (done.rows > 0) text += ", " + count_text(done.rows, "row") + " already present";
  if (done.cut_off > 0) text += ", an incomplete row is run again";
  if (run.progress != ProgressStyle::kNone && count - done.rows >= kManyPoints) {
    text += "; about " + duration_text(estimated_seconds(points, run, done));
  }
  spdlog::info("{}{}", text, where);
}

// Whether the file begins as a rows file does.
bool holds_rows(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string start(7, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == "{\"id\":\"";
}

ExitCode sweep_into_file(const SweepCommand& command, const SweepPoints& points, SweepRun run) {
  RowFile file(command.output);
  if (!command.resume && file.size() > 0) {
    fail_usage(command.output + (holds_rows(command.output)
                                     ? " already contains rows: continue with --resume, delete the "
                                       "file, or name another with -o"
                                     : " already contains something other than rows of a sweep: "
                                       "name another file with -o"));
  }
  const RowsDone done = command.resume ? rows_done(command.output, points, run.shard) : RowsDone{};
  run.tick = [&](std::uint64_t rows) { end_when_interrupted(rows, command.output); };
  say_start(points, run, done);
  const ExitCode code = run_sweep(points, run, done, file);
  spdlog::info("{} in {}", count_text(run.shard.size(points.count()), "row"), command.output);
  return code;
}

// Rows without a file: to stdout, or into the table.
ExitCode sweep_without_file(const SweepCommand& command, const SweepPoints& points, SweepRun run,
                            SweepTable& table) {
  run.tick = [](std::uint64_t rows) { end_when_interrupted(rows, ""); };
  const bool to_stdout = writes_rows_to_stdout(command);
  const bool is_asked_for = command.json || !to_stdout;
  say_start(points, run, {}, is_asked_for ? "" : ", as rows of JSON on stdout (--csv: a table)");
  return run_sweep(points, run, {}, [&](const std::string& rows) {
    to_stdout ? write_stdout(rows) : table.add(rows, "this sweep");
  });
}

ExitCode sweep_as_rank(const SweepCommand& command, const SweepPoints& points, SweepRun run,
                       Ranks ranks) {
  if (command.output.empty()) fail_usage("several processes (mpirun) need a rows file: -o ROWS");
  if (!command.shard.empty())
    fail_usage("--shard cannot be combined with mpirun, whose processes share the points");
  run.tick = [&](std::uint64_t rows) { end_when_interrupted(rows, command.output); };
  if (run.threads == 0) run.threads = 1;  // the cores are shared by the processes
  if (ranks.rank != 0) run.progress = ProgressStyle::kNone;
  if (ranks.rank == 0) {
    spdlog::info("{} over {} processes", count_text(points.count(), "point"), ranks.size);
  }
  return run_as_rank(points, run, ranks, command.output);
}

ExitCode sweep_points(const SweepCommand& command, const SweepPoints& points, const SweepRun& run,
                      SweepTable& table) {
  if (const auto ranks = ranks_from_environment()) {
    return sweep_as_rank(command, points, run, *ranks);
  }
  const ExitCode code = command.output.empty() ? sweep_without_file(command, points, run, table)
                                               : sweep_into_file(command, points, run);
  if (code == ExitCode::kLimit) warn_of_outcome(Outcome::kLimit, points.has_goal());
  return code;
}

// A closed stdout is open for reading alone (program.h).
bool can_print() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

// Beside files the table is a courtesy: -q and a closed stdout omit it.
bool shows_table(const SweepCommand& command) {
  const bool has_files = !command.output.empty() || !command.csv.empty() || !command.plot.empty();
  return command.csv != "-" && !(has_files && (command.quiet || !can_print()));
}

// A pipe or /dev/stdout, whose rows cannot be read back.
bool is_no_file(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none);
}

// Reads the rows file again, since it may hold rows of earlier runs.
void read_rows(const std::string& path, SweepTable& table) {
  std::ifstream in(path, std::ios::binary);
  std::size_t number = 0;
  for (std::string line; read_line(in, line, path);) {
    table.add(line, path + ": line " + std::to_string(++number));
  }
}

// The table, the CSV and the plot. A table of very many rows is no help, so these are not read back
// for it alone.
void write_tables(const SweepCommand& command, const SweepPoints& points, SweepTable& table) {
  const bool is_other_rank = ranks_from_environment().value_or(Ranks{}).rank != 0;
  if (writes_rows_to_stdout(command) || is_other_rank || is_no_file(command.output)) return;
  const bool is_asked_for = !command.csv.empty() || !command.plot.empty();
  if (!is_asked_for && (!shows_table(command) || points.count() > kMostInATable)) return;
  if (!command.output.empty()) read_rows(command.output, table);
  if (!command.plot.empty()) write_file_whole(command.plot, sweep_plot(points.axes(), table));
  if (!command.csv.empty() && command.csv != "-") {
    std::error_code none;
    if (std::filesystem::is_regular_file(command.csv, none)) {
      spdlog::info("{}: an earlier file of this name is replaced", command.csv);
    }
    write_file_whole(command.csv, table.csv());
  }
  if (command.csv == "-") return write_stdout(table.csv());
  if (shows_table(command)) write_stdout(table.text());
}

SweepTable empty_table(const SweepPoints& points) {
  std::vector<std::string> names;
  for (const Axis& axis : points.axes()) names.push_back(axis.name);
  return {names, points.axis_heads(), points.has_goal(), points.scale_parameters()};
}

// Returns null when the sweep runs on the CPU, either as requested or because there is no GPU.
std::unique_ptr<GpuUse> gpu_asked_for(const SweepCommand& command) {
  if (command.on == "cpu") return nullptr;
  if (parse_engine(command.flags.engine) == EngineKind::kReference) {
    fail_usage("--on gpu uses the fast engine: remove --engine reference");
  }
  const std::string why = why_not_on_gpu();
  if (why.empty()) return std::make_unique<GpuUse>();
  spdlog::warn("no GPU for this sweep, it runs on the CPU: {}", why);
  return nullptr;
}

void check_names(const SweepCommand& command) {
  if (command.output == "-") {
    fail_usage(
        "-o -: without -o, --csv and --plot the rows go to stdout; name a file, or remove it");
  }
  const bool is_csv = has_extension(command.output, ".csv");
  if (is_csv || has_extension(command.output, ".svg")) {
    fail_usage("-o " + command.output + ": -o writes rows of JSON, expected a name such as " +
               command.output.substr(0, command.output.size() - 4) + ".jsonl; write " +
               (is_csv ? "--csv " : "--plot ") + command.output + " for " +
               (is_csv ? "CSV" : "a plot"));
  }
  if (command.json && !(command.output.empty() && command.csv.empty() && command.plot.empty())) {
    fail_usage("--json prints the rows on stdout: remove it, or -o, --csv and --plot");
  }
  if (!command.plot.empty() && !has_extension(command.plot, ".svg")) {
    fail_usage("--plot " + command.plot + ": expected a file name that ends in .svg");
  }
}

ExitCode sweep(const SweepCommand& command) {
  const std::vector<Axis> axes = parse_axes(command.axes);
  refuse_outputs_over_inputs(command.input, {command.output, command.csv, command.plot});
  check_names(command);
  if (!command.plot.empty()) check_plot(axes);
  if (is_no_file(command.output) && !(command.csv.empty() && command.plot.empty())) {
    fail_usage(command.output + ": --csv and --plot read the rows again; name a file with -o");
  }
  SweepRun run;
  if (!command.shard.empty()) run.shard = parse_shard(command.shard);
  if (command.resume && command.output.empty()) fail_usage("--resume needs a rows file: -o ROWS");
  if (command.resume) check_resumable(command.output);
  const std::unique_ptr<GpuUse> gpu = gpu_asked_for(command);
  PointOptions options = command.flags.point_options();
  options.run.gpu = gpu.get();
  const SweepPoints points(load_sweep_input(command.input, axes), axes, options);
  run.threads = command.flags.run.threads;
  run.progress = progress_style(command.quiet);
  BestBlocks best_blocks;
  run.best_blocks = &best_blocks;
  note_interrupts();
  SweepTable table = empty_table(points);
  const ExitCode code = sweep_points(command, points, run, table);
  write_tables(command, points, table);
  const std::vector<std::string> best = best_blocks.lines();
  for (const std::string& line : best) spdlog::info("{}", line);
  if (!best.empty() && best_blocks.has_what_if()) {
    spdlog::info(
        "a what-if keeps the work of each thread: where tiles, barriers or a fixed grid make it "
        "depend on the block size, profile that size; `experiment table launch-shape` shows the "
        "accuracy of what-ifs");
  }
  if (gpu) spdlog::info("{}", gpu->text());
  return code;
}

}  // namespace

void add_sweep_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<SweepCommand>();
  CLI::App* sub = app.add_subcommand("sweep", "run every point of a product of axes");
  sub->add_option("INPUT,--model", command->input.input, "net template or kernel model")
      ->required();
  sub->add_option("-a,--axis", command->axes,
                  "NAME=VALUES: l1=[10:200:10], l2=[1,2,4], n[pow2]=[12:24] (repeatable; the last "
                  "varies fastest)")
      ->allow_extra_args(false);
  add_input_flags(*sub, command->input);
  add_run_flags(*sub, command->flags);
  sub->add_option("-o,--output", command->output,
                  "rows file (.jsonl); without it, --csv or --plot the rows go to stdout");
  CLI::Option* csv =
      sub->add_option("--csv", command->csv, "FILE: a row per point; without FILE on stdout")
          ->expected(0, 1);
  sub->add_flag("--json", command->json,
                "the rows on stdout, also on a terminal, which otherwise shows a table");
  sub->add_option("--plot", command->plot,
                  "FILE.svg: a line over one axis, a heat map over two axes");
  sub->add_flag("--resume", command->resume, "keep existing rows, run only the others");
  sub->add_option("--shard", command->shard, "i/n: every n-th point only; see pnsim merge");
  sub->add_option("--on", command->on,
                  "cpu, or gpu: the same rows, replicas on a GPU where there is "
                  "one and the net fits")
      ->check(CLI::IsMember({"cpu", "gpu"}))
      ->capture_default_str();
  sub->add_flag("-q,--quiet", command->quiet, "no notices, no progress");
  sub->callback([command, csv, &action] {
    if (csv->count() > 0 && command->csv.empty()) command->csv = "-";
    action = [command] { return sweep(*command); };
  });
}

}  // namespace pnsim
