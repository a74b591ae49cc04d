#include "simulator/analysis/sweep/row_check.h"

#include <algorithm>

#include "simulator/analysis/sweep/sweep_id.h"
#include "simulator/base/error.h"
#include "simulator/engine/run_result.h"

namespace pnsim {
namespace {

constexpr double kMostInRow = 0x1p63;  // steps and firings are 64-bit numbers

void check_stddev(const JsonReader& stddev) {
  if (!stddev.is_null()) stddev.number(0, kMostInRow);
}

// {mean, stddev, min, max, ci95}
void check_row_estimate(const JsonReader& estimate) {
  for (const char* key : {"mean", "min", "max"}) estimate.at(key).number(0, kMostInRow);
  check_stddev(estimate.at("stddev"));
  const JsonReader interval = estimate.at("ci95");
  if (interval.is_null()) return;
  const auto ends = interval.items();
  if (ends.size() != 2) interval.fail_expected("two numbers");
  ends[1].number(ends[0].number(-kMostInRow, kMostInRow), kMostInRow);
}

void check_row_time(const JsonReader& time) {
  if (time.is_null()) return;
  const JsonReader us = time.at("value");
  if (!us.is_null()) us.number(0);
}

void check_row_outcome(const JsonReader& outcome) {
  for (const Outcome known : {Outcome::kLimit, Outcome::kDead, Outcome::kFixed, Outcome::kGoal}) {
    if (outcome.string() == outcome_name(known)) return;
  }
  outcome.fail_expected("limit, dead, fixed or goal");
}

// Many axes are parameters, and the row has the value of the point under both.
void check_axes_of_row(const JsonReader& row) {
  const JsonReader axes = row.at("axes"), parameters = row.at("parameters");
  for (const auto& [name, value] : axes.members()) {
    const auto parameter = parameters.find(name);
    if (!parameter || !value.is_integer() || !parameter->is_integer()) continue;
    if (parameter->value() == value.value()) continue;
    parameter->fail_expected(value.value().dump() + ", the value of the axis " + name);
  }
}

}  // namespace

void SweepRowCheck::check(const std::string& line, const std::string& where) {
  InputJson json = InputJson::parse(line, nullptr, false);
  if (json.is_discarded()) {
    fail_input(where, "found malformed JSON, expected a row of `pnsim sweep`");
  }
  if (const auto id = row_id_of(line); id && id->sweep != sweep_) {
    sweep_ = id->sweep;
    first_ = nullptr;
  }
  try {
    check_row(JsonReader(json, where));
  } catch (const Error& error) {
    throw Error(
        error.code(),
        error.what() +
            std::string(
                "; expected a row of `pnsim sweep`: run the sweep again into another file"));
  }
  if (first_.is_null()) first_ = std::move(json);
}

void SweepRowCheck::check_row(const JsonReader& row) const {
  for (const char* key : {"engine", "replicas", "breakdown", "conflicts"}) row.at(key);
  check_row_outcome(row.at("outcome"));
  check_row_estimate(row.at("steps"));
  check_row_estimate(row.at("firings"));
  check_row_time(row.at("time_us"));
  check_axes_of_row(row);
  for (const char* key : {"model", "net", "device", "seed"}) {
    const JsonReader value = row.at(key);
    if (first_.is_null() || row.at("axes").find(key) || value.value() == first_[key]) continue;
    value.fail_expected(first_[key].dump() + ", as in the first row");
  }
}

}  // namespace pnsim
