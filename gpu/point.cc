#include "gpu/point.h"

#include <algorithm>

#include "gpu/catalogue.h"
#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim::gpu {
namespace {

using Values = std::map<std::string, std::int64_t>;

std::vector<std::string> axis_names(const Program& program) {
  std::vector<std::string> names;
  for (const ProgramAxis& axis : program.axes) names.push_back(axis.name);
  return names;
}

// "n, block and group"
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string values_text(const AxisValues& axes) {
  std::string text;
  for (const auto& [axis, value] : axes) {
    text += (text.empty() ? "" : " ") + axis + "=" + std::to_string(value);
  }
  return text;
}

void check_value(const Program& program, const ProgramAxis& axis, std::int64_t value) {
  if (axis.takes(value)) return;
  fail_usage(program.name + ": found " + axis.name + " = " + std::to_string(value) + ", expected " +
             axis.range_text());
}

void check_names(const Program& program, const AxisValues& given) {
  const std::vector<std::string> names = axis_names(program);
  const auto has = [&](const std::string& name) {
    return std::any_of(given.begin(), given.end(), [&](const auto& v) { return v.first == name; });
  };
  for (const std::string& name : names) {
    if (has(name)) continue;
    fail_usage(program.name + ": no axis \"" + name + "\" in \"" + values_text(given) +
               "\"; its axes are " + joined(names));
  }
  for (const auto& [axis, value] : given) {
    if (std::find(names.begin(), names.end(), axis) == names.end()) {
      fail_usage(program.name + " has no axis \"" + axis + "\"" + suggestion(axis, names) +
                 "; its axes are " + joined(names));
    }
  }
}

}  // namespace

Point make_point(const std::string& name, const Values& values, const Input& input) {
  const Program& program = find_program(name);
  check_names(program, AxisValues(values.begin(), values.end()));
  Point point{name, {}, input};
  for (const ProgramAxis& axis : program.axes) {
    check_value(program, axis, values.at(axis.name));
    point.axes.emplace_back(axis.name, values.at(axis.name));
  }
  return point;
}

Point default_point(const std::string& name, const Values& values, const Input& input) {
  Values all = values;
  for (const ProgramAxis& axis : find_program(name).axes) {
    all.emplace(axis.name, axis.default_value);  // adds the default unless the axis is given
  }
  return make_point(name, all, input);
}

void check_point(const Point& point) {
  const Program& program = find_program(point.program);
  check_names(program, point.axes);
  const Point ordered = make_point(point.program, Values(point.axes.begin(), point.axes.end()));
  if (ordered.axes != point.axes) {
    fail_usage(point.program + ": axes in another order or given twice: \"" +
               values_text(point.axes) + "\"");
  }
}

std::string describe(const Point& point) {
  return point.program + " " + values_text(point.axes) + " " +
         distribution_name(point.input.distribution) + " seed=" + std::to_string(point.input.seed);
}

}  // namespace pnsim::gpu
