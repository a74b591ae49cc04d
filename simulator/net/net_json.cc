#include "simulator/net/net_json.h"

#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/net/net_builder.h"
#include "simulator/net/net_name.h"

namespace pnsim {
namespace {

class Reader {
 public:
  explicit Reader(const JsonReader& file) : file_(file), builder_(checked_name(file.at("name"))) {}

  Net read() {
    for (const JsonReader& place : file_.at("places").items()) add_place(place);
    for (const JsonReader& transition : file_.at("transitions").items()) {
      add_transition(transition);
    }
    if (const auto observables = file_.find("observables")) read_observables(*observables);
    builder_.set_origin(file_.file());
    const Net net = builder_.build();
    const auto until = file_.find("until");
    return until ? net.with_goal(goal(net, *until)) : net;
  }

 private:
  static std::string checked_name(const JsonReader& name) {
    const std::string text = name.string();
    if (const char* fault = name_fault(text)) name.fail(fault);
    return text;
  }

  // Reads the name of a node. The builder then refuses a repeated name at this place of the file.
  std::string new_name(const JsonReader& node) {
    builder_.set_origin(node.where());
    return checked_name(node.at("name"));
  }

  void add_place(const JsonReader& place) {
    place.only({"name", "tokens"});
    const auto tokens = place.find("tokens");
    builder_.add_place(new_name(place), tokens ? tokens->integer(0, kMaxTokens) : 0);
  }

  void add_transition(const JsonReader& transition) {
    transition.only({"name", "takes", "gives", "inhibited_by"});
    const std::string name = new_name(transition);
    const TransitionId t = builder_.add_transition(name);
    transitions_.emplace(name, t);
    for (const auto& [place, weight] : arcs_of(transition, "takes")) {
      builder_.add_input(t, find_place(weight, place), weight.integer(1, kMaxTokens));
    }
    for (const auto& [place, weight] : arcs_of(transition, "gives")) {
      builder_.add_output(t, find_place(weight, place), weight.integer(1, kMaxTokens));
    }
    const auto inhibitors = transition.find("inhibited_by");
    if (!inhibitors) return;
    std::set<PlaceId> seen;
    for (const JsonReader& place : inhibitors->items()) {
      const PlaceId p = find_place(place, place.string());
      if (!seen.insert(p).second) place.fail("the place appears twice");
      builder_.add_inhibitor(t, p);
    }
  }

  static std::vector<std::pair<std::string, JsonReader>> arcs_of(const JsonReader& transition,
                                                                 const char* key) {
    const auto arcs = transition.find(key);
    return arcs ? arcs->members() : std::vector<std::pair<std::string, JsonReader>>{};
  }

  PlaceId find_place(const JsonReader& at, const std::string& name) const {
    if (const auto found = builder_.find_place(name)) return *found;
    at.fail("no place \"" + name + "\"" + suggestion(name, names_in("places")));
  }

  TransitionId find_transition(const JsonReader& at) const {
    const std::string name = at.string();
    const auto found = transitions_.find(name);
    if (found != transitions_.end()) return found->second;
    at.fail("no transition \"" + name + "\"" + suggestion(name, names_in("transitions")));
  }

  std::vector<std::string> names_in(const char* key) const {
    std::vector<std::string> names;
    for (const JsonReader& node : file_.at(key).items()) names.push_back(node.at("name").string());
    return names;
  }

  void read_observables(const JsonReader& observables) {
    observables.only({"waiting_steps", "idle_scheduler_steps"});
    Observables out;
    if (const auto waiting = observables.find("waiting_steps")) {
      for (const JsonReader& t : waiting->only({"firings"}).at("firings").items()) {
        out.waiting.push_back(find_transition(t));
      }
      if (out.waiting.empty()) waiting->at("firings").fail("found no transition, expected one");
    }
    if (const auto idle = observables.find("idle_scheduler_steps")) {
      const JsonReader pool = idle->only({"pool"}).at("pool");
      out.scheduler_pool = find_place(pool, pool.string());
    }
    builder_.set_observables(std::move(out));
  }

  // Conditions as on the command line: "p1=0" means every instance of p1.
  static Goal goal(const Net& net, const JsonReader& until) {
    std::vector<std::string> conditions;
    for (const JsonReader& item : until.items()) {
      conditions.push_back(item.string());
      try {
        parse_goal(net, std::span(&conditions.back(), 1));
      } catch (const Error& error) {
        item.fail(error.what());
      }
    }
    return parse_goal(net, conditions);
  }

  const JsonReader& file_;
  NetBuilder builder_;
  std::unordered_map<std::string, TransitionId> transitions_;
};

template <class Id>
Json names_of(const Net& net, std::span<const Id> ids) {
  Json names = Json::array();
  for (const Id id : ids) names.push_back(net.name_of(id));
  return names;
}

Json arcs_json(const Net& net, std::span<const Arc> arcs) {
  Json out = Json::object();
  for (const Arc& arc : arcs) out[net.name_of(arc.place)] = arc.weight;
  return out;
}

Json place_json(const Net& net, PlaceId p) {
  Json out{{"name", net.name_of(p)}};
  if (const Tokens tokens = net.initial_marking()[p.value]) out["tokens"] = tokens;
  return out;
}

Json transition_json(const Net& net, TransitionId t) {
  Json out{{"name", net.name_of(t)}};
  if (!net.inputs(t).empty()) out["takes"] = arcs_json(net, net.inputs(t));
  if (!net.outputs(t).empty()) out["gives"] = arcs_json(net, net.outputs(t));
  if (!net.inhibitors(t).empty()) out["inhibited_by"] = names_of(net, net.inhibitors(t));
  return out;
}

Json goal_json(const Net& net) {
  Json out = Json::array();
  for (const std::string& condition : goal_texts(net)) out.push_back(condition);
  return out;
}

Json observables_json(const Net& net) {
  const Observables& observables = net.observables();
  Json out = Json::object();
  if (!observables.waiting.empty()) {
    out["waiting_steps"]["firings"] =
        names_of(net, std::span<const TransitionId>(observables.waiting));
  }
  if (observables.scheduler_pool) {
    out["idle_scheduler_steps"]["pool"] = net.name_of(*observables.scheduler_pool);
  }
  return out;
}

// Formats a list with one item per line.
template <class Id, class ToJson>
std::string list(const Net& net, std::size_t count, ToJson to_json) {
  std::string out = "[";
  for (std::uint32_t i = 0; i < count; ++i) {
    out += (i == 0 ? "\n    " : ",\n    ") + to_line(to_json(net, Id{i}));
  }
  return out + (count == 0 ? "]" : "\n  ]");
}

}  // namespace

Net read_net_json(const JsonReader& file) {
  const std::string kind = file.at("kind").string();
  if (kind != "net") file.at("kind").fail("found \"" + kind + "\", expected \"net\"");
  file.only({"kind", "name", "places", "transitions", "until", "observables"});
  return Reader(file).read();
}

std::string write_net_json(const Net& net) {
  std::string out = "{\n  \"kind\": \"net\",\n  \"name\": " + to_line(net.name());
  out += ",\n  \"places\": " + list<PlaceId>(net, net.place_count(), place_json);
  out +=
      ",\n  \"transitions\": " + list<TransitionId>(net, net.transition_count(), transition_json);
  if (net.has_goal()) out += ",\n  \"until\": " + to_line(goal_json(net));
  const Json observables = observables_json(net);
  if (!observables.empty()) out += ",\n  \"observables\": " + to_line(observables);
  return out + "\n}\n";
}

}  // namespace pnsim
