#include "simulator/cli/options.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <sstream>

#include "simulator/base/error.h"
#include "simulator/base/numbers.h"
#include "simulator/base/output.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

std::int64_t parse_value(const std::string& text, const std::string& setting) {
  if (const auto value = parse_integer_or_power(text)) return *value;
  const std::string path = setting.substr(0, setting.find('='));
  fail_input("--set " + setting,
             "found \"" + text + "\", expected an integer below 2^63 or a power such as 2^20" +
                 (parse_factor(text) ? "; --set \"" + path + "*=" + text +
                                           "\" multiplies the value that " + path + " has"
                                     : ""));
}

std::vector<std::int64_t> parse_values(const std::string& text, const std::string& setting) {
  if (!text.starts_with('[')) return {parse_value(text, setting)};
  if (!text.ends_with(']')) fail_usage("--set " + setting + ": expected a closing \"]\"");
  std::vector<std::int64_t> values;
  std::istringstream items(text.substr(1, text.size() - 2));
  for (std::string item; std::getline(items, item, ',');) {
    values.push_back(parse_value(item, setting));
  }
  if (values.empty()) fail_usage("--set " + setting + ": the list is empty");
  return values;
}

}  // namespace

void add_input_flags(CLI::App& command, InputOptions& options) {
  command.add_option("--net", options.net, "net template, by name or file, instead of the model's");
  command.add_option("--device", options.device, "device profile, by name or file");
  command
      .add_option("--set", options.set,
                  "PATH=VALUE: a parameter of the net, a count (xa, xs, xg) or an axis of the "
                  "model; PATH*=FACTOR multiplies it (repeatable)")
      ->allow_extra_args(false);
  command
      .add_option("--until", options.until,
                  "PLACE=0: the goal instead of the net's own; also PLACE>=3, PLACE<2 ... "
                  "(repeatable, all must hold)")
      ->allow_extra_args(false);
}

CLI::Validator share_of(double least) {
  const CLI::Validator range = CLI::Range(least, 1.0);
  const auto fault = [least](const std::string& text) -> std::string {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value) && !std::isnan(value);
    if (is_number && value >= least && value <= 1) return "";
    return "found \"" + text + "\", expected a number from " + significant(least, 1) + " to 1";
  };
  return CLI::Validator(fault, range.get_description(), "SHARE");
}

void add_run_flags(CLI::App& command, RunFlags& flags) {
  RunOptions& run = flags.run;
  command.add_option("--seed", run.seed, "random seed, 64 bits")
      ->check(fault_of_u64)
      ->capture_default_str();
  flags.replicas_flag = command
                            .add_option("--replicas", run.replicas,
                                        "number of replicas (0 ... N - 1); with "
                                        "--rel-error the maximum (10000)")
                            ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{100'000'000}))
                            ->capture_default_str();
  flags.rel_error_flag =
      command
          .add_option("--rel-error", flags.rel_error,
                      "add replicas until the mean of the steps has this relative precision")
          ->check(share_of(1e-9));
  command.add_option("-j,--threads", run.threads, "threads; 0: one per core")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
  command.add_option("--engine", flags.engine, "auto, reference or fast")->capture_default_str();
  command.add_flag("--all-blocks", run.all_blocks,
                   "net sm: simulate every block of the SM, also those in steady state");
  command.add_option("--max-steps", run.max_steps, "stop a run after this many steps")
      ->check(fault_of_u64)
      ->capture_default_str();
}

PointOptions RunFlags::point_options() const {
  PointOptions options{run, std::nullopt};
  options.run.engine = parse_engine(engine);
  options.run.ends_fixed = true;
  if (rel_error_flag->count() == 0) return options;
  const bool has_most = replicas_flag->count() > 0;
  if (has_most && run.replicas < 2) {
    fail_usage("--rel-error needs at least two replicas: --replicas is the maximum");
  }
  options.stopping = StoppingRule{rel_error, has_most ? run.replicas : kDefaultMaxReplicas};
  return options;
}

void add_output_flags(CLI::App& command, OutputOptions& options) {
  command.add_flag("--json{-}", options.json, "one JSON object on stdout, or --json=FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  command.add_flag("--csv{-}", options.csv, "a table on stdout, or --csv=FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  command.add_flag("-q,--quiet", options.quiet,
                   "no notices; no text when --json or --csv is given");
}

namespace {

void add_factor(const std::string& path, const std::string& text, const std::string& setting,
                Settings& out) {
  const auto factor = parse_factor(text);
  if (!factor) fail_input("--set " + setting, "found \"" + text + "\", " + kFactorExpected);
  if (!out.factors.emplace(path, *factor).second) {
    fail_usage("--set " + path + "*= is given twice: multiply the factors and give it once");
  }
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

// "l1=40,l2=4" and "xg/=2".
void refuse_other_spellings(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) return;
  const std::string path = setting.substr(0, equals), text = setting.substr(equals + 1);
  if (path.ends_with('/')) {
    const auto divisor = parse_factor(text);
    std::ostringstream factor;
    divisor ? factor << 1 / *divisor : factor << "FACTOR";
    fail_usage("--set " + setting + ": there is no division; write --set \"" +
               path.substr(0, path.size() - 1) + "*=" + factor.str() + "\"");
  }
  if (text.starts_with('='))
    fail_usage("--set " + setting + ": expected one equals sign, as in --set " + path + text);
  std::string each;
  std::istringstream items(setting);
  for (std::string item; std::getline(items, item, ',');) {
    if (item.find('=') == std::string::npos) return;
    each += " --set " + item;
  }
  if (text.find('=') == std::string::npos) return;
  fail_usage("--set " + setting + ": repeat the option for each of them:" + each);
}

}  // namespace

Settings parse_settings(const std::vector<std::string>& settings) {
  Settings out;
  for (const std::string& given : settings) {
    const std::string setting = without_blanks(given);
    refuse_other_spellings(setting);
    const std::size_t equals = setting.find('=');
    const bool is_factor = equals != std::string::npos && equals > 0 && setting[equals - 1] == '*';
    const std::size_t path_end = is_factor ? equals - 1 : equals;
    if (equals == std::string::npos || path_end == 0 || equals + 1 == setting.size()) {
      fail_usage("--set " + setting + ": expected PATH=VALUE or \"PATH*=FACTOR\"");
    }
    const std::string path = setting.substr(0, path_end), text = setting.substr(equals + 1);
    if (is_factor) {
      add_factor(path, text, setting, out);
    } else {
      out.values[path] = parse_values(text, setting);
    }
  }
  for (const auto& [path, factor] : out.factors) {
    if (out.values.contains(path)) {
      fail_usage("--set " + path + "= and --set " + path +
                 "*= contradict each other: give the value alone, or the factor alone");
    }
  }
  return out;
}

std::string json_text(const OutputOptions& options, const std::function<Json()>& make) {
  return options.json.empty() ? "" : make().dump(2) + "\n";
}

void write_output(const OutputOptions& options, const Rendered& rendered) {
  if (options.json == "-" && options.csv == "-") {
    fail_usage("--json and --csv cannot both go to stdout: give one of them a file");
  }
  check_output_files({options.json, options.csv});
  if (!options.json.empty() && options.json != "-") write_file_whole(options.json, rendered.json);
  if (!options.csv.empty() && options.csv != "-") write_file_whole(options.csv, rendered.csv);
  if (options.json == "-") return write_stdout(rendered.json);
  if (options.csv == "-") return write_stdout(rendered.csv);
  const bool has_other = !options.json.empty() || !options.csv.empty();
  if (!options.quiet || !has_other) write_text(rendered.text);
}

void warn_of_outcome(Outcome worst, bool has_goal) {
  if (came_to_end(worst, has_goal)) return;
  if (worst == Outcome::kLimit) {
    spdlog::warn(
        "warning: not every run came to its end: steps and times are those up to the limit; raise "
        "it with --max-steps N");
  } else {
    spdlog::warn(
        "warning: not every run reached its goal: a run got stuck, and its steps are those until "
        "then");
  }
}

}  // namespace pnsim
