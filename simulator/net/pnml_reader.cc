#include "simulator/net/pnml_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "simulator/base/json.h"
#include "simulator/base/nearest.h"
#include "simulator/net/net_builder.h"
#include "simulator/net/net_name.h"
#include "simulator/net/pnml_arc.h"
#include "simulator/net/pnml_node.h"
#include "simulator/net/pnml_xml.h"

namespace pnsim {
namespace {

using pnml::Document;
using pnml::label_text;
using pnml::local_name;

// A node of the document, or a reference to a node.
struct Node {
  enum class Kind { kPlace, kTransition };
  Kind kind;
  std::optional<std::uint32_t> index;  // PlaceId or TransitionId; a reference has one once resolved
  pugi::xml_node element;
};

const char* kind_name(Node::Kind kind) {
  return kind == Node::Kind::kPlace ? "place" : "transition";
}

class Reader {
 public:
  Reader(const Document& document, pugi::xml_node net);
  PnmlNet read();

 private:
  struct Level {
    pugi::xml_node next;    // the element to visit next
    bool inside_inhibitor;  // SNAKES: <inhibitor> around arcs
  };

  void walk();
  void visit(pugi::xml_node element, bool inside_inhibitor);
  void open(pugi::xml_node element, bool inside_inhibitor);
  void add_node(Node node);
  void add_place(pugi::xml_node element);
  void add_transition(pugi::xml_node element);
  void add_arc(const pnml::RawArc& arc);
  const Node& node_named(pugi::xml_node at, const char* attribute) const;
  void resolve(std::size_t reference);
  std::size_t find_node(pugi::xml_node at, std::string_view id) const;
  void read_own_data();
  std::uint32_t own_node(pugi::xml_node entry, Node::Kind kind) const;
  TokenRange until_range(pugi::xml_node entry) const;

  const Document& document_;
  pugi::xml_node net_;
  NetBuilder builder_;
  std::vector<Level> open_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, std::size_t> by_id_;  // position in nodes_
  std::vector<pnml::RawArc> arcs_;
  std::vector<pugi::xml_node> own_data_;  // <toolspecific tool="pnsim">
  std::vector<std::pair<std::string, PlaceId>> display_names_;
};

Reader::Reader(const Document& document, pugi::xml_node net)
    : document_(document), net_(net), builder_(pnml::net_name(net)) {
  builder_.set_origin(document.origin());
  if (const char* fault = name_fault(pnml::net_name(net))) document.fail(net, fault);
}

PnmlNet Reader::read() {
  walk();
  for (std::size_t i = 0; i < nodes_.size(); ++i) resolve(i);
  for (const pnml::RawArc& arc : arcs_) add_arc(arc);
  read_own_data();
  return {builder_.build(), std::move(display_names_)};
}

// Visits the elements in document order. It does not recurse, because a file may nest deeply.
void Reader::walk() {
  open(net_, false);
  while (!open_.empty()) {
    const Level level = open_.back();
    if (!level.next) {
      open_.pop_back();
      continue;
    }
    open_.back().next = level.next.next_sibling();
    visit(level.next, level.inside_inhibitor);
  }
}

void Reader::open(pugi::xml_node element, bool inside_inhibitor) {
  if (open_.size() >= kMaxNesting) {
    document_.fail(element, "nested deeper than " + std::to_string(kMaxNesting));
  }
  open_.push_back({element.first_child(), inside_inhibitor});
}

void Reader::visit(pugi::xml_node element, bool inside_inhibitor) {
  const std::string_view name = local_name(element);
  if (name == "place") {
    add_place(element);
  } else if (name == "transition") {
    add_transition(element);
  } else if (name == "referencePlace") {
    add_node({Node::Kind::kPlace, std::nullopt, element});
  } else if (name == "referenceTransition") {
    add_node({Node::Kind::kTransition, std::nullopt, element});
  } else if (pnml::is_arc_element(name)) {
    arcs_.push_back({element, inside_inhibitor});
  } else if (name == "page" || name == "inhibitor") {
    open(element, inside_inhibitor || name == "inhibitor");
  } else if (name == "toolspecific" && element.attribute("tool").value() == std::string("pnsim")) {
    own_data_.push_back(element);
  }
}

void Reader::add_node(Node node) {
  const std::string_view id = node.element.attribute("id").value();
  if (const char* fault = name_fault(id)) document_.fail(node.element, std::string("id: ") + fault);
  if (!by_id_.emplace(id, nodes_.size()).second) {
    document_.fail(node.element, "the id \"" + std::string(id) + "\" appears twice");
  }
  nodes_.push_back(node);
}

void Reader::add_place(pugi::xml_node element) {
  pnml::check_place(document_, element);
  const std::string id = element.attribute("id").value();
  add_node({Node::Kind::kPlace, std::nullopt, element});
  const PlaceId place = builder_.add_place(id, pnml::initial_tokens(document_, element));
  nodes_.back().index = place.value;
  std::string name = label_text(element, "name").value_or(element.attribute("name").value());
  if (!name.empty() && name != id) display_names_.emplace_back(std::move(name), place);
}

void Reader::add_transition(pugi::xml_node element) {
  pnml::check_transition(document_, element);
  add_node({Node::Kind::kTransition, std::nullopt, element});
  nodes_.back().index = builder_.add_transition(element.attribute("id").value()).value;
}

std::size_t Reader::find_node(pugi::xml_node at, std::string_view id) const {
  const auto found = by_id_.find(id);
  if (found != by_id_.end()) return found->second;
  std::vector<std::string> known;
  for (const Node& node : nodes_) known.emplace_back(node.element.attribute("id").value());
  document_.fail(at, "no place or transition \"" + std::string(id) + "\"" + suggestion(id, known));
}

// Follows a chain of references to its node and assigns that index to every reference of the chain.
void Reader::resolve(std::size_t reference) {
  std::vector<std::size_t> chain;
  std::size_t at = reference;
  while (!nodes_[at].index) {
    if (chain.size() == nodes_.size()) {
      document_.fail(nodes_[reference].element, "the references form a cycle");
    }
    chain.push_back(at);
    const pugi::xml_node element = nodes_[at].element;
    at = find_node(element, element.attribute("ref").value());
    if (nodes_[at].kind != nodes_[reference].kind) {
      document_.fail(element, std::string("found a reference to a ") + kind_name(nodes_[at].kind) +
                                  ", expected one to a " + kind_name(nodes_[reference].kind));
    }
  }
  for (const std::size_t link : chain) nodes_[link].index = nodes_[at].index;
}

const Node& Reader::node_named(pugi::xml_node at, const char* attribute) const {
  return nodes_[find_node(at, at.attribute(attribute).value())];
}

void Reader::add_arc(const pnml::RawArc& arc) {
  const Node& source = node_named(arc.element, "source");
  const Node& target = node_named(arc.element, "target");
  if (source.kind == target.kind) {
    document_.fail(arc.element, std::string("found an arc from ") + kind_name(source.kind) +
                                    " to " + kind_name(target.kind) +
                                    ", expected one between a place and a transition");
  }
  const pnml::ArcMeaning meaning = pnml::meaning_of(document_, arc);
  const bool is_input = source.kind == Node::Kind::kPlace;
  const PlaceId place{*(is_input ? source : target).index};
  const TransitionId transition{*(is_input ? target : source).index};
  if (meaning.inhibitor && !is_input) {
    document_.fail(arc.element, "found an inhibitor from a transition, expected one from a place");
  }
  if (meaning.inhibitor) {
    builder_.add_inhibitor(transition, place);
  } else if (is_input) {
    builder_.add_input(transition, place, meaning.weight);
  } else {
    builder_.add_output(transition, place, meaning.weight);
  }
}

// Reads <until place=... min=... max=.../>, <waiting transition=.../> and <schedulers place=.../>.
// It is strict because only pnsim writes them.
void Reader::read_own_data() {
  std::vector<PlaceId> empty;
  std::vector<TokenRange> ranges;
  Observables observables;
  for (const pugi::xml_node data : own_data_) {
    const std::string version = data.attribute("version").value();
    if (version != "1") document_.fail(data, "found version \"" + version + "\", expected \"1\"");
    for (const pugi::xml_node entry : data.children()) {
      const std::string_view name = local_name(entry);
      if (name == "until") {
        const TokenRange range = until_range(entry);
        range.max == 0 ? empty.push_back(range.place) : ranges.push_back(range);
      } else if (name == "waiting") {
        observables.waiting.push_back({own_node(entry, Node::Kind::kTransition)});
      } else if (name == "schedulers") {
        if (observables.scheduler_pool) {
          document_.fail(entry, "found this element twice, expected it once");
        }
        observables.scheduler_pool = PlaceId{own_node(entry, Node::Kind::kPlace)};
      } else {
        const std::array<std::string, 3> known{"until", "waiting", "schedulers"};
        document_.fail(entry, "found an unknown element in pnsim's tool-specific data" +
                                  suggestion(name, known));
      }
    }
  }
  builder_.set_goal(std::move(empty), std::move(ranges));
  builder_.set_observables(std::move(observables));
}

// <until place=.../> requires an empty place, and with min, max or both a number of tokens.
TokenRange Reader::until_range(pugi::xml_node entry) const {
  const pugi::xml_attribute min = entry.attribute("min"), max = entry.attribute("max");
  TokenRange range{PlaceId{own_node(entry, Node::Kind::kPlace)}};
  if (min) range.min = pnml::parse_count(document_, entry, min.value(), 0);
  if (max || !min) range.max = max ? pnml::parse_count(document_, entry, max.value(), 0) : 0;
  if (range.min > range.max) {
    document_.fail(entry, "found min " + std::to_string(range.min) + " above max " +
                              std::to_string(range.max));
  }
  return range;
}

std::uint32_t Reader::own_node(pugi::xml_node entry, Node::Kind kind) const {
  const Node& node = node_named(entry, kind_name(kind));
  if (node.kind != kind) {
    document_.fail(
        entry, std::string("found a ") + kind_name(node.kind) + ", expected a " + kind_name(kind));
  }
  return *node.index;
}

}  // namespace

PnmlNet read_pnml(std::string_view text, const std::string& origin) {
  const Document document(text, origin);
  return Reader(document, pnml::only_net(document)).read();
}

}  // namespace pnsim
