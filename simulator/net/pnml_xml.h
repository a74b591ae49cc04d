// The XML side of reading PNML: elements, labels and where they stand. Internal to simulator/net.
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
  // Error 3 for XML that is malformed, nothing, or has a DOCTYPE.
  // Error 5 for more than `most_parts` elements and attributes, before any is kept.
  Document(std::string_view text, std::string origin, std::size_t most_parts = kMaxXmlParts);

  pugi::xml_node root() const { return xml_.document_element(); }
  const std::string& origin() const { return origin_; }

  // Error 3 at an element: `FILE: line 12: arc "a5": MESSAGE`.
  [[noreturn]] void fail(pugi::xml_node at, const std::string& message) const;

 private:
  std::string line_at(std::ptrdiff_t offset) const;  // ": line 12", "" when it cannot be known
  void refuse_doctype() const;
  void refuse_all_but_one_root() const;

  std::string_view text_;
  std::string origin_;
  bool offsets_are_bytes_ = true;  // false when pugixml had to convert the encoding first
  pugi::xml_document xml_;
};

// The name without its namespace prefix: "pnml:place" -> "place".
std::string_view local_name(pugi::xml_node element);

// The first child element with that local name, or an empty node.
pugi::xml_node child_named(pugi::xml_node element, std::string_view name);

// All character data directly in the element, on one line, without blanks around it.
std::string text_in(pugi::xml_node element);

// A label is a child with a <text> (ISO 15909-2) or <value> (PIPE, older tools), or with the text
// right in it. Nothing when there is no such child.
std::optional<std::string> label_text(pugi::xml_node owner, std::string_view label);

// The number that `text` says, from `min` to kMaxTokens: "3", or "Default,3" as PIPE writes it.
// Fails at `at` for anything else, and for tokens of another class than PIPE's Default.
Tokens parse_count(const Document& document, pugi::xml_node at, std::string_view text, Tokens min);

// The number that the label of `owner` says, `absent` when there is no label or it is empty.
// SNAKES' black tokens are counted; every other token with a value is refused.
Tokens label_count(const Document& document, pugi::xml_node owner, std::string_view label,
                   Tokens min, Tokens absent);

}  // namespace pnsim::pnml
