// Rows that replace older rows of the same id.
#include "simulator/base/latest_rows.h"

#include <gtest/gtest.h>

#include "simulator/base/error.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::TempFolder;
using Lines = std::vector<std::string>;

TEST(LatestRows, ReplaceTheOlderOnesOfTheirId) {
  const TempFolder folder;
  folder.write("rows.jsonl", "{\"id\":\"a\",\"n\":1}\n{\"id\":\"b\",\"n\":1}\n");
  const OutputFile file(folder.path("rows.jsonl"));
  store_latest_rows(file, Lines{"{\"id\":\"a\",\"n\":2}", "{\"id\":\"c\",\"n\":2}"});
  EXPECT_EQ(folder.read("rows.jsonl"),
            "{\"id\":\"b\",\"n\":1}\n{\"id\":\"a\",\"n\":2}\n{\"id\":\"c\",\"n\":2}\n");
}

TEST(LatestRows, LeaveOtherLinesAlone) {
  const TempFolder folder;
  folder.write("rows.jsonl", "a note\n\n{\"n\":1}\n{\"n\":1}\n{\"id\":\"a\"}\n");
  store_latest_rows(OutputFile(folder.path("rows.jsonl")), Lines{"{\"id\":\"a\",\"n\":2}"});
  EXPECT_EQ(folder.read("rows.jsonl"), "a note\n\n{\"n\":1}\n{\"n\":1}\n{\"id\":\"a\",\"n\":2}\n");
}

TEST(LatestRows, MakeTheFileAndTakeOtherPlaces) {
  const TempFolder folder;
  store_latest_rows(OutputFile(folder.path("new.jsonl")), Lines{"{\"id\":\"a\"}"});
  EXPECT_EQ(folder.read("new.jsonl"), "{\"id\":\"a\"}\n");
  store_latest_rows(OutputFile("/dev/null"), Lines{"{\"id\":\"a\"}"});
  EXPECT_THROW(
      store_latest_rows(OutputFile(folder.path("no/such/x.jsonl")), Lines{"{\"id\":\"a\"}"}),
      Error);
}

}  // namespace
}  // namespace pnsim
