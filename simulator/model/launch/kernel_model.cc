#include "simulator/model/launch/kernel_model.h"

#include <algorithm>
#include <cmath>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/model/launch/launch_json.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxCount = kMaxTokens;
constexpr double kMostTime = 1e12;  // us, as a profiler reports it
constexpr std::int64_t kFormatVersion = 2;

// Version 1 had other keys. Files of version 1 must be derived again, so there is only one format.
void check_version(const JsonReader& json) {
  if (json.is_integer() && json.value() == 1) {
    json.fail(
        "found version 1, expected 2: the keys of segments have changed; make the model anew "
        "with: pnsim derive --ncu RAW.csv --source SOURCE.csv -o DIR");
  }
  json.integer(kFormatVersion, kFormatVersion);
}

Problem read_problem(const JsonReader& json) {
  Problem problem;
  for (const auto& [axis, value] : json.members()) problem[axis] = value.integer(0, kMaxCount);
  return problem;
}

std::string axes_text(const Problem& problem) {
  std::string text;
  for (const auto& [axis, unused] : problem) text += (text.empty() ? "" : ", ") + axis;
  return text;
}

// The axes of the problem that are the shape of the point's only launch.
void check_shape_axes(const JsonReader& problem, const Launch& launch) {
  const auto check = [&](const char* axis, std::int64_t expected) {
    const auto value = problem.find(axis);
    if (!value || value->integer(0, kMaxCount) == expected) return;
    value->fail_expected(std::to_string(expected) + ", the " + axis +
                         " of the point's only launch (/launches/0/" + axis + ")");
  };
  check("block", launch.block);
  check("grid", launch.grid);
}

// A point of `model`, whose problem and earlier points have been read.
RecordedPoint read_point(const JsonReader& row, const KernelModel& model) {
  row.only({"problem", "launches"});
  RecordedPoint point{read_problem(row.at("problem")), {}};
  if (axes_text(point.problem) != axes_text(model.problem)) {
    row.at("problem").fail("found the axes " + axes_text(point.problem) +
                           "; expected those of the model: " + axes_text(model.problem));
  }
  for (const RecordedPoint& other : model.points) {
    if (other.problem == point.problem) row.at("problem").fail("the point stands twice");
  }
  for (const JsonReader& launch : row.at("launches").items()) {
    point.launches.push_back(read_launch(launch));
  }
  if (point.launches.empty()) row.at("launches").fail("a point has at least one launch");
  if (point.launches.size() == 1) check_shape_axes(row.at("problem"), point.launches.front());
  return point;
}

// The distance of two problems: the sum of |log2 ratio| over the axes.
double distance(const Problem& a, const Problem& b) {
  double sum = 0;
  for (const auto& [axis, value] : a) {
    const auto it = b.find(axis);
    if (it == b.end()) continue;
    sum += std::abs(
        std::log2((static_cast<double>(value) + 1) / (static_cast<double>(it->second) + 1)));
  }
  return sum;
}

bool is_one_launch(const KernelModel& model) {
  return model.points.size() == 1 && model.points[0].launches.size() == 1 &&
         model.points[0].launches[0].repeat == 1;
}

}  // namespace

std::vector<std::string> KernelModel::axes() const {
  std::vector<std::string> names;
  for (const auto& [axis, unused] : problem) names.push_back(axis);
  return names;
}

bool has_programs(const RecordedPoint& point) {
  return std::none_of(point.launches.begin(), point.launches.end(),
                      [](const Launch& launch) { return launch.segments.empty(); });
}

bool is_in_place(const RecordedPoint& point) {
  return std::all_of(point.launches.begin(), point.launches.end(),
                     [](const Launch& launch) { return launch.start == CacheStart::kInPlace; });
}

const RecordedPoint& KernelModel::point(const Problem& overrides) const {
  Problem wanted = problem;
  for (const auto& [axis, value] : overrides) {
    if (!problem.contains(axis)) {
      fail_usage("model " + name + " has no axis \"" + axis + "\"" + suggestion(axis, axes()));
    }
    wanted[axis] = value;
  }
  const RecordedPoint* nearest = nullptr;
  for (const RecordedPoint& candidate : points) {
    if (candidate.problem == wanted) return candidate;
    if (!nearest || distance(wanted, candidate.problem) < distance(wanted, nearest->problem)) {
      nearest = &candidate;
    }
  }
  fail_unavailable("model " + name + ": the point " + problem_text(wanted) +
                   " was not recorded; the nearest one is " + problem_text(nearest->problem) +
                   " (record more with: experiment counts)");
}

KernelModel read_kernel_model(const JsonReader& json) {
  json.only({"kind", "version", "name", "description", "net", "device", "parameters", "problem",
             "provenance", "points"});
  if (json.at("kind").string() != "kernel-model") json.at("kind").fail_expected("\"kernel-model\"");
  check_version(json.at("version"));
  KernelModel model;
  model.name = json.at("name").string();
  if (auto text = json.find("description")) model.description = text->string();
  model.net = json.at("net").string();
  model.device = json.at("device").string();
  if (auto section = json.find("parameters")) {
    for (const auto& [name, value] : section->members()) {
      model.parameters[name] = {value.integer(-kMaxCount, kMaxCount)};
    }
  }
  model.problem = read_problem(json.at("problem"));
  if (auto section = json.find("provenance"); section && !section->is_null()) {
    if (!section->is_object()) section->fail_expected("an object");
    if (auto missing = section->find("missing")) {
      for (const JsonReader& column : missing->items()) column.string();
    }
    if (auto device = section->find("profiled_on")) device->string();
    if (auto us = section->find("profiled_us");
        us && !(us->number() > 0 && us->number() <= kMostTime))
      us->fail_expected("a time over 0 us and up to 1e12 us");
    if (auto count = section->find("stands_for");
        count && !(count->number() >= 1 && count->number() <= static_cast<double>(kMaxRepeat)))
      count->fail_expected("a number of launches, 1 to 10^9");
    model.provenance = Json(section->value());
  }
  for (const JsonReader& row : json.at("points").items()) {
    model.points.push_back(read_point(row, model));
  }
  if (model.points.empty()) json.at("points").fail("a model has at least one recorded point");
  if (model.provenance.is_object() && model.provenance.contains("stands_for") &&
      !is_one_launch(model))
    json.at("provenance").at("stands_for").fail_expected("none: this model has several launches");
  return model;
}

std::optional<double> stands_for(const KernelModel& model) {
  const auto count = model.provenance.find("stands_for");
  if (count == model.provenance.end()) return std::nullopt;
  return count->get<double>();
}

KernelModel load_kernel_model(const std::string& path) {
  const InputJson json = load_json(path);
  return read_kernel_model(JsonReader(json, path));
}

std::string kernel_model_text(const KernelModel& model) {
  Json head;
  head["$schema"] = "schema/kernel_model.schema.json";
  head["kind"] = "kernel-model";
  head["version"] = kFormatVersion;
  head["name"] = model.name;
  head["description"] = model.description;
  head["net"] = model.net;
  head["device"] = model.device;
  if (!model.parameters.empty()) {
    for (const auto& [name, values] : model.parameters) head["parameters"][name] = values.at(0);
  }
  head["problem"] = model.problem;
  head["provenance"] = model.provenance;
  std::string text = "{\n";
  for (const auto& [key, value] : head.items()) {
    text += " " + Json(key).dump() + ": " + value.dump() + ",\n";
  }
  text += " \"points\": [";
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    text += (p ? ",\n" : "\n") + std::string("  {\"problem\": ") +
            Json(model.points[p].problem).dump() + ", \"launches\": [";
    const std::vector<Launch>& launches = model.points[p].launches;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      text += (i ? ",\n   " : "\n   ") + launch_json(launches[i]).dump();
    }
    text += "]}";
  }
  return text + "\n ]\n}\n";
}

std::string unit_of_axis(const std::string& axis) {
  static const std::map<std::string, std::string> units{
      {"block", "threads"}, {"group", "threads"},  {"tile", "threads of an edge"},
      {"blocks", "blocks"}, {"grid", "blocks"},    {"width", "pixels"},
      {"height", "pixels"}, {"table", "words"},    {"words", "words"},
      {"rows", "rows"},     {"columns", "columns"}};
  const auto it = units.find(axis);
  return it == units.end() ? "" : it->second;
}

std::string head_of(const std::string& axis, const std::string& unit) {
  return unit.empty() || unit == "1" ? axis : axis + " (" + unit + ")";
}

std::string problem_text(const Problem& problem) {
  std::string text;
  for (const auto& [axis, value] : problem) {
    text += (text.empty() ? "" : " ") + axis + "=" + std::to_string(value);
  }
  return text;
}

std::string titled_model(const std::string& name, const std::string& blanks,
                         const Problem& problem) {
  return problem.empty() ? name : name + blanks + "(" + problem_text(problem) + ")";
}

}  // namespace pnsim
