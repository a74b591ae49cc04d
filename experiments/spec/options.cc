#include "experiments/spec/options.h"

#include "simulator/base/error.h"
#include "simulator/base/numbers.h"
#include "simulator/base/output.h"

namespace pnsim::experiments {

void add_json_flag(CLI::App& command, OutputOptions& options) {
  command.add_flag("--json{-}", options.json, "one JSON object on stdout, or --json=FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void add_csv_flag(CLI::App& command, OutputOptions& options) {
  command.add_flag("--csv{-}", options.csv, "a table on stdout, or --csv=FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void add_html_flag(CLI::App& command, OutputOptions& options) {
  command.add_option("--html", options.html,
                     "FILE.html: the report as one file for a browser, with tables and figures");
}

void check_output(const OutputOptions& options) {
  if (options.json == "-" && options.csv == "-") {
    fail_usage("--json and --csv cannot both go to stdout: give one of them a file");
  }
  if (options.html == "-") fail_usage("--html needs the name of a file: --html report.html");
  check_output_files({options.json, options.csv, options.html});
}

void check_output_apart(const OutputOptions& options, std::vector<std::string> written) {
  written.insert(written.end(), {options.json, options.csv, options.html});
  check_output_files(written);
}

void check_output_folders(const OutputOptions& options, const std::string& made) {
  pnsim::check_output_folders({options.json, options.csv, options.html}, made);
}

void write_output(const OutputOptions& options, const Rendered& rendered) {
  check_output(options);
  if (!options.json.empty() && options.json != "-") write_file_whole(options.json, rendered.json);
  if (!options.csv.empty() && options.csv != "-") write_file_whole(options.csv, rendered.csv);
  if (options.json == "-") return write_stdout(rendered.json);
  if (options.csv == "-") return write_stdout(rendered.csv);
  write_text(rendered.text);
}

void add_simulation_flags(CLI::App& command, RunOptions& options, std::string& engine) {
  command.add_option("--seed", options.seed, "random seed, 64 bits")
      ->check(fault_of_u64)
      ->capture_default_str();
  command
      .add_option("--replicas", options.replicas,
                  "replicas of every net; steps are the mean over them")
      ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{1'000'000}))
      ->capture_default_str();
  command.add_option("-j,--threads", options.threads, "threads; 0: one per core")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
  command.add_option("--engine", engine, "auto, reference or fast")->capture_default_str();
}

void add_axis_flag(CLI::App& command, std::vector<std::string>& axes, const std::string& help) {
  command.add_option("-a,--axis", axes, help)->allow_extra_args(false);
}

void add_spec_flag(CLI::App& command, std::string& spec) {
  command.add_option("--spec", spec,
                     "the points of an experiment (`experiment list`), or of all, instead of those "
                     "of the catalogue");
}

std::vector<Axis> parse_axes(const std::vector<std::string>& texts) {
  std::vector<Axis> axes;
  for (const std::string& text : texts) axes.push_back(parse_axis(text));
  return axes;
}

}  // namespace pnsim::experiments
