// The shipped schemas and the readers agree: both refuse the same malformed files.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/net_template.h"
#include "tests/model/files/json_schema.h"

namespace pnsim {
namespace {

using test::schema_faults;
using test::subschema_at;
using Pointer = InputJson::json_pointer;

struct Format {
  std::string schema;                // file
  std::vector<std::string> folders;  // of the shipped files
  std::function<void(const JsonReader&)> read;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"net_template", {"models/nets"}, [](const JsonReader& json) { read_net_template(json); }},
      {"kernel_model", {"models"}, [](const JsonReader& json) { read_kernel_model(json); }},
      {"device", {"models/devices"}, [](const JsonReader& json) { read_device_profile(json); }}};
  return kFormats;
}

InputJson load_schema(const Format& format) {
  return load_json(data_root() + "/models/schema/" + format.schema + ".schema.json");
}

// The error of the reader; "" when it accepts the value.
std::string said_of(const Format& format, const InputJson& value) {
  try {
    format.read(JsonReader(value, "t"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A refusal for the shape of the file: the schema must refuse the file, too.
bool is_about_shape(const std::string& said) {
  for (const char* part : {"expected a string", "expected an object", "expected an array",
                           "expected a number,", "is missing", "unknown key"}) {
    if (said.find(part) != std::string::npos) return true;
  }
  return false;
}

// Every place of a value, the top level first.
void add_places(const InputJson& value, const Pointer& at, std::vector<Pointer>& out) {
  out.push_back(at);
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) add_places(member, at / key, out);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) add_places(value[i], at / i, out);
  }
}

std::vector<Pointer> places_of(const InputJson& value) {
  std::vector<Pointer> out;
  add_places(value, Pointer(), out);
  return out;
}

void expect_agreement(const Format& format, const InputJson& schema, const InputJson& value) {
  const std::string said = said_of(format, value);
  const auto faults = schema_faults(schema, value);
  if (!faults.empty()) {
    EXPECT_NE(said, "") << "only the schema refuses: " << faults[0];
  } else {
    EXPECT_FALSE(is_about_shape(said)) << "only the reader refuses: " << said;
  }
}

TEST(Schemas, AreOfDraft202012WithReferencesThatResolve) {
  for (const Format& format : formats()) {
    const InputJson schema = load_schema(format);
    EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
    for (const Pointer& at : places_of(schema)) {
      if (at.empty() || at.back() != "$ref") continue;
      const auto target = schema.at(at).get<std::string>();
      EXPECT_TRUE(target.starts_with("#/$defs/")) << target;
      EXPECT_TRUE(schema.contains(Pointer(target.substr(1)))) << target;
    }
  }
}

TEST(Schemas, TakeTheirExamplesAndSoDoTheReaders) {
  for (const Format& format : formats()) {
    const InputJson schema = load_schema(format);
    ASSERT_FALSE(schema.at("examples").empty());
    for (const InputJson& example : schema.at("examples")) {
      EXPECT_EQ(schema_faults(schema, example), std::vector<std::string>{});
      EXPECT_EQ(said_of(format, example), "");
    }
  }
}

TEST(Schemas, TakeEveryShippedFile) {
  for (const Format& format : formats()) {
    const InputJson schema = load_schema(format);
    for (const std::string& folder : format.folders) {
      const auto names = shipped_names(folder);
      EXPECT_FALSE(names.empty()) << folder;
      for (const std::string& name : names) {
        const InputJson file = load_json(data_root() + "/" + folder + "/" + name + ".json");
        EXPECT_EQ(schema_faults(schema, file), std::vector<std::string>{}) << name;
      }
    }
  }
}

// Keys listed by an error message such as "unknown key "zzz"; known: a, b".
std::set<std::string> known_keys(const std::string& said) {
  std::set<std::string> keys;
  std::size_t at = said.find("; known: ");
  if (at == std::string::npos) return keys;
  at += 9;
  while (at < said.size()) {
    const std::size_t end = std::min(said.find(", ", at), said.size());
    keys.insert(said.substr(at, end - at));
    at = end + 2;
  }
  return keys;
}

// At every object of the example that has fixed keys: exactly the schema's properties are known,
// and each occurs in the example.
TEST(Schemas, HaveExactlyTheKeysOfTheReaders) {
  for (const Format& format : formats()) {
    const InputJson schema = load_schema(format);
    std::size_t objects = 0;
    std::set<std::string> seen, listed;
    for (const InputJson& example : schema.at("examples")) {
      for (const Pointer& at : places_of(example)) {
        const InputJson* sub = subschema_at(schema, example, at);
        if (!sub || !sub->is_object() || !sub->contains("properties")) continue;
        ++objects;
        InputJson more = example;
        more[at]["zzzzzzzzzzzzzzzzzzzzzzzz"] = 1;
        std::set<std::string> properties;
        for (const auto& [key, unused] : (*sub)["properties"].items()) {
          properties.insert(key);
          listed.insert(std::to_string(reinterpret_cast<std::uintptr_t>(sub)) + key);
        }
        EXPECT_EQ(known_keys(said_of(format, more)), properties) << at.to_string();
        EXPECT_FALSE(schema_faults(schema, more).empty()) << at.to_string();
        for (const auto& [key, unused] : example.at(at).items()) {
          seen.insert(std::to_string(reinterpret_cast<std::uintptr_t>(sub)) + key);
        }
      }
    }
    EXPECT_GE(objects, 2u);
    EXPECT_EQ(seen, listed) << format.schema << ": a property that no example shows";
  }
}

TEST(Schemas, NeedExactlyTheKeysTheReadersNeed) {
  for (const Format& format : formats()) {
    const InputJson schema = load_schema(format);
    for (const InputJson& example : schema.at("examples")) {
      for (const Pointer& at : places_of(example)) {
        if (at.empty() || !example.at(at.parent_pointer()).is_object()) continue;
        SCOPED_TRACE(format.schema + " without " + at.to_string());
        InputJson less = example;
        less[at.parent_pointer()].erase(at.back());
        expect_agreement(format, schema, less);
      }
    }
  }
}

TEST(Schemas, AgreeWithTheReadersOnWrongValuesEverywhere) {
  const InputJson wrong = {nullptr,
                           true,
                           -1,
                           0,
                           1.5,
                           "",
                           "x y",
                           "0",
                           InputJson::array(),
                           InputJson::object(),
                           InputJson::array({1}),
                           9223372036854775807,
                           9223372036854775808u};
  std::size_t tried = 0;
  for (const Format& format : formats()) {
    const InputJson schema = load_schema(format);
    for (const InputJson& example : schema.at("examples")) {
      for (const Pointer& at : places_of(example)) {
        for (const InputJson& value : wrong) {
          SCOPED_TRACE(format.schema + " " + at.to_string() + " := " + value.dump());
          InputJson changed = example;
          changed[at] = value;
          expect_agreement(format, schema, changed);
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 1500u);
}

TEST(SchemaChecker, FindsFaults) {
  const InputJson schema = InputJson::parse(R"({"type": "object", "required": ["a"],
    "additionalProperties": false, "patternProperties": {"^\\$": true},
    "properties": {"a": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/n"}},
                   "b": {"enum": ["x"]},
                   "c": {"oneOf": [{"const": 1}, {"type": "string", "pattern": "^y"}]}},
    "$defs": {"n": {"type": "integer", "minimum": 1, "maximum": 3}}})");
  const auto faults = [&](const char* text) {
    return schema_faults(schema, InputJson::parse(text));
  };
  using Faults = std::vector<std::string>;
  EXPECT_EQ(faults(R"({"a": [1, 3], "b": "x", "c": "yes", "$d": 0})"), Faults{});
  EXPECT_EQ(faults(R"({})"), Faults{": required [\"a\"]"});
  EXPECT_EQ(faults(R"({"a": [0, 4, 1.5]})"),
            (Faults{"/a/0: minimum 1", "/a/1: maximum 3", "/a/2: type \"integer\""}));
  EXPECT_EQ(faults(R"({"a": []})"), Faults{"/a: minItems 1"});
  EXPECT_EQ(faults(R"({"a": [1], "d": 1})"), Faults{"/d: may not stand here"});
  EXPECT_EQ(faults(R"({"a": [1], "b": "y"})"), Faults{"/b: enum [\"x\"]"});
  EXPECT_EQ(faults(R"({"a": [1], "c": "no"})"),
            Faults{"/c: 0 alternatives are valid, expected one"});
  EXPECT_THROW(schema_faults(InputJson::parse(R"({"typ": "object"})"), 1), std::logic_error);
}

}  // namespace
}  // namespace pnsim
