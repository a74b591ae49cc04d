#include "simulator/net/pnml_writer.h"

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// Escapes text for elements and for attributes in double quotes.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Ids are unique in a document, so the id of a page or arc must differ from all node names.
std::string unused_prefix(const Net& net, std::string prefix) {
  const auto is_used = [&](const auto id, std::size_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (net.name_of(decltype(id){i}).starts_with(prefix)) return true;
    }
    return false;
  };
  while (is_used(PlaceId{}, net.place_count()) || is_used(TransitionId{}, net.transition_count())) {
    prefix += "_";
  }
  return prefix;
}

class Writer {
 public:
  explicit Writer(const Net& net) : net_(net), arc_prefix_(unused_prefix(net, "arc")) {}

  std::string write() {
    refuse_name_with_blanks();
    text_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
        "<net id=\"" +
        unused_prefix(net_, "net") +
        "\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n" + named(net_.name()) + "\n";
    write_own_data();
    text_ += "<page id=\"" + unused_prefix(net_, "page") + "\">\n";
    write_nodes();
    for (std::uint32_t t = 0; t < net_.transition_count(); ++t) write_arcs(TransitionId{t});
    return text_ + "</page>\n</net>\n</pnml>\n";
  }

 private:
  // Readers of PNML take blanks around a text for its layout.
  void refuse_name_with_blanks() const {
    const std::string& name = net_.name();
    if (name.empty() || (name.front() != ' ' && name.back() != ' ')) return;
    fail_input(
        "net \"" + name + "\"",
        "its name begins or ends with a blank, which PNML does not keep: change the name, or "
        "write .json");
  }

  static std::string named(std::string_view name) {
    return "<name><text>" + escaped(name) + "</text></name>";
  }

  void write_own_data() {
    const Observables& observables = net_.observables();
    std::string data;
    for (const PlaceId p : net_.goal()) data += own_entry("until place", net_.name_of(p));
    for (const TokenRange& range : net_.goal_ranges()) data += until_entry(range);
    for (const TransitionId t : observables.waiting) {
      data += own_entry("waiting transition", net_.name_of(t));
    }
    if (observables.scheduler_pool) {
      data += own_entry("schedulers place", net_.name_of(*observables.scheduler_pool));
    }
    if (data.empty()) return;
    text_ += "<toolspecific tool=\"pnsim\" version=\"1\">\n" + data + "</toolspecific>\n";
  }

  std::string until_entry(const TokenRange& range) const {
    std::string entry = "<until place=\"" + escaped(net_.name_of(range.place)) + "\"";
    if (range.min > 0) entry += " min=\"" + std::to_string(range.min) + "\"";
    if (range.max < kMaxTokens) entry += " max=\"" + std::to_string(range.max) + "\"";
    return entry + "/>\n";
  }

  static std::string own_entry(const std::string& what, std::string_view name) {
    return "<" + what + "=\"" + escaped(name) + "\"/>\n";
  }

  void write_nodes() {
    for (std::uint32_t p = 0; p < net_.place_count(); ++p) {
      const std::string& name = net_.name_of(PlaceId{p});
      text_ += "<place id=\"" + escaped(name) + "\">" + named(name);
      if (const Tokens tokens = net_.initial_marking()[p]) {
        text_ += "<initialMarking><text>" + std::to_string(tokens) + "</text></initialMarking>";
      }
      text_ += "</place>\n";
    }
    for (std::uint32_t t = 0; t < net_.transition_count(); ++t) {
      const std::string& name = net_.name_of(TransitionId{t});
      text_ += "<transition id=\"" + escaped(name) + "\">" + named(name) + "</transition>\n";
    }
  }

  void write_arcs(TransitionId t) {
    const std::string& name = net_.name_of(t);
    for (const Arc& arc : net_.inputs(t)) write_arc(net_.name_of(arc.place), name, arc.weight);
    for (const PlaceId p : net_.inhibitors(t)) {
      open_arc(net_.name_of(p), name);
      text_ += " type=\"inhibitor\"><type value=\"inhibitor\"/></arc>\n";
    }
    for (const Arc& arc : net_.outputs(t)) write_arc(name, net_.name_of(arc.place), arc.weight);
  }

  void open_arc(std::string_view source, std::string_view target) {
    text_ += "<arc id=\"" + arc_prefix_ + std::to_string(++arc_count_) + "\" source=\"" +
             escaped(source) + "\" target=\"" + escaped(target) + "\"";
  }

  void write_arc(std::string_view source, std::string_view target, Tokens weight) {
    open_arc(source, target);
    text_ += weight == 1 ? "/>\n"
                         : "><inscription><text>" + std::to_string(weight) +
                               "</text></inscription></arc>\n";
  }

  const Net& net_;
  std::string arc_prefix_;
  std::size_t arc_count_ = 0;
  std::string text_;
};

}  // namespace

std::string write_pnml(const Net& net) { return Writer(net).write(); }

}  // namespace pnsim
