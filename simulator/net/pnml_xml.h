// The XML layer of the PNML reader: elements, labels and their positions. Internal to
// simulator/net.
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "simulator/net/net.h"

namespace pnsim::pnml {

// A net of two million places and transitions has about as many.
inline constexpr std::size_t kMaxXmlParts = 24'000'000;

// A parsed file. `text` must outlive it.
class Document {
 public:
  // Error 3 for malformed or empty XML and for a DOCTYPE.
  // Error 5 for more than `most_parts` elements and attributes, before any is kept.
  Document(std::string_view text, std::string origin, std::size_t most_parts = kMaxXmlParts);

  pugi::xml_node root() const { return xml_.document_element(); }
  const std::string& origin() const { return origin_; }

  // Throws error 3 at an element: `FILE: line 12: arc "a5": MESSAGE`.
  [[noreturn]] void fail(pugi::xml_node at, const std::string& message) const;

 private:
  std::string line_at(std::ptrdiff_t offset) const;  // ": line 12"; "" when the line is unknown
  void refuse_doctype() const;
  void refuse_all_but_one_root() const;

  std::string_view text_;
  std::string origin_;
  bool offsets_are_bytes_ = true;  // false when pugixml converted the encoding first
  pugi::xml_document xml_;
};

// The name without its namespace prefix: "pnml:place" -> "place".
std::string_view local_name(pugi::xml_node element);

// The first child element with that local name, or an empty node.
pugi::xml_node child_named(pugi::xml_node element, std::string_view name);

// The same; error 3 at a second one, of which the first would count alone.
pugi::xml_node only_child_named(const Document& document, pugi::xml_node element,
                                std::string_view name);

// All character data directly in the element, on one line, without surrounding blanks.
std::string text_in(pugi::xml_node element);

// The text of a label: a child with a <text> (ISO 15909-2) or <value> (PIPE, older tools), or with
// direct text. Nothing when there is no such child.
std::optional<std::string> label_text(pugi::xml_node owner, std::string_view label);

// Parses a number from `min` to kMaxTokens: "3", or "Default,3" in the form of PIPE. Fails at `at`
// for any other text, and for a token class other than PIPE's Default.
Tokens parse_count(const Document& document, pugi::xml_node at, std::string_view text, Tokens min);

// The number in the label of `owner`; `absent` when the label is missing or empty. SNAKES' black
// tokens are counted; any other token with a value is refused.
Tokens label_count(const Document& document, pugi::xml_node owner, std::string_view label,
                   Tokens min, Tokens absent);

}  // namespace pnsim::pnml
