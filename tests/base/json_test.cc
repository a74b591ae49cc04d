// Inputs that the strict parser accepts and refuses, and paths that are not files.
#include "simulator/base/json.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::input_error_of;
using test::TempFolder;

std::string fault(const std::string& text) {
  return input_error_of([&] { parse_json(text, "t.json"); });
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ParseJson, TakesEveryKindOfValue) {
  const InputJson json =
      parse_json(R"({"a": [1, -2, 0.5, "x", true, false, null], "b": {"c": {}}})", "t.json");
  EXPECT_EQ(json["a"].size(), 7u);
  EXPECT_EQ(json["a"][1], -2);
  EXPECT_TRUE(json["b"]["c"].is_object());
  EXPECT_EQ(parse_json("3", "t.json"), 3);
  EXPECT_EQ(parse_json(" \n\"s\"\t", "t.json"), "s");
}

TEST(ParseJson, RefusesAKeyThatStandsTwiceAndSaysWhere) {
  EXPECT_EQ(fault(R"({"a": 1, "b": 2, "a": 3})"),
            "t.json: /a: the key appears twice in one object");
  EXPECT_EQ(fault(R"({"p": [{"x": 1}, {"q": [], "n": [7, {"y": 1, "y": 1}]}]})"),
            "t.json: /p/1/n/1/y: the key appears twice in one object");
  EXPECT_EQ(fault(R"([[], [[1], {"a/b~c": 1, "a/b~c": 2}]])"),
            "t.json: /1/1/a~1b~0c: the key appears twice in one object");
  EXPECT_EQ(fault(R"({"a": {"": 1, "": 2}})"), "t.json: /a/: the key appears twice in one object");
}

TEST(ParseJson, TakesOneKeyInSeveralObjects) {
  EXPECT_EQ(parse_json(R"({"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 1}})", "t").size(), 2u);
}

std::string nested(const std::string& open, int depth, const std::string& close) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(ParseJson, NestsTo64Levels) {
  EXPECT_NO_THROW(parse_json(nested("[", 64, "]"), "t"));
  EXPECT_NO_THROW(parse_json(nested("{\"a\":", 63, "}").insert(63 * 5, "{}"), "t"));
  EXPECT_TRUE(has(fault(nested("[", 65, "]")), "/0/0: nested deeper than 64"));
  EXPECT_TRUE(has(fault(nested("{\"a\":", 65, "}")), "/a/a: nested deeper than 64"));
  EXPECT_TRUE(has(fault(nested("[", 1'000'000, "")), "nested deeper than 64"));
}

TEST(ParseJson, RefusesEmptyText) {
  for (const char* text : {"", " ", "\n\t \r\n"}) {
    EXPECT_EQ(fault(text), "t.json: found an empty file, expected JSON");
  }
}

TEST(ParseJson, RefusesEveryTruncation) {
  const std::string whole = R"({"a": [1, {"b": "c\n"}], "d": -1.5e3, "e": true})";
  EXPECT_NO_THROW(parse_json(whole, "t"));
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_TRUE(fault(whole.substr(0, length)).starts_with("t.json: parse error at line 1"));
  }
}

TEST(ParseJson, NamesLineAndColumn) {
  EXPECT_TRUE(
      fault("{\n  \"a\": 1,\n  b\n}").starts_with("t.json: parse error at line 3, column 3: "));
}

TEST(ParseJson, RefusesWhatIsAlmostJson) {
  for (const char* text :
       {"{\"a\": 1} x", "{\"a\": 1}}", "[1,]",    "{\"a\": 1,}", "{'a': 1}", "{a: 1}", "[1 2]",
        "// c\n1",      "01",          "1.",      ".5",          "+1",       "NaN",    "Infinity",
        "tru",          "\"a\nb\"",    "\"\\x\"", "{\"a\" 1}",   "{1: 2}",   "\x01"}) {
    EXPECT_TRUE(has(fault(text), "t.json: parse error at line")) << text;
  }
}

TEST(ParseJson, RefusesInvalidUtf8) {
  for (const char* text :
       {"\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\xc0\xaf\"", "\"\\ud800\""}) {
    EXPECT_TRUE(has(fault(text), "parse error")) << text;
  }
  EXPECT_EQ(parse_json("\"\xc3\xa4\"", "t"), "\xc3\xa4");
}

TEST(ParseJson, RefusesNumbersOverTheRangeOfDouble) {
  EXPECT_TRUE(fault("[1e400]").starts_with("t.json: /0: a number is out of range: "));
  EXPECT_TRUE(fault("-1e999").starts_with("t.json: (top level): a number is out of range: "));
  EXPECT_EQ(parse_json("1e300", "t"), 1e300);
}

TEST(ParseJson, KeepsWhole64BitIntegers) {
  EXPECT_EQ(parse_json("9223372036854775807", "t").get<std::int64_t>(), 9223372036854775807);
  EXPECT_EQ(parse_json("18446744073709551615", "t").get<std::uint64_t>(), 18446744073709551615u);
  EXPECT_TRUE(parse_json("18446744073709551616", "t").is_number_float());  // JsonReader refuses it
}

TEST(ParseJson, IsLinearInTheLengthOfAnArray) {
  std::string text = "[0";
  for (int i = 1; i < 200'000; ++i) text += ",0";
  // Takes minutes if the parser is quadratic.
  EXPECT_EQ(parse_json(text + "]", "t").size(), 200'000u);
}

TEST(ReadFile, GivesTheBytes) {
  const TempFolder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  EXPECT_EQ(read_file(folder.write("x", bytes)), bytes);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
}

TEST(ReadFile, RefusesWhatIsNoFile) {
  const TempFolder folder;
  EXPECT_EQ(input_error_of([&] { read_file(folder.path("no")); }),
            folder.path("no") + ": No such file or directory");
  EXPECT_EQ(input_error_of([&] { read_file(folder.path()); }),
            folder.path() + ": found a directory, expected a file");
  EXPECT_EQ(input_error_of([&] { read_file(folder.write("f", "x") + "/g"); }),
            folder.path("f/g") + ": Not a directory");
}

TEST(ReadFile, RefusesFilesOver256MBWithoutReadingThem) {
  const TempFolder folder;
  const std::string path = folder.write("huge", "");
  std::filesystem::resize_file(path, kMaxFileBytes + 1);  // sparse
  EXPECT_EQ(input_error_of([&] { read_file(path); }),
            path + ": found 256000001 bytes, expected at most 256000000");
}

TEST(ReadFile, ACompressedFileIsNamedWithTheCommandThatUnpacksIt) {
  const TempFolder folder;
  const auto fault = [&](const std::string& name, const std::string& bytes) {
    const std::string file = folder.write(name, bytes);
    for (const auto& read : {read_file, read_file_or_pipe}) {
      EXPECT_EQ(input_error_of([&] { read(file); }).substr(0, file.size() + 2), file + ": ");
    }
    return input_error_of([&] { read_file(file); }).substr(folder.path().size());
  };
  const auto found = [&](const std::string& name, const std::string& how, const char* command) {
    return "/" + name + ": found a file compressed by " + how +
           ", expected text; unpack it: " + command + " " + folder.path(name) + " > NEW";
  };
  EXPECT_EQ(fault("raw.csv.gz", "\x1f\x8b\x08 and more"), found("raw.csv.gz", "gzip", "zcat <"));
  EXPECT_EQ(fault("raw.zip", "PK\x03\x04 and more"), found("raw.zip", "zip", "unzip -p"));
  EXPECT_EQ(fault("raw.csv", "\x28\xb5\x2f\xfd and"), found("raw.csv", "zstd", "zstdcat <"));
  EXPECT_EQ(
      fault("times.xlsx", "PK\x03\x04 and more"),
      "/times.xlsx: found a workbook of a spreadsheet program, expected text; save it as CSV");
  EXPECT_EQ(read_file(folder.write("x", "PK is no archive")), "PK is no archive");
}

TEST(LoadJson, NamesTheFile) {
  const TempFolder folder;
  EXPECT_EQ(load_json(folder.write("good.json", "{\"a\": 1}"))["a"], 1);
  const std::string path = folder.write("bad.json", "{");
  EXPECT_TRUE(
      input_error_of([&] { load_json(path); }).starts_with(path + ": parse error at line 1"));
}

TEST(ToLine, KeepsOrderAndShortestNumbers) {
  Json json;
  json["z"] = 0.1;
  json["a"] = {1, "x\ny"};
  EXPECT_EQ(to_line(json), R"({"z":0.1,"a":[1,"x\ny"]})");
}

}  // namespace
}  // namespace pnsim
