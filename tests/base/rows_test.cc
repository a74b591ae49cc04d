#include "simulator/base/rows.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::input_error_of;
using test::TempFolder;

std::vector<std::string> ids(const std::vector<InputJson>& rows) {
  std::vector<std::string> out;
  for (const InputJson& row : rows) out.push_back(row.at("id").get<std::string>());
  return out;
}

TEST(LoadRows, ReadsOneObjectALine) {
  const TempFolder folder;
  const std::string path = folder.write("r.jsonl", "{\"id\":\"a\",\"x\":1}\n\n{\"id\":\"b\"}");
  const auto rows = load_rows(path);
  EXPECT_EQ(ids(rows), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(rows[0].at("x"), 1);
}

TEST(LoadRows, ReadsOnlyTheWantedLines) {
  const TempFolder folder;
  const std::string path = folder.write("r.jsonl", "{\"id\":\"a\"}\nno JSON\n{\"id\":\"b\"}\n");
  const auto rows = load_rows(path, [](std::string_view line) { return line[0] == '{'; });
  EXPECT_EQ(ids(rows), (std::vector<std::string>{"a", "b"}));
}

TEST(LoadRows, GivesNoneForAMissingFile) { EXPECT_TRUE(load_rows("/no/such.jsonl").empty()); }

TEST(LoadRows, NamesTheLineOfABadRow) {
  const TempFolder folder;
  const auto fault = [&](const std::string& line) {
    const std::string path =
        folder.write("r.jsonl", "{\"id\":\"a\"}\n\n" + line + "\n{\"id\":\"b\"}\n");
    const std::string said = input_error_of([&] { load_rows(path); });
    EXPECT_TRUE(said.starts_with(path + ": line 3: ")) << said;
    return said.substr(path.size());
  };
  const std::string expected = ": line 3: expected a JSON object with a string \"id\"";
  EXPECT_EQ(fault("[1]"), expected);
  EXPECT_EQ(fault("{\"x\": 1}"), expected);
  EXPECT_EQ(fault("{\"id\": 7}"), expected);
  EXPECT_EQ(fault("{\"id\":\"a\",\"id\":\"b\"}"),
            ": line 3: /id: the key appears twice in one object");
  EXPECT_NE(fault("{\"id\":\"a\"").find("parse error"), std::string::npos);  // an incomplete line
}

TEST(ResumeRows, TakeOffARowThatWasCutOff) {
  const TempFolder folder;
  const std::string path = folder.write("r.jsonl", "{\"id\":\"a\"}\n{\"id\":\"b\",\"st");
  EXPECT_EQ(ids(resume_rows(path)), (std::vector<std::string>{"a"}));
  EXPECT_EQ(read_file(path), "{\"id\":\"a\"}\n");
  EXPECT_EQ(ids(resume_rows(folder.write("s.jsonl", "{\"id\":"))), (std::vector<std::string>{}));
  EXPECT_TRUE(resume_rows("/no/such.jsonl").empty());
}

TEST(ResumeRows, AreCutOnlyInAFileThatMayBeWrittenAndHoldsRows) {
  const TempFolder root;
  const std::string torn = "{\"id\":\"a\"}\n{\"id\":\"b\",\"st";
  const std::string recorded = root.write("results/a/times.jsonl", torn);
  root.write("models/nets/x.json", "{}");
  const test::Environment home("PNSIM_HOME", root.path());
  ASSERT_EQ(::symlink(recorded.c_str(), root.path("grid.jsonl").c_str()), 0);
  EXPECT_NE(test::error_of(ExitCode::kUsage, [&] { resume_rows(root.path("grid.jsonl")); })
                .find("is a recorded file"),
            std::string::npos);
  EXPECT_EQ(read_file(recorded), torn);
  for (const std::string text : {"{\"id\":\"a\"}\nmy notes", "a note\n{\"id\":"}) {
    const std::string path = root.write("notes", text);
    forget_inputs();
    EXPECT_NE(input_error_of([&] { resume_rows(path); }), "");
    EXPECT_EQ(read_file(path), text);
  }
  forget_inputs();
}

TEST(ResumeRows, KeepAWholeLastRowWithoutItsNewline) {
  const TempFolder folder;
  const std::string text = "{\"id\":\"a\"}\n{\"id\":\"b\"}";
  const std::string path = folder.write("r.jsonl", text);
  EXPECT_EQ(ids(resume_rows(path)), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read_file(path), text);
}

TEST(ResumeRows, DoNotForgiveABadRowInTheMiddle) {
  const TempFolder folder;
  const std::string path = folder.write("r.jsonl", "{\"id\":\n{\"id\":\"b\"}\n");
  EXPECT_TRUE(input_error_of([&] { resume_rows(path); }).starts_with(path + ": line 1: "));
}

TEST(RecordedRows, AreThoseOfAllFilesOfTheDeviceTheLastOfAnIdCounting) {
  const TempFolder folder;
  folder.write("models/nets/x.json", "{}");
  folder.write("results/tiny/b.jsonl", "{\"id\":\"1\",\"v\":\"b\"}\n{\"id\":\"3\",\"v\":\"b\"}\n");
  folder.write("results/tiny/a.jsonl", "{\"id\":\"1\",\"v\":\"a\"}\n{\"id\":\"2\",\"v\":\"a\"}\n");
  folder.write("results/tiny/notes.txt", "no JSON");
  folder.write("results/other/c.jsonl", "{\"id\":\"9\"}\n");
  const test::Environment home("PNSIM_HOME", folder.path());
  const auto rows = recorded_rows("tiny");
  EXPECT_EQ(ids(rows), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(rows[0].at("v"), "b");
  EXPECT_TRUE(recorded_rows("unknown").empty());
  const std::string_view but[] = {"a.jsonl", "none.jsonl"};
  EXPECT_EQ(ids(recorded_rows("tiny", nullptr, but)), (std::vector<std::string>{"1", "3"}));
}

}  // namespace
}  // namespace pnsim
