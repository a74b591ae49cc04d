// Flags that several subcommands share (docs/experiments.md).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "simulator/analysis/runs/replicas.h"
#include "simulator/base/axis.h"

namespace pnsim::experiments {

struct OutputOptions {
  std::string json;  // "": not written, "-": stdout, else a file
  std::string csv;
  std::string html;  // "": not written, else a file
};

// The output of a command. JSON or CSV on stdout replaces the text. An empty csv means that the
// command has no CSV form.
struct Rendered {
  std::string text, json, csv;
};

void add_json_flag(CLI::App& command, OutputOptions& options);
void add_csv_flag(CLI::App& command, OutputOptions& options);
// Adds --html FILE: a report that a browser shows.
void add_html_flag(CLI::App& command, OutputOptions& options);
// Throws error 2 before anything runs when both JSON and CSV are to go to stdout.
void check_output(const OutputOptions& options);
// Error 2 when --json, --csv or --html would replace one of the files that the command writes
// itself.
void check_output_apart(const OutputOptions& options, std::vector<std::string> written);
// Error 74 for --json, --csv or --html in a directory that does not exist. `made` is the folder
// that the command makes itself; "" for none.
void check_output_folders(const OutputOptions& options, const std::string& made);
void write_output(const OutputOptions& options, const Rendered& rendered);

// Adds --seed, --replicas, -j and --engine.
void add_simulation_flags(CLI::App& command, RunOptions& options, std::string& engine);

// Adds --spec: use the points of an experiment instead of those of the catalogue.
void add_spec_flag(CLI::App& command, std::string& spec);

// Adds -a AXIS, which may be repeated.
void add_axis_flag(CLI::App& command, std::vector<std::string>& axes, const std::string& help);
std::vector<Axis> parse_axes(const std::vector<std::string>& texts);

}  // namespace pnsim::experiments
