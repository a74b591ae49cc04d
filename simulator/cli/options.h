// Flags that several subcommands share (docs/commands.md).
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/model/template/parameter_factors.h"

namespace pnsim {

struct InputOptions {
  std::string input;               // INPUT or --model
  std::string net;                 // --net; "" for the model's own
  std::string device;              // --device; "" for the model's own
  std::vector<std::string> set;    // --set PATH=VALUE or PATH*=FACTOR
  std::vector<std::string> until;  // --until PLACE=0
  // Whether the command needs a net with reasons, so that a message names no other net, and what
  // differs between its sides: --a and --b.
  bool needs_reasons = false;
  std::vector<std::string> of_sides;
};

struct OutputOptions {
  std::string json;  // "": not written, "-": stdout, else a file
  std::string csv;
  bool quiet = false;
};

// A check that a number is within `least` ... 1. (CLI::Range accepts "nan".)
CLI::Validator share_of(double least);

// How points are run: seed, replicas, precision, engine and threads.
struct RunFlags {
  RunOptions run;
  std::string engine = "auto";
  double rel_error = 0;
  CLI::Option* replicas_flag = nullptr;
  CLI::Option* rel_error_flag = nullptr;

  // With --rel-error, --replicas is the maximum number of replicas. Throws error 2 for an unknown
  // engine, and for --rel-error with a single replica.
  PointOptions point_options() const;
};

// `input_flag`: the name of the positional, or "" for `--model` only.
void add_input_flags(CLI::App& command, InputOptions& options);
void add_run_flags(CLI::App& command, RunFlags& flags);
void add_output_flags(CLI::App& command, OutputOptions& options);

// What --set changes.
struct Settings {
  ParameterValues values;    // PATH=VALUE
  ParameterFactors factors;  // PATH*=FACTOR
};

// "l1=20" -> {l1, {20}}, "xa=[2,1,0]" -> {xa, {2, 1, 0}}, "xg*=0.5" -> factor 0.5 on xg. A value
// may be written as 2^20. The last of two values of one path wins. Throws error 2 for other text,
// and for a path that has two factors, or a value and a factor; error 3 for a value that is no
// integer and for a factor that is not a number above 0.
Settings parse_settings(const std::vector<std::string>& settings);

// Prints `text` on stdout and writes the requested --json and --csv forms. A form on stdout
// replaces the text.
struct Rendered {
  std::string text, json, csv;
};
void write_output(const OutputOptions& options, const Rendered& rendered);

// The JSON of `make`, or an empty text where the options request no JSON. `make` fails for names
// that are not UTF-8, so it is only called when its result is used.
std::string json_text(const OutputOptions& options, const std::function<Json()>& make);

// One line on stderr when not every run came to its end: what the results then are, and what to do.
void warn_of_outcome(Outcome worst, bool has_goal);

}  // namespace pnsim
