#include "simulator/net/pnml_xml.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <charconv>
#include <utility>
#include <vector>

#include "simulator/base/error.h"

namespace pnsim::pnml {
namespace {

// Blanks of the C locale. boost::algorithm::trim would look up the locale for every text.
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Returns `arc "a5" (p0 -> t1)`, `place "p0"` or `<net>`.
std::string described(pugi::xml_node element) {
  const std::string kind(local_name(element));
  const std::string id = element.attribute("id").value();
  const std::string source = element.attribute("source").value();
  std::string out = id.empty() ? kind : kind + " \"" + id + "\"";
  if (!source.empty()) out += " (" + source + " -> " + element.attribute("target").value() + ")";
  return id.empty() && source.empty() ? "<" + kind + ">" : out;
}

// SNAKES labels a black token <value><token/></value>.
bool is_black_token(pugi::xml_node value) { return !child_named(value, "token").empty(); }

// Counts a <multiset> of <item>s, each with a <value> and a <multiplicity>.
Tokens multiset_count(const Document& document, pugi::xml_node owner, pugi::xml_node multiset) {
  Tokens sum = 0;
  for (const pugi::xml_node item : multiset.children()) {
    if (!is_black_token(child_named(item, "value"))) {
      document.fail(owner, "found a token with a value, expected black tokens only");
    }
    const Tokens count =
        parse_count(document, owner, text_in(child_named(item, "multiplicity")), 0);
    if (count > kMaxTokens - sum) document.fail(owner, "the tokens add up to over 2^62");
    sum += count;
  }
  return sum;
}

// An unexpected element in place of a number: <structure>, <variable>, <expression> ...
pugi::xml_node strange_child(pugi::xml_node label) {
  for (const pugi::xml_node child : label.children()) {
    if (child.type() != pugi::node_element) continue;
    const std::string_view name = local_name(child);
    if (name != "graphics" && name != "toolspecific") return child;
  }
  return {};
}

Tokens parse_plain(const Document& document, pugi::xml_node at, std::string_view text, Tokens min) {
  Tokens value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < min ||
      value > kMaxTokens) {
    document.fail(at, "found \"" + std::string(text) + "\", expected an integer from " +
                          std::to_string(min) + " to " + std::to_string(kMaxTokens));
  }
  return value;
}

// At least as many as there are elements and attributes.
std::size_t parts_of(std::string_view text) {
  std::size_t parts = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '=') ++parts;
    if (text[i] == '<' && (i + 1 == text.size() || text[i + 1] != '/')) ++parts;
  }
  return parts;
}

}  // namespace

Document::Document(std::string_view text, std::string origin, std::size_t most_parts)
    : text_(text), origin_(std::move(origin)) {
  if (parts_of(text) > most_parts) {
    fail_limit(origin_ + ": more than " + std::to_string(most_parts) +
               " XML elements and attributes: too large a net");
  }
  const pugi::xml_parse_result result = xml_.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment);
  offsets_are_bytes_ = result.encoding == pugi::encoding_utf8;
  refuse_doctype();  // checked first because it gives the most helpful message
  if (!result) {
    fail_input(origin_ + line_at(result.offset),
               std::string("found malformed XML: ") + result.description());
  }
  refuse_all_but_one_root();
}

void Document::refuse_doctype() const {
  for (const pugi::xml_node node : xml_.children()) {
    if (node.type() == pugi::node_doctype) {
      fail_input(origin_, "found a DOCTYPE, expected PNML without one");
    }
  }
}

void Document::refuse_all_but_one_root() const {
  pugi::xml_node root;
  for (const pugi::xml_node node : xml_.children()) {
    if (node.type() == pugi::node_element) {
      if (root) fail(node, "found a second element beside " + described(root) + ", expected one");
      root = node;
    } else if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
      fail_input(origin_ + line_at(node.offset_debug()), "found text outside of the XML element");
    }
  }
  if (!root) fail_input(origin_, "found malformed XML: no element");
}

std::string Document::line_at(std::ptrdiff_t offset) const {
  if (!offsets_are_bytes_ || offset < 0) return "";
  const auto end = text_.begin() + std::min<std::ptrdiff_t>(offset, std::ssize(text_));
  return ": line " + std::to_string(1 + std::count(text_.begin(), end, '\n'));
}

void Document::fail(pugi::xml_node at, const std::string& message) const {
  fail_input(origin_ + line_at(at.offset_debug()) + ": " + described(at), message);
}

std::string_view local_name(pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node child_named(pugi::xml_node element, std::string_view name) {
  for (const pugi::xml_node child : element.children()) {
    if (local_name(child) == name) return child;
  }
  return {};
}

pugi::xml_node only_child_named(const Document& document, pugi::xml_node element,
                                std::string_view name) {
  pugi::xml_node found;
  for (const pugi::xml_node child : element.children()) {
    if (local_name(child) != name) continue;
    if (found) {
      document.fail(child, "found a second <" + std::string(name) + "> in <" +
                               std::string(local_name(element)) + ">, expected one");
    }
    found = child;
  }
  return found;
}

std::string text_in(pugi::xml_node element) {
  std::string text;
  for (const pugi::xml_node child : element.children()) text += child.value();
  std::replace_if(text.begin(), text.end(), is_blank, ' ');
  return std::string(trimmed(text));
}

std::optional<std::string> label_text(pugi::xml_node owner, std::string_view label) {
  const pugi::xml_node child = child_named(owner, label);
  if (!child) return std::nullopt;
  if (const auto text = child_named(child, "text")) return text_in(text);
  if (const auto value = child_named(child, "value")) return text_in(value);
  return text_in(child);
}

Tokens parse_count(const Document& document, pugi::xml_node at, std::string_view text, Tokens min) {
  if (text.find(',') == std::string_view::npos) return parse_plain(document, at, text, min);
  std::vector<std::string> parts;
  boost::algorithm::split(parts, text, [](char c) { return c == ','; });
  Tokens count = 0;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    const std::string token_class(trimmed(parts[i]));
    const std::string number = i + 1 < parts.size() ? parts[i + 1] : "";
    const Tokens found = parse_plain(document, at, trimmed(number), 0);
    if (token_class == "Default") count = found;
    if (token_class != "Default" && found > 0) {
      document.fail(at, "found tokens of class \"" + token_class + "\", expected Default only");
    }
  }
  return parse_plain(document, at, std::to_string(count), min);
}

Tokens label_count(const Document& document, pugi::xml_node owner, std::string_view label,
                   Tokens min, Tokens absent) {
  const pugi::xml_node child = only_child_named(document, owner, label);
  if (!child) return absent;
  if (const auto multiset = only_child_named(document, child, "multiset")) {
    return multiset_count(document, owner, multiset);
  }
  const pugi::xml_node value = only_child_named(document, child, "value");
  if (is_black_token(value)) return 1;
  const bool has_text = only_child_named(document, child, "text") || value;
  if (const auto strange = strange_child(has_text ? value : child)) {
    document.fail(owner, "found <" + std::string(local_name(strange)) + "> in its " +
                             std::string(label) + ", expected a number");
  }
  const std::string text = *label_text(owner, label);
  return text.empty() ? absent : parse_count(document, owner, text, min);
}

}  // namespace pnsim::pnml
