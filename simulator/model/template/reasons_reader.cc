#include "simulator/model/template/reasons_reader.h"

#include <algorithm>

#include "simulator/base/nearest.h"
#include "simulator/net/net.h"

namespace pnsim {
namespace {

template <class Rows>
int position_of(const Rows& rows, const JsonReader& json, const char* what) {
  std::vector<std::string> known;
  for (const auto& row : rows) known.push_back(row.name);
  const auto it = std::find(known.begin(), known.end(), json.string());
  if (it != known.end()) return static_cast<int>(it - known.begin());
  json.fail(std::string("undefined ") + what + " \"" + json.string() + "\"" +
            suggestion(json.string(), known));
}

class ReasonsReader {
 public:
  ReasonsReader(const NetTemplate& net_template, const std::vector<std::string>& symbols)
      : template_(net_template), symbols_(symbols) {}

  ReasonsSpec read(const JsonReader& json) const {
    json.only({"schedulers", "warps", "units"});
    ReasonsSpec out;
    const JsonReader schedulers = json.at("schedulers"), warps = json.at("warps");
    schedulers.only({"scope", "states", "rest", "shared_out"});
    warps.only({"scope", "states"});
    out.schedulers = read_unit(schedulers, "schedulers");
    out.schedulers->rest = schedulers.at("rest").string();
    out.shared_out = schedulers.at("shared_out").string();
    position_of(out.schedulers->states, schedulers.at("shared_out"), "state");
    out.warps = read_unit(warps, "warps");
    for (const JsonReader& row : json.at("units").items()) out.units.push_back(read_busy(row));
    return out;
  }

 private:
  UnitSpec read_unit(const JsonReader& json, const std::string& name) const {
    UnitSpec unit;
    unit.name = name;
    unit.scope = position_of(template_.scopes, json.at("scope"), "scope");
    for (const JsonReader& row : json.at("states").items()) {
      row.only({"name", "places", "while", "takes", "steps", "when", "unit", "stalls", "detail"});
      StateSpec state = read_state(row);
      state.name = row.at("name").string();
      unit.states.push_back(std::move(state));
    }
    return unit;
  }

  UnitSpec read_busy(const JsonReader& row) const {
    row.only({"name", "scope", "places", "takes", "detail"});
    UnitSpec unit;
    unit.name = row.at("name").string();
    if (auto scope = row.find("scope")) unit.scope = position_of(template_.scopes, *scope, "scope");
    unit.states.push_back(read_state(row));
    unit.states.back().name = "busy";
    unit.rest = "free";
    return unit;
  }

  StateSpec read_state(const JsonReader& row) const {
    StateSpec out;
    out.where = row.where();
    const auto expression = [&](const char* key, int otherwise) {
      const auto json = row.find(key);
      if (!json) return Expression::constant(otherwise);
      return json->is_string() ? Expression::parse(json->string(), symbols_, json->where())
                               : Expression::constant(json->integer(0, kMaxTokens));
    };
    out.steps = expression("steps", 1);
    out.when = expression("when", 1);
    if (row.find("unit")) out.unit = expression("unit", 0);
    if (auto stalls = row.find("stalls")) out.stalls = stalls->boolean();
    if (auto detail = row.find("detail")) out.detail = read_detail(*detail);
    out.places = read_places(row, "places");
    out.while_places = read_places(row, "while");
    out.takes = read_places(row, "takes");
    if (out.places.empty() && out.takes.empty()) row.fail("expected places or takes");
    return out;
  }

  static std::string read_detail(const JsonReader& json) {
    const std::vector<std::string> known{"instructions", "latency", "bandwidth"};
    const std::string& name = json.string();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      json.fail("unknown detail \"" + name + "\"" + suggestion(name, known));
    }
    return name;
  }

  std::vector<int> read_places(const JsonReader& row, const char* key) const {
    std::vector<int> out;
    const auto list = row.find(key);
    if (!list) return out;
    for (const JsonReader& item : list->items()) {
      out.push_back(position_of(template_.places, item, "place"));
    }
    return out;
  }

  const NetTemplate& template_;
  const std::vector<std::string>& symbols_;
};

}  // namespace

ReasonsSpec read_reasons(const JsonReader& json, const NetTemplate& net_template,
                         const std::vector<std::string>& symbols) {
  return ReasonsReader(net_template, symbols).read(json);
}

}  // namespace pnsim
