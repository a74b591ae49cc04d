#include "simulator/model/template/net_template.h"

#include <algorithm>
#include <set>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/model/template/delay_macro.h"
#include "simulator/model/template/reasons_reader.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxValue = std::int64_t{1} << 62;

class TemplateReader {
 public:
  explicit TemplateReader(const JsonReader& json) : json_(json) {}

  NetTemplate read() {
    json_.only({"kind", "version", "name", "description", "parameters", "scopes", "places",
                "transitions", "delays", "until", "step", "observables", "reasons"});
    if (json_.at("kind").string() != "net-template")
      json_.at("kind").fail_expected("\"net-template\"");
    json_.at("version").integer(1, 1);
    out_.name = json_.at("name").string();
    out_.file = json_.file();
    if (auto text = json_.find("description")) out_.description = text->string();
    read_parameters();
    read_scopes();
    for (const JsonReader& row : json_.at("places").items()) read_place(row);
    delays_ = json_.find("delays") ? json_.at("delays").items() : std::vector<JsonReader>{};
    for (const JsonReader& row : delays_) read_delay_places(row);
    for (const JsonReader& row : json_.at("transitions").items()) read_transition(row);
    for (const JsonReader& row : delays_) read_delay_transitions(row);
    if (out_.transitions.empty()) json_.at("transitions").fail("the net has no transitions");
    read_until();
    if (auto step = json_.find("step")) {
      if (step->string() != "cycle") step->fail_expected("\"cycle\"");
      out_.step_is_cycle = true;
    }
    read_observables();
    if (auto reasons = json_.find("reasons")) out_.reasons = read_reasons(*reasons, out_, symbols_);
    return std::move(out_);
  }

 private:
  void read_parameters() {
    const auto section = json_.find("parameters");
    if (!section) return;
    for (const JsonReader& row : section->items()) {
      row.only({"name", "default", "min", "max", "unit", "meaning", "source", "scope", "device"});
      ParameterSpec p;
      p.name = new_name(row.at("name"));
      p.min = row.find("min") ? row.at("min").integer(-kMaxValue, kMaxValue) : 0;
      p.max = row.find("max") ? row.at("max").integer(p.min, kMaxValue) : kMaxValue;
      p.default_value = row.at("default").integer(p.min, p.max);
      const auto text = [&](const char* key) {
        return row.find(key) ? row.at(key).string() : std::string();
      };
      p.unit = text("unit");
      p.meaning = text("meaning");
      p.source = text("source");
      p.scope = text("scope");
      p.device = text("device");
      symbols_.push_back(p.name);
      out_.parameters.push_back(std::move(p));
    }
  }

  void read_scopes() {
    out_.scopes.push_back({"sm", -1, Expression::constant(1)});
    const auto section = json_.find("scopes");
    const auto rows = section ? section->items() : std::vector<JsonReader>{};
    // The indices of scopes are symbols as well. A count may not use indices that are unknown when
    // it is evaluated.
    for (const JsonReader& row : rows) {
      row.only({"name", "in", "count"});
      ScopeSpec scope;
      scope.name = new_name(row.at("name"));
      scope.parent = row.find("in") ? scope_of(row.at("in")) : 0;
      scope.count = expression(row.at("count"));
      out_.scopes.push_back(std::move(scope));
    }
    for (std::size_t i = 1; i < out_.scopes.size(); ++i) symbols_.push_back(out_.scopes[i].name);
    if (!json_.find("parameters")) return;
    for (const JsonReader& row : json_.at("parameters").items()) {
      if (auto scope = row.find("scope")) scope_of(*scope);
    }
  }

  void read_place(const JsonReader& row) {
    row.only({"name", "scope", "tokens", "meaning"});
    PlaceSpec place;
    place.name = new_name(row.at("name"));
    place.scope = row.find("scope") ? scope_of(row.at("scope")) : 0;
    place.tokens = row.find("tokens") ? expression(row.at("tokens")) : Expression::constant(0);
    if (auto text = row.find("meaning")) place.meaning = text->string();
    place.where = row.where();
    out_.places.push_back(std::move(place));
  }

  void read_transition(const JsonReader& row) {
    row.only({"name", "scope", "takes", "gives", "inhibited_by", "meaning"});
    TransitionSpec t;
    t.name = new_name(row.at("name"));
    t.scope = row.find("scope") ? scope_of(row.at("scope")) : 0;
    if (auto text = row.find("meaning")) t.meaning = text->string();
    if (auto arcs = row.find("takes")) t.takes = read_arcs(*arcs, t.scope, false);
    if (auto arcs = row.find("gives")) t.gives = read_arcs(*arcs, t.scope, false);
    if (auto arcs = row.find("inhibited_by")) t.inhibited_by = read_arcs(*arcs, t.scope, true);
    out_.transitions.push_back(std::move(t));
  }

  void read_delay_places(const JsonReader& row) {
    check_name(row.at("name"));
    expression(row.at("steps"));  // reports an error in the expression at its own place in the file
    for (const DelayPlace& place : delay_places(row)) {
      check_new(place.name, row);
      out_.places.push_back({place.name, scope_of(row.at("scope")), Expression::constant(0),
                             place.meaning, row.where()});
    }
  }

  void read_delay_transitions(const JsonReader& row) {
    const int scope = scope_of(row.at("scope"));
    const auto arc = [&](const DelayArc& a) { return make_arc(a.place, a.weight, scope, row); };
    for (const DelayTransition& d : delay_transitions(row)) {
      check_new(d.name, row);
      TransitionSpec t;
      t.name = d.name;
      t.scope = scope;
      t.meaning = d.meaning;
      for (const DelayArc& a : d.takes) t.takes.push_back(arc(a));
      for (const DelayArc& a : d.gives) t.gives.push_back(arc(a));
      if (auto more = row.find("takes"); more && d.is_start) {
        for (ArcSpec& a : read_arcs(*more, scope, false)) t.takes.push_back(std::move(a));
      }
      if (auto more = row.find("gives"); more && d.is_end) {
        for (ArcSpec& a : read_arcs(*more, scope, false)) t.gives.push_back(std::move(a));
      }
      out_.transitions.push_back(std::move(t));
    }
  }

  // Reads {"p0": 1, "p12": "l1 + 1"}, or, for weight 1 and for inhibitors, ["p0", "p2"].
  std::vector<ArcSpec> read_arcs(const JsonReader& json, int scope, bool inhibitors) {
    std::vector<ArcSpec> arcs;
    if (json.is_array()) {
      for (const JsonReader& item : json.items()) {
        arcs.push_back(make_arc(item.string(), Expression::constant(1), scope, item, inhibitors));
      }
      return arcs;
    }
    if (inhibitors) json.fail_expected("an array of place names");
    if (!json.is_object()) json.fail_expected("an array of place names or an object of weights");
    for (const auto& [place, weight] : json.members()) {
      arcs.push_back(make_arc(place, weight_expression(weight), scope, weight, false));
    }
    return arcs;
  }

  Expression weight_expression(const JsonReader& json) const {
    Expression weight = expression(json);
    if (weight.is_literal_zero()) json.fail("found an arc weight of 0, expected 1 to 2^62");
    return weight;
  }

  ArcSpec make_arc(const std::string& place, const std::string& weight, int scope,
                   const JsonReader& row) {
    return make_arc(place, Expression::parse(weight, symbols_, row.where()), scope, row, false);
  }

  // `reference` is PLACE or PLACE[EXPRESSION].
  ArcSpec make_arc(const std::string& reference, Expression weight, int scope,
                   const JsonReader& row, bool inhibitor) {
    ArcSpec arc;
    arc.where = row.where();
    arc.weight = std::move(weight);
    const std::size_t bracket = reference.find('[');
    const std::string name = reference.substr(0, bracket);
    arc.place = find_place(name, row);
    if (bracket != std::string::npos) {
      if (!reference.ends_with("]")) row.fail("\"" + reference + "\": expected a closing \"]\"");
      const std::string index = reference.substr(bracket + 1, reference.size() - bracket - 2);
      arc.index = Expression::parse(index, symbols_, row.where());
    }
    check_reach(arc, scope, inhibitor, row);
    return arc;
  }

  // Checks that the arc's scope can name the place: see ArcSpec and TransitionSpec::inhibited_by.
  void check_reach(const ArcSpec& arc, int scope, bool inhibitor, const JsonReader& row) const {
    const int target = out_.places[static_cast<std::size_t>(arc.place)].scope;
    if (arc.index) {
      if (target != 0 && encloses(out_.scopes[static_cast<std::size_t>(target)].parent, scope))
        return;
    } else if (encloses(target, scope) || (inhibitor && encloses(scope, target))) {
      return;
    }
    row.fail("place \"" + out_.places[static_cast<std::size_t>(arc.place)].name + "\" of scope \"" +
             out_.scopes[static_cast<std::size_t>(target)].name +
             "\" cannot be reached from scope \"" +
             out_.scopes[static_cast<std::size_t>(scope)].name + "\"" +
             (arc.index ? " with an index" : " without an index"));
  }

  bool encloses(int outer, int inner) const {
    for (int s = inner; s >= 0; s = out_.scopes[static_cast<std::size_t>(s)].parent) {
      if (s == outer) return true;
    }
    return false;
  }

  void read_until() {
    const auto section = json_.find("until");
    if (!section) return;
    for (const JsonReader& item : section->items()) {
      const std::string text = item.string();
      if (!text.ends_with("=0")) item.fail_expected("\"PLACE=0\"");
      find_place(text.substr(0, text.size() - 2), item);
      out_.until.push_back(text);
    }
  }

  void read_observables() {
    const auto section = json_.find("observables");
    if (!section) return;
    section->only({"waiting_steps", "idle_scheduler_steps", "warp_states"});
    if (auto waiting = section->find("waiting_steps")) {
      waiting->only({"firings"});
      for (const JsonReader& item : waiting->at("firings").items()) {
        check_transition(item);
        out_.waiting.push_back(item.string());
      }
    }
    if (auto idle = section->find("idle_scheduler_steps")) {
      idle->only({"pool"});
      const int place = find_place(idle->at("pool").string(), idle->at("pool"));
      if (out_.places[static_cast<std::size_t>(place)].scope != 0) {
        idle->at("pool").fail("the pool must be a place of scope \"sm\"");
      }
      out_.scheduler_pool = idle->at("pool").string();
    }
    if (auto states = section->find("warp_states")) read_warp_states(*states);
  }

  void read_warp_states(const JsonReader& json) {
    json.only({"states", "alive", "holds_scheduler"});
    WarpStatesSpec& out = out_.warp_states;
    std::set<std::string> names{"idle"};
    for (const JsonReader& row : json.at("states").items()) {
      row.only({"name", "places"});
      WarpStateSpec state{row.at("name").string(), read_unit_places(row.at("places"))};
      if (!names.insert(state.name).second) {
        row.at("name").fail("the state \"" + state.name +
                            "\" appears twice (\"idle\" is the default state)");
      }
      out.states.push_back(std::move(state));
    }
    if (out.states.empty()) json.at("states").fail("expected at least one state");
    if (auto place = json.find("alive")) out.alive = unit_place(*place);
    if (auto places = json.find("holds_scheduler")) {
      out.holds_scheduler = read_unit_places(*places);
      if (out_.scheduler_pool.empty()) {
        places->fail(
            "found scheduler places without a pool; add idle_scheduler_steps with its \"pool\"");
      }
    }
  }

  std::vector<std::string> read_unit_places(const JsonReader& json) {
    std::vector<std::string> places;
    for (const JsonReader& item : json.items()) places.push_back(unit_place(item));
    if (places.empty()) json.fail("expected at least one place");
    return places;
  }

  // All places must be of one scope, which the first one determines.
  std::string unit_place(const JsonReader& item) {
    const int place = find_place(item.string(), item);
    const int scope = out_.places[static_cast<std::size_t>(place)].scope;
    int& expected = out_.warp_states.scope;
    if (expected == 0) expected = scope;
    if (scope == 0 || scope != expected) {
      item.fail("the places of warp states must be of one scope other than \"sm\"");
    }
    return item.string();
  }

  void check_transition(const JsonReader& item) const {
    std::vector<std::string> known;
    for (const TransitionSpec& t : out_.transitions) known.push_back(t.name);
    if (std::find(known.begin(), known.end(), item.string()) == known.end()) {
      item.fail("undefined transition \"" + item.string() + "\"" +
                suggestion(item.string(), known));
    }
  }

  int find_place(const std::string& name, const JsonReader& row) const {
    for (std::size_t i = 0; i < out_.places.size(); ++i) {
      if (out_.places[i].name == name) return static_cast<int>(i);
    }
    std::vector<std::string> known;
    for (const PlaceSpec& place : out_.places) known.push_back(place.name);
    row.fail("undefined place \"" + name + "\"" + suggestion(name, known));
  }

  int find_scope(const std::string& name) const {
    for (std::size_t i = 0; i < out_.scopes.size(); ++i) {
      if (out_.scopes[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }

  std::vector<std::string> scope_names() const {
    std::vector<std::string> names;
    for (const ScopeSpec& scope : out_.scopes) names.push_back(scope.name);
    return names;
  }

  int scope_of(const JsonReader& json) const {
    const int found = find_scope(json.string());
    if (found >= 0) return found;
    json.fail("unknown scope \"" + json.string() + "\"" + suggestion(json.string(), scope_names()));
  }

  Expression expression(const JsonReader& json) const {
    if (json.is_string()) return Expression::parse(json.string(), symbols_, json.where());
    return Expression::constant(json.integer(0, kMaxValue));
  }

  std::string new_name(const JsonReader& json) {
    check_name(json);
    check_new(json.string(), json);
    return json.string();
  }

  void check_name(const JsonReader& json) const {
    const std::string name = json.string();
    if (name.empty() ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_") != std::string::npos ||
        (name[0] >= '0' && name[0] <= '9')) {
      json.fail_expected("a name of letters, digits and _, not starting with a digit");
    }
  }

  void check_new(const std::string& name, const JsonReader& json) {
    if (!names_.insert(name).second) json.fail("the name \"" + name + "\" appears twice");
  }

  const JsonReader& json_;
  NetTemplate out_;
  std::vector<std::string> symbols_;  // names in expressions: parameters, then scopes
  std::set<std::string> names_;
  std::vector<JsonReader> delays_;
};

}  // namespace

NetTemplate read_net_template(const JsonReader& json) { return TemplateReader(json).read(); }

namespace {

// The shipped ones have some kilobytes; expressions take eight times their text in memory.
constexpr std::size_t kMaxTemplateBytes = 16'000'000;

}  // namespace

NetTemplate load_net_template(const std::string& path) {
  const std::string text = read_file(path);
  if (text.size() > kMaxTemplateBytes) {
    fail_limit(path + ": found " + std::to_string(text.size()) +
               " bytes, a net template has at most " + std::to_string(kMaxTemplateBytes));
  }
  const InputJson json = parse_json(text, path);
  return read_net_template(JsonReader(json, path));
}

}  // namespace pnsim
