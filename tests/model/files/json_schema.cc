#include "tests/model/files/json_schema.h"

#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>

namespace pnsim::test {
namespace {

using Pointer = InputJson::json_pointer;

// A schema has few patterns and applies them to every key of a file.
const std::regex& compiled(const std::string& pattern) {
  static std::map<std::string, std::regex> patterns;
  const auto [found, is_new] = patterns.try_emplace(pattern);
  if (is_new) found->second = std::regex(pattern);
  return found->second;
}

bool is_of_type(const InputJson& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  throw std::logic_error("unknown type " + type);
}

class Checker {
 public:
  explicit Checker(const InputJson& root) : root_(root) {}

  const InputJson& resolved(const InputJson& reference) const {
    return root_.at(Pointer(reference.get<std::string>().substr(1)));
  }

  // The schema of a member or element; nullptr when nothing is said of it.
  const InputJson* of_member(const InputJson& schema, const std::string& key) const {
    if (schema.contains("properties") && schema["properties"].contains(key)) {
      return &schema["properties"][key];
    }
    if (schema.contains("patternProperties")) {
      for (const auto& [pattern, sub] : schema["patternProperties"].items()) {
        if (std::regex_search(key, compiled(pattern))) return &sub;
      }
    }
    return schema.contains("additionalProperties") ? &schema["additionalProperties"] : nullptr;
  }

  void check(const InputJson& schema, const InputJson& value, const Pointer& at) {
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) fault(at, "may not stand here");
      return;
    }
    for (const auto& [keyword, operand] : schema.items())
      check_keyword(keyword, operand, value, at);
    if (value.is_object()) check_members(schema, value, at);
    if (value.is_array() && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i) check(schema["items"], value[i], at / i);
    }
  }

  std::vector<std::string> faults;

 private:
  void fault(const Pointer& at, const std::string& what) {
    faults.push_back(at.to_string() + ": " + what);
  }

  void check_members(const InputJson& schema, const InputJson& value, const Pointer& at) {
    for (const auto& [key, member] : value.items()) {
      if (const InputJson* sub = of_member(schema, key)) check(*sub, member, at / key);
    }
  }

  void check_keyword(const std::string& keyword, const InputJson& operand, const InputJson& value,
                     const Pointer& at) {
    if (keyword == "$ref") {
      check(resolved(operand), value, at);
    } else if (keyword == "oneOf") {
      check_alternatives(operand, value, at);
    } else if (!holds(keyword, operand, value)) {
      fault(at, keyword + " " + operand.dump());
    }
  }

  void check_alternatives(const InputJson& alternatives, const InputJson& value,
                          const Pointer& at) {
    std::size_t valid = 0;
    for (const InputJson& alternative : alternatives) {
      Checker checker(root_);
      checker.check(alternative, value, at);
      valid += checker.faults.empty() ? 1 : 0;
    }
    if (valid != 1) fault(at, std::to_string(valid) + " alternatives are valid, expected one");
  }

  static bool holds(const std::string& keyword, const InputJson& operand, const InputJson& value) {
    if (keyword == "type") {
      const auto types = operand.is_array() ? operand : InputJson::array({operand});
      return std::any_of(types.begin(), types.end(),
                         [&](const InputJson& type) { return is_of_type(value, type); });
    }
    if (keyword == "const") return value == operand;
    if (keyword == "enum") return std::find(operand.begin(), operand.end(), value) != operand.end();
    if (keyword == "minimum") return !value.is_number() || value >= operand;
    if (keyword == "maximum") return !value.is_number() || value <= operand;
    if (keyword == "minItems")
      return !value.is_array() || value.size() >= operand.get<std::size_t>();
    if (keyword == "pattern") {
      return !value.is_string() ||
             std::regex_search(value.get<std::string>(), compiled(operand.get<std::string>()));
    }
    if (keyword == "required") {
      return !value.is_object() ||
             std::all_of(operand.begin(), operand.end(), [&](const InputJson& key) {
               return value.contains(key.get<std::string>());
             });
    }
    return is_note(keyword);
  }

  static bool is_note(const std::string& keyword) {
    static const std::vector<std::string> kNotes = {"$schema",
                                                    "$defs",
                                                    "title",
                                                    "description",
                                                    "default",
                                                    "examples",
                                                    "properties",
                                                    "patternProperties",
                                                    "additionalProperties",
                                                    "items"};  // the last in check()
    if (std::find(kNotes.begin(), kNotes.end(), keyword) != kNotes.end()) return true;
    throw std::logic_error("unknown keyword " + keyword);
  }

  const InputJson& root_;
};

}  // namespace

std::vector<std::string> schema_faults(const InputJson& schema, const InputJson& value) {
  Checker checker(schema);
  checker.check(schema, value, Pointer());
  return checker.faults;
}

const InputJson* subschema_at(const InputJson& root, const InputJson& value, const Pointer& at) {
  const Checker checker(root);
  const InputJson* schema = &root;
  if (!at.empty()) {
    const Pointer parent = at.parent_pointer();
    schema = subschema_at(root, value, parent);
    if (!schema || !schema->is_object()) return nullptr;
    const bool in_array = value.at(parent).is_array();
    schema = !in_array                   ? checker.of_member(*schema, at.back())
             : schema->contains("items") ? &(*schema)["items"]
                                         : nullptr;
  }
  while (schema && schema->is_object() && (schema->contains("$ref") || schema->contains("oneOf"))) {
    if (schema->contains("$ref")) {
      schema = &checker.resolved((*schema)["$ref"]);
      continue;
    }
    const auto valid =
        std::find_if((*schema)["oneOf"].begin(), (*schema)["oneOf"].end(), [&](const InputJson& s) {
          Checker one(root);
          one.check(s, value.at(at), at);
          return one.faults.empty();
        });
    schema = valid == (*schema)["oneOf"].end() ? nullptr : &*valid;
  }
  return schema;
}

}  // namespace pnsim::test
