// Nets: PNML, JSON and templates.
#include "simulator/base/data_files.h"
#include "simulator/model/template/instances.h"
#include "simulator/model/template/instantiate.h"
#include "simulator/net/net_json.h"
#include "simulator/net/pnml_reader.h"
#include "tests/fuzz/net_checks.h"
#include "tests/fuzz/target.h"

namespace pnsim::fuzz {
namespace {

constexpr std::uint64_t kSteps = 200;

// The number of nodes of the net with the template's defaults.
double nodes_of(const NetTemplate& net_template) {
  const TemplateInstances instances(net_template, {});
  double nodes = 0;
  for (const PlaceSpec& place : net_template.places)
    nodes += static_cast<double>(instances.count(place.scope));
  for (const TransitionSpec& transition : net_template.transitions)
    nodes += static_cast<double>(instances.count(transition.scope));
  return nodes;
}

}  // namespace

void run_pnml(std::string_view input) {
  std::optional<PnmlNet> read;
  if (!accepts([&] { read = read_pnml(input, "in.pnml"); })) return;
  check_round_trips(read->net);
  check_engines(read->net, kSteps);
}

void run_net(std::string_view input) {
  std::optional<Net> net;
  const bool read = accepts([&] {
    const InputJson json = parse_net_json(input, "in.json");
    net = read_net_json(JsonReader(json, "in.json"));
  });
  if (!read) return;
  check_round_trips(*net);
  check_engines(*net, kSteps);
}

void run_template(std::string_view input) {
  constexpr double kMostNodes = 4000;
  std::optional<Net> net, small;
  const bool read = accepts([&] {
    const InputJson json = parse_json(input, "in.json");
    const NetTemplate net_template = read_net_template(JsonReader(json, "in.json"));
    if (nodes_of(net_template) > kMostNodes) return;
    net = instantiate(net_template);
    small = instantiate(net_template, {}, Part::kNotDead);
  });
  if (!read || !net) return;
  check_round_trips(*net);
  check_engines(*net, kSteps);
  check_engines(*small, kSteps);
}

std::vector<std::string> pnml_seeds() {
  std::vector<std::string> out;
  for (const std::string folder : {"tests/data/pnml", "tests/data/vectors"}) {
    for (const std::string extension : {".pnml", ".xml"}) {
      for (const std::string& file : tree_files(folder, extension)) {
        if (std::string text = tree_file(file); text.size() < 20'000) out.push_back(text);
      }
    }
  }
  out.push_back(tree_file("tests/data/golden/everything.pnml"));
  return out;
}

std::vector<std::string> net_seeds() {
  std::vector<std::string> out;
  for (const std::string& pnml : pnml_seeds()) {
    accepts([&] { out.push_back(write_net_json(read_pnml(pnml, "seed.pnml").net)); });
  }
  return out;
}

// The shipped templates, with two warps where the number is a parameter.
std::vector<std::string> template_seeds() {
  std::vector<std::string> out;
  for (const std::string& file : tree_files("models/nets", ".json")) {
    InputJson json = parse_json(tree_file(file), file);
    for (auto& parameter : json["parameters"]) {
      if (parameter["name"] == "W") parameter["default"] = 2;
    }
    out.push_back(json.dump());
  }
  return out;
}

}  // namespace pnsim::fuzz
