#include "web/engine/games.h"

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/net/net_json.h"
#include "simulator/net/pnml_reader.h"
#include "web/engine/paper_request.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxStepsOfCall = 100'000;
constexpr const char* kTextName = "net";  // what errors call the text

ParameterValues parameters_of(const JsonReader& request) {
  ParameterValues values;
  const auto given = request.find("parameters");
  if (!given) return values;
  for (const auto& [name, value] : given->members()) {
    if (value.is_array()) {
      for (const JsonReader& item : value.items()) values[name].push_back(paper_number(item));
    } else {
      values[name] = {paper_number(value)};
    }
  }
  return values;
}

void check_text(const std::string& text) {
  if (text.size() > kMaxFileBytes) fail_input(kTextName, "found more than 256 MB");
}

Net net_of(const JsonReader& request) {
  const std::string format = request.at("format").string();
  const std::string text = request.at("text").string();
  check_text(text);
  if (format != "template" && request.find("parameters")) {
    request.at("parameters").fail("found parameters, expected none: only a template has them");
  }
  if (format == "pnml") return read_pnml(text, kTextName).net;
  if (format == "json") {
    const InputJson json = parse_net_json(text, kTextName);
    return read_net_json(JsonReader(json, kTextName));
  }
  if (format == "template") {
    const InputJson json = parse_json(text, kTextName);
    return instantiate(read_net_template(JsonReader(json, kTextName)), parameters_of(request));
  }
  request.at("format").fail(
      "found \"" + format + "\"" +
      suggestion(format, std::vector<std::string>{"json", "pnml", "template"}));
}

Json arcs_json(std::span<const Arc> arcs) {
  Json out = Json::array();
  for (const Arc& arc : arcs) out.push_back({arc.place.value, arc.weight});
  return out;
}

template <class Ids>
Json ids_json(const Ids& ids) {
  Json out = Json::array();
  for (const auto id : ids) out.push_back(id.value);
  return out;
}

Json description(const Net& net) {
  Json out;
  out["name"] = net.name();
  out["places"] = out["transitions"] = Json::array();
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    out["places"].push_back({{"name", net.name_of(PlaceId{p})},
                             {"group", std::string(net.group_of(PlaceId{p}))},
                             {"initial", net.initial_marking()[p]}});
  }
  for (std::uint32_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t{i};
    out["transitions"].push_back({{"name", net.name_of(t)},
                                  {"group", std::string(net.group_of(t))},
                                  {"inputs", arcs_json(net.inputs(t))},
                                  {"outputs", arcs_json(net.outputs(t))},
                                  {"inhibitors", ids_json(net.inhibitors(t))}});
  }
  out["until"] = goal_texts(net);
  return out;
}

Json state_json(TokenGame& game, const std::vector<std::vector<TransitionId>>& fired) {
  Json out;
  out["step"] = game.steps();
  out["marking"] = game.marking();
  out["fired"] = Json::array();
  for (const auto& of_step : fired) out["fired"].push_back(ids_json(of_step));
  out["contested"] = Json::array();
  for (const Contest& contest : game.last_contests()) {
    out["contested"].push_back({{"place", contest.place.value},
                                {"competed", ids_json(contest.competed)},
                                {"won", ids_json(contest.won)},
                                {"lost", ids_json(contest.lost)}});
  }
  out["enabled"] = ids_json(game.enabled());
  const std::optional<Outcome> outcome = game.outcome();
  out["outcome"] = outcome ? std::string(outcome_name(*outcome)) : "running";
  return out;
}

}  // namespace

TokenGame& Games::game_of(const JsonReader& request) {
  const std::int64_t number = request.at("game").integer(1, kMaxTokens);
  const auto found = games_.find(number);
  if (found == games_.end()) {
    fail_usage("game " + std::to_string(number) + " is not open; open a net first");
  }
  return *found->second;
}

Json Games::open(const JsonReader& request) {
  request.only({"text", "format", "parameters"});
  Net net = net_of(request);
  const std::size_t nodes = net.place_count() + net.transition_count();
  if (nodes > kMaxShownNodes) {
    fail_limit("net " + net.name() + " has " + std::to_string(net.place_count()) + " places and " +
               std::to_string(net.transition_count()) +
               " transitions; the token game shows at most " + std::to_string(kMaxShownNodes) +
               " of both. `run` simulates the net");
  }
  Json out;
  out["game"] = next_;
  const Json described = description(net);
  for (const auto& [key, value] : described.items()) out[key] = value;
  games_[next_++] = std::make_unique<TokenGame>(std::move(net));
  return out;
}

Json Games::step(const JsonReader& request) {
  request.only({"game", "seed", "steps"});
  TokenGame& game = game_of(request);
  const auto steps = static_cast<std::uint64_t>(request.at("steps").integer(0, kMaxStepsOfCall));
  const auto fired = game.step(seed_of(request), steps);
  return state_json(game, fired);
}

Json Games::back(const JsonReader& request) {
  request.only({"game", "steps"});
  TokenGame& game = game_of(request);
  game.back(static_cast<std::uint64_t>(request.at("steps").integer(0, kMaxTokens)));
  return state_json(game, {});
}

Json Games::close(const JsonReader& request) {
  request.only({"game"});
  game_of(request);
  games_.erase(request.at("game").integer(1, kMaxTokens));
  return Json::object();
}

}  // namespace pnsim
