#include "simulator/base/extension.h"

#include <gmock/gmock.h>

#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

TEST(Extension, IsTheEndOfThePathInEitherCase) {
  EXPECT_TRUE(has_extension("folder/net.json", ".json"));
  EXPECT_TRUE(has_extension("NET.JSON", ".json"));
  EXPECT_TRUE(has_extension("page.Ncu-Rep", ".ncu-rep"));
  EXPECT_FALSE(has_extension("rows.jsonl", ".json"));
  EXPECT_FALSE(has_extension("json", ".json"));
  EXPECT_FALSE(has_extension("", ".json"));
}

TEST(Extension, FilesOfAFolderAreSortedAndNotHidden) {
  const test::TempFolder folder;
  for (const char* name : {"b.json", "A.JSON", ".hidden.json", "notes.txt"})
    folder.write(name, "{}");
  std::filesystem::create_directory(folder.path("folder.json"));
  const FilesOfFolder files = files_of_folder(folder.path(), ".json", "models");
  EXPECT_THAT(files.paths, testing::ElementsAre(folder.path("A.JSON"), folder.path("b.json")));
  EXPECT_EQ(files.others, 3u);
  EXPECT_THAT(
      test::input_error_of([&] { files_of_folder(folder.path("none"), ".json", "models"); }),
      testing::HasSubstr("none: No such file or directory, expected models"));
}

}  // namespace
}  // namespace pnsim
