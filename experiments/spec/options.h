// Flags that several subcommands share (docs/experiments.md).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "simulator/analysis/runs/replicas.h"
#include "simulator/base/axis.h"

namespace pnsim::experiments {

struct OutputOptions {
  std::string json;  // "" no, "-" stdout, else a file
  std::string csv;
};

// What a command has to show; a form on stdout replaces the text. An empty csv is "there is none".
struct Rendered {
  std::string text, json, csv;
};

void add_json_flag(CLI::App& command, OutputOptions& options);
void add_csv_flag(CLI::App& command, OutputOptions& options);
// Error 2 before anything runs when both forms want stdout.
void check_output(const OutputOptions& options);
void write_output(const OutputOptions& options, const Rendered& rendered);

// --seed, --replicas, -j, --engine.
void add_simulation_flags(CLI::App& command, RunOptions& options, std::string& engine);

// --spec: the points of an experiment instead of the catalogue's.
void add_spec_flag(CLI::App& command, std::string& spec);

// -a AXIS, repeatable.
void add_axis_flag(CLI::App& command, std::vector<std::string>& axes, const std::string& help);
std::vector<Axis> parse_axes(const std::vector<std::string>& texts);

}  // namespace pnsim::experiments
