#include "simulator/base/json_reader.h"

#include <gtest/gtest.h>

#include "tests/base/error_of.h"

namespace pnsim {
namespace {

using test::input_error_of;

const InputJson kJson = InputJson::parse(R"({
  "text": "t", "yes": true, "int": -3, "big": 9223372036854775808, "float": 2.0, "half": 0.5,
  "huge": 18446744073709551616, "null": null, "list": [1, {"x": 2}], "a/b~c": {"y": 1},
  "long": "0123456789012345678901234567890123456789012345678901234567890123456789",
  "$schema": "s"})");

const JsonReader kReader(kJson, "f.json");

template <class Read>
std::string fault(const char* key, Read read) {
  return input_error_of([&] { read(kReader.at(key)); });
}

TEST(JsonReader, ReadsLeaves) {
  EXPECT_EQ(kReader.at("text").string(), "t");
  EXPECT_TRUE(kReader.at("yes").boolean());
  EXPECT_EQ(kReader.at("int").integer(-3, -3), -3);
  EXPECT_EQ(kReader.at("int").number(), -3);
  EXPECT_EQ(kReader.at("half").number(0, 1), 0.5);
  EXPECT_EQ(kReader.at("big").number(), 0x1p63);
}

TEST(JsonReader, NamesThePlaceOfAWrongType) {
  EXPECT_EQ(fault("int", [](const JsonReader& r) { r.string(); }),
            "f.json: /int: found -3, expected a string");
  EXPECT_EQ(fault("text", [](const JsonReader& r) { r.boolean(); }),
            "f.json: /text: found \"t\", expected true or false");
  EXPECT_EQ(fault("null", [](const JsonReader& r) { r.number(); }),
            "f.json: /null: found null, expected a number");
  EXPECT_EQ(fault("list", [](const JsonReader& r) { r.string(); }),
            "f.json: /list: found an array, expected a string");
  EXPECT_EQ(fault("a/b~c", [](const JsonReader& r) { r.integer(0, 1); }),
            "f.json: /a~1b~0c: found an object, expected an integer from 0 to 1");
  EXPECT_EQ(fault("text", [](const JsonReader& r) { r.items(); }),
            "f.json: /text: found \"t\", expected an array");
  EXPECT_EQ(fault("text", [](const JsonReader& r) { r.members(); }),
            "f.json: /text: found \"t\", expected an object");
  EXPECT_EQ(fault("text", [](const JsonReader& r) { r.find("x"); }),
            "f.json: /text: found \"t\", expected an object");
  EXPECT_EQ(fault("list", [](const JsonReader& r) { r.only({"x"}); }),
            "f.json: /list: found an array, expected an object");
}

TEST(JsonReader, RefusesIntegersOutOfRangeFractionalOrOver64Bits) {
  const auto integer = [](std::int64_t min, std::int64_t max) {
    return [=](const JsonReader& r) { r.integer(min, max); };
  };
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(fault("int", integer(-2, 5)),
            "f.json: /int: found -3, expected an integer from -2 to 5");
  EXPECT_EQ(fault("int", integer(-9, -4)),
            "f.json: /int: found -3, expected an integer from -9 to -4");
  EXPECT_EQ(fault("float", integer(0, 5)),
            "f.json: /float: found 2.0, expected an integer from 0 to 5");
  EXPECT_EQ(fault("big", integer(0, kMax)),
            "f.json: /big: found 9223372036854775808, expected an integer from 0 to "
            "9223372036854775807");
  EXPECT_EQ(fault("big", integer(-5, -1)),
            "f.json: /big: found 9223372036854775808, expected an integer from -5 to -1");
  EXPECT_EQ(fault("huge", integer(0, kMax)),
            "f.json: /huge: found 1.8446744073709552e+19, expected an integer from 0 to "
            "9223372036854775807");
}

TEST(JsonReader, RefusesNumbersOutOfRange) {
  EXPECT_EQ(fault("half", [](const JsonReader& r) { r.number(1, 2); }),
            "f.json: /half: found 0.5, expected a number from 1 to 2");
}

TEST(JsonReader, NamesAMissingKeyAndAnUnknownOne) {
  EXPECT_EQ(input_error_of([] { kReader.at("no"); }),
            "f.json: (top level): the key \"no\" is missing");
  EXPECT_EQ(kReader.find("no"), std::nullopt);
  const JsonReader inner = kReader.at("list").items().at(1);
  EXPECT_EQ(input_error_of([&] {
              inner.only({"xx", "z"});
            }),
            "f.json: /list/1: unknown key \"x\"; did you mean \"xx\"?");
  EXPECT_NO_THROW(inner.only({"w", "x"}));
}

TEST(JsonReader, TakesKeysThatStartWithADollarAnywhere) {
  const InputJson json = InputJson::parse(R"({"$schema": "s", "$comment": 1, "a": 2})");
  EXPECT_NO_THROW(JsonReader(json, "f").only({"a"}));
}

TEST(JsonReader, WalksObjectsAndArrays) {
  const auto items = kReader.at("list").items();
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[1].at("x").where(), "f.json: /list/1/x");
  const auto members = kReader.at("a/b~c").members();
  ASSERT_EQ(members.size(), 1u);
  EXPECT_EQ(members[0].first, "y");
  EXPECT_EQ(members[0].second.where(), "f.json: /a~1b~0c/y");
  EXPECT_EQ(kReader.where(), "f.json: (top level)");
}

TEST(JsonReader, KnowsTheKindOfAValue) {
  EXPECT_TRUE(kReader.is_object());
  EXPECT_TRUE(kReader.at("list").is_array());
  EXPECT_TRUE(kReader.at("text").is_string());
  EXPECT_TRUE(kReader.at("int").is_integer());
  EXPECT_FALSE(kReader.at("float").is_integer());
  EXPECT_TRUE(kReader.at("null").is_null());
}

TEST(JsonReader, ShowsTheBeginningOfLongValues) {
  EXPECT_EQ(
      fault("long", [](const JsonReader& r) { r.number(); }),
      "f.json: /long: found \"01234567890123456789012345678901234567890123456789012345678..., "
      "expected a number");
}

}  // namespace
}  // namespace pnsim
