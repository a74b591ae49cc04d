// experiment list [--programs], experiment show SPEC
#include <spdlog/spdlog.h>

#include "experiments/cli/commands.h"
#include "experiments/spec/options.h"
#include "experiments/spec/spec.h"
#include "gpu/catalogue.h"
#include "gpu/checked_point.h"
#include "gpu/point_json.h"
#include "simulator/base/data_files.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"

namespace pnsim::experiments {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Formats "n=[32 ... 1024] tile=[8 ... 32]".
std::string axes_text(const gpu::Program& program) {
  std::string text;
  for (const gpu::ProgramAxis& axis : program.axes) {
    text += (text.empty() ? "" : " ") + axis.name + "=";
    const std::string first = std::to_string(axis.values.front());
    text += axis.values.size() == 1
                ? first
                : "[" + first + " ... " + std::to_string(axis.values.back()) + "]";
  }
  return text;
}

std::string programs_text() {
  TextTable table({"program", "axes", "description"});
  for (const gpu::Program& program : gpu::catalogue()) {
    table.add_row({program.name, axes_text(program), program.summary});
  }
  return table.text();
}

const char* runner_name(gpu::Runner runner) {
  if (runner == gpu::Runner::kKernels) return "kernels";
  return runner == gpu::Runner::kLibrary ? "library" : "cpu";
}

Json axis_json(const gpu::ProgramAxis& axis) {
  return {{"name", axis.name},
          {"meaning", axis.meaning},
          {"values", axis.values},
          {"default", axis.default_value},
          {"takes", axis.range_text()}};
}

Json program_json(const gpu::Program& program) {
  const gpu::Point point = gpu::default_point(program.name);
  const gpu::Work work = program.reference->work(point);
  Json json = {
      {"name", program.name},
      {"summary", program.summary},
      {"source", program.source},
      {"runs", runner_name(program.runner)},
      {"passes", program.passes},
      {"axes", Json::array()},
      {"default", gpu::axes_json(point)},
      {"work", {{"elements", work.elements}, {"bytes", work.bytes}, {"flops", work.flops}}}};
  for (const gpu::ProgramAxis& axis : program.axes) json["axes"].push_back(axis_json(axis));
  return json;
}

ExitCode list_programs(const OutputOptions& output) {
  Json json = Json::array();
  for (const gpu::Program& program : gpu::catalogue()) json.push_back(program_json(program));
  write_output(output, {programs_text(), json.dump(1) + "\n", ""});
  return ExitCode::kOk;
}

ExitCode list_specs(const OutputOptions& output) {
  TextTable table({"spec", "points", "programs", "description"});
  Json json = Json::array();
  for (const std::string& name : shipped_names("experiments/specs")) {
    try {
      const Spec spec = load_spec(name);
      table.add_row({name, std::to_string(point_count(spec.axes)),
                     joined(spec.axis("program").values), spec.description});
      json.push_back(to_json(spec));
    } catch (const Error& error) {  // a file that cannot be read costs its row
      spdlog::warn("skipped: {}", error.what());
    }
  }
  write_output(output, {table.text() + "\n" + programs_text(), json.dump(1) + "\n", ""});
  return ExitCode::kOk;
}

std::string axes_text(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) text += "  " + axis.name + ": " + joined(axis.values) + "\n";
  return text;
}

std::string spec_text(const Spec& spec) {
  const std::vector<SuitePoint> points = points_of(spec);
  std::size_t training = 0;
  for (const SuitePoint& point : points) training += point.is_training ? 1 : 0;
  std::string text = "experiment " + spec.name + "\n" + spec.description + "\n\naxes (" +
                     std::to_string(points.size()) + " points)\n" + axes_text(spec.axes);
  text += "\nnet " + spec.net + ", device " + spec.device + ", " + spec.mode + " times\n";
  text += "scale fitted on the " + std::to_string(training) + " points with even log2 of " +
          spec.size_axis + ", judged on the other " + std::to_string(points.size() - training) +
          "\n";
  text += "reference: " + spec.reference_name;
  for (const auto& [name, values] : spec.reference) {
    text += " " + name + "=" + std::to_string(values[0]);
  }
  text += "\n";
  if (!spec.grid.empty()) {
    text +=
        "\ngrid (" + std::to_string(point_count(spec.grid)) + " cells)\n" + axes_text(spec.grid);
  }
  return text;
}

}  // namespace

void add_list_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand(
      "list", "the experiments that can be run, and the programs that can be measured");
  auto output = std::make_shared<OutputOptions>();
  auto programs = std::make_shared<bool>(false);
  add_json_flag(*sub, *output);
  sub->add_flag("--programs", *programs, "the programs alone; with --json axes, sources and work");
  sub->callback([&invocation, output, programs] {
    invocation.action = [output, programs] {
      return *programs ? list_programs(*output) : list_specs(*output);
    };
  });
}

void add_show_command(CLI::App& app, Invocation& invocation) {
  CLI::App* sub = app.add_subcommand("show", "axes, net, device and grid of one experiment");
  auto output = std::make_shared<OutputOptions>();
  auto name = std::make_shared<std::string>();
  sub->add_option("SPEC", *name, "a name of `experiment list`, or a file")->required();
  add_json_flag(*sub, *output);
  sub->callback([&invocation, output, name] {
    invocation.action = [output, name] {
      const Spec spec = load_spec(*name);
      write_output(*output, {spec_text(spec), to_json(spec).dump(1) + "\n", ""});
      return ExitCode::kOk;
    };
  });
}

}  // namespace pnsim::experiments
