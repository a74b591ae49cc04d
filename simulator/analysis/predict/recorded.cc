#include "simulator/analysis/predict/recorded.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "simulator/base/data_files.h"
#include "simulator/base/rows.h"

namespace pnsim {
namespace {

bool has_text(const InputJson& row, const char* key, const std::string& value) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() && it->get_ref<const std::string&>() == value;
}

bool same_problem(const InputJson& row, const Problem& problem) {
  const auto it = row.find("axes");
  if (it == row.end() || !it->is_object() || it->size() != problem.size()) return false;
  for (const auto& [axis, value] : problem) {
    const auto at = it->find(axis);
    if (at == it->end() || !at->is_number_integer() || at->get<std::int64_t>() != value)
      return false;
  }
  return true;
}

bool same_parameters(const InputJson& row, const ParameterValues& parameters) {
  const auto it = row.find("parameters");
  if (it == row.end() || !it->is_object() || it->size() != parameters.size()) return false;
  for (const auto& [name, values] : parameters) {
    const auto at = it->find(name);
    if (at == it->end() || !at->is_number_integer()) return false;
    if (values.size() != 1 || at->get<std::int64_t>() != values[0]) return false;
  }
  return true;
}

bool has_seed_one(const InputJson& input) {
  const auto seed = input.find("seed");
  return seed == input.end() || (seed->is_number() && *seed == 1);
}

// Times are recorded for other inputs too: the default is uniform, seed 1.
bool has_default_input(const InputJson& row) {
  const auto input = row.find("input");
  if (input == row.end()) return true;
  return has_text(*input, "distribution", "uniform") && has_seed_one(*input);
}

std::vector<std::string> programs_of(const InputJson& row) {
  std::vector<std::string> programs;
  const auto it = row.find("programs");
  if (it == row.end() || !it->is_array()) return programs;
  for (const auto& program : *it) {
    if (program.is_string()) programs.push_back(program.get<std::string>());
  }
  return programs;
}

double number_or_zero(const InputJson& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_number() ? it->get<double>() : 0;
}

}  // namespace

std::string programs_text(const TimeScale& scale) {
  std::string text;
  for (const std::string& program : scale.programs) text += (text.empty() ? "" : ", ") + program;
  return text;
}

bool has_recorded_times(const std::string& device) {
  std::error_code none;
  const auto bytes =
      std::filesystem::file_size(data_root() + "/results/" + device + "/times.jsonl", none);
  return !none && bytes > 0;
}

RecordedResults::RecordedResults(const std::string& device)
    : device_(device), rows_(recorded_rows(device)) {}

RecordedResults RecordedResults::of_program(const std::string& device, const std::string& program) {
  const std::string name = InputJson(program).dump();
  // Reads the first key of that name. Rows begin with their own id, kind and program
  // (docs/experiments.md). Text cannot contain a quoted key, because its quotes are escaped.
  const auto value_of = [](std::string_view line, std::string_view key) {
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos) return std::string_view{};
    line.remove_prefix(at + key.size());
    line.remove_prefix(std::min(line.find_first_not_of(" :\t"), line.size()));
    return line;
  };
  const auto is_wanted = [&](std::string_view line) {
    const std::string_view kind = value_of(line, "\"kind\"");
    return kind.starts_with("\"time_scale\"") ||
           (kind.starts_with("\"time\"") && value_of(line, "\"program\"").starts_with(name));
  };
  // Large files with rows of other kinds.
  static constexpr std::string_view kOfOthers[] = {"counts.jsonl", "microbench.jsonl"};
  return {device, recorded_rows(device, is_wanted, kOfOthers)};
}

RecordedResults::RecordedResults(const std::string& device, std::vector<InputJson> rows)
    : device_(device), rows_(std::move(rows)) {}

std::optional<MeasuredTime> RecordedResults::time(const std::string& program,
                                                  const Problem& problem,
                                                  const std::string& mode) const {
  for (const InputJson& row : rows_) {
    if (!has_text(row, "kind", "time") || !has_text(row, "program", program) ||
        !has_text(row, "mode", mode) || !same_problem(row, problem)) {
      continue;
    }
    if (!has_default_input(row)) continue;
    const double median_us = number_or_zero(row, "median_us");
    if (median_us <= 0) continue;
    return MeasuredTime{median_us, number_or_zero(row, "p05_us"), number_or_zero(row, "p95_us"),
                        "results/" + device_ + " row " + row["id"].get<std::string>()};
  }
  return std::nullopt;
}

std::optional<TimeScale> RecordedResults::scale(const std::string& net,
                                                const ParameterValues& parameters) const {
  for (const InputJson& row : rows_) {
    if (!has_text(row, "kind", "time_scale") || !has_text(row, "net", net) ||
        !same_parameters(row, parameters)) {
      continue;
    }
    const double us_per_step = number_or_zero(row, "us_per_step");
    if (us_per_step <= 0) continue;
    return TimeScale{us_per_step, "results/" + device_ + " row " + row["id"].get<std::string>(),
                     programs_of(row)};
  }
  return std::nullopt;
}

}  // namespace pnsim
