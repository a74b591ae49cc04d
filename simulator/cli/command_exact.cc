// pnsim exact: expected steps from the absorbing Markov chain.
#include <spdlog/spdlog.h>

#include <chrono>

#include "simulator/analysis/exact/exact.h"
#include "simulator/base/activity.h"
#include "simulator/base/json.h"
#include "simulator/base/progress.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/cli/input.h"

namespace pnsim {
namespace {

struct ExactCommand {
  InputOptions input;
  OutputOptions output;
  ExactOptions options;
};

Json number_json(const ExactNumber& number) {
  Json out;
  out["fraction"] = number.fraction ? Json(*number.fraction) : Json(nullptr);
  out["decimal"] = number.decimal;
  if (!number.fraction) out["error_bound"] = number.error_bound;
  return out;
}

// DESIGN's contract has the probabilities as plain numbers; their fractions are separate keys.
Json result_json(const std::string& input, const Net& net, const ExactResult& result) {
  Json out;
  out["model"] = input;
  out["net"] = net.name();
  out["expected_steps"] =
      result.expected_steps ? number_json(*result.expected_steps) : Json(nullptr);
  out["outcome_probability"] = Json{{"goal", result.goal.decimal},
                                    {"dead", result.dead.decimal},
                                    {"never", result.never.decimal}};
  out["outcome_fraction"] = Json::object();
  for (const auto& [name, number] :
       {std::pair{"goal", &result.goal}, {"dead", &result.dead}, {"never", &result.never}}) {
    out["outcome_fraction"][name] = number->fraction ? Json(*number->fraction) : Json(nullptr);
  }
  out["markings"] = result.markings;
  out["largest_component"] = result.largest_component;
  out["residual"] = result.residual;
  return out;
}

std::string number_text(const ExactNumber& number) {
  const std::string decimal = significant(number.decimal, 10);
  if (!number.fraction) return decimal + " (within " + significant(number.error_bound, 2) + ")";
  const bool is_long = number.fraction->size() > 60;
  return is_long ? decimal + " (exact fraction of " + std::to_string(number.fraction->size()) +
                       " characters: see --json)"
                 : *number.fraction + " = " + decimal;
}

std::string result_text(const Net& net, const ExactResult& result) {
  std::string text = "net                  " + net.name() + "\n";
  text += "reachable markings   " + std::to_string(result.markings) + " (largest cycle " +
          std::to_string(result.largest_component) + ")\n";
  text += "expected steps       " +
          (result.expected_steps ? number_text(*result.expected_steps)
                                 : std::string("none: some reachable marking can never end")) +
          "\n";
  text += "ends at its goal     " + number_text(result.goal) + "\n";
  text += "ends dead            " + number_text(result.dead) + "\n";
  text += "never ends           " + number_text(result.never) + "\n";
  if (!result.why_decimal.empty()) text += "decimal, because     " + result.why_decimal + "\n";
  return text;
}

// A line on a terminal; elsewhere every ten seconds. How many markings are known can still grow.
std::function<void(std::size_t, std::size_t)> progress_of_markings(Task& task) {
  using Clock = std::chrono::steady_clock;
  return [&task, style = progress_style(false), last = Clock::now()](std::size_t done,
                                                                     std::size_t known) mutable {
    task.set_done(done, 0);
    const bool is_due = style == ProgressStyle::kLines && done % 64 == 0 &&
                        Clock::now() - last >= std::chrono::seconds(10);
    if (!is_due) return;
    last = Clock::now();
    spdlog::info("{} of the {} markings found so far are explored",
                 grouped(static_cast<long long>(done)), grouped(static_cast<long long>(known)));
  };
}

// The same while the equations are solved. No one knows how much of the work they will take.
std::function<void()> progress_of_equations() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now(), start = Clock::now()]() mutable {
    if (Clock::now() - last < std::chrono::seconds(10)) return;
    last = Clock::now();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(last - start).count();
    spdlog::info("all markings are explored; their equations are being solved (after {} s)",
                 seconds);
  };
}

ExitCode exact(ExactCommand command) {
  Task task("markings explored:", 0);
  command.options.limits.tell = progress_of_markings(task);
  command.options.decimal.tell = progress_of_equations();
  refuse_outputs_over_inputs(command.input, {command.output.json});
  const NetInput input = load_net_input(command.input);
  const ExactResult result = exact_steps(input.net, command.options);
  write_output(command.output,
               {result_text(input.net, result),
                json_text(command.output,
                          [&] { return result_json(command.input.input, input.net, result); }),
                ""});
  return ExitCode::kOk;
}

}  // namespace

void add_exact_command(CLI::App& app, Action& action) {
  auto command = std::make_shared<ExactCommand>();
  CLI::App* sub = app.add_subcommand("exact", "exact expected steps to the end (goal or dead)");
  sub->add_option("INPUT", command->input.input, "net or template")->required();
  add_input_flags(*sub, command->input);
  sub->add_flag("--json{-}", command->output.json, "one JSON object on stdout, or --json=FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  sub->add_option("--max-markings", command->options.limits.max_markings,
                  "stop with an error beyond this many reachable markings")
      ->capture_default_str();
  sub->add_option("--max-work", command->options.limits.max_work,
                  "give up exploring beyond so much work, in about nanoseconds")
      ->capture_default_str();
  sub->callback([command, &action] { action = [command] { return exact(*command); }; });
}

}  // namespace pnsim
