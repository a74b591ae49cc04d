// `pnsim derive` into a folder that holds models already.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kDerivedPages = PNSIM_TEST_DATA;

TEST(DerivedFiles, IntoAFolderWithOtherModelsSaysSo) {
  const std::string folder = scratch_folder() + "/models";
  const std::string vectors = "derive --ncu " + kDerivedPages + "/vectors/ncu_raw.csv --source " +
                              kDerivedPages + "/vectors/ncu_source.csv -o " + folder;
  EXPECT_THAT(run_program(vectors).err, Not(HasSubstr("other models")));
  EXPECT_THAT(run_program(vectors).err, Not(HasSubstr("other models"))) << "the same again";
  EXPECT_THAT(
      run_program("derive --ncu " + kDerivedPages + "/pages/torch.raw.csv -o " + folder).err,
      HasSubstr(folder + " holds 5 other models, which `pnsim --model " + folder +
                "` predicts as well"));
}

// Launch 4 has a fault in the second page. What derive did not make of this page stays.
TEST(DerivedFiles, AModelOfALaunchThatIsNowSkippedIsRemoved) {
  const std::string folder = scratch_folder(), models = folder + "/models";
  const std::string page = folder + "/raw.csv", derive = "derive --ncu " + page + " -o " + models;
  const std::string whole = file_text(kDerivedPages + "/vectors/ncu_raw.csv");
  const std::string good = "(128, 1, 1)\",\"(512, 1, 1)", bad = "(128, 1, 1)\",\"(511, 1, 1)";
  std::string faulty = whole;
  ASSERT_NE(faulty.rfind(good), std::string::npos);
  faulty.replace(faulty.rfind(good), good.size(), bad);
  write_text(page, whole);
  ASSERT_EQ(run_program(derive).code, 0);
  const std::string model = models + "/0004-vector_add.json";
  const std::string derived = file_text(model);

  write_text(page, faulty);
  const ProgramResult again = run_program(derive);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("removed " + model +
                                   ": an earlier run made it of a launch that "
                                   "is now skipped"));
  EXPECT_THAT(again.err, Not(HasSubstr("other model")));
  EXPECT_FALSE(std::filesystem::exists(model));
  EXPECT_TRUE(std::filesystem::exists(models + "/0000-vector_add.json"));

  for (const std::string& kept :
       {std::string("{}"), std::string("no JSON"),
        std::string(derived).replace(derived.find("\"raw.csv\""), 9, "\"cub.csv\""),
        std::string(derived).replace(derived.find("pnsim derive"), 12, "an editor")}) {
    write_text(model, kept);
    EXPECT_THAT(run_program(derive).err, HasSubstr("holds 1 other model, which"));
    EXPECT_EQ(file_text(model), kept);
  }
  // A copy under another name whose end is the kernel's.
  std::filesystem::remove(model);
  const std::string copy = models + "/0004-tuned_vector_add.json";
  write_text(copy, derived);
  EXPECT_THAT(run_program(derive).err, HasSubstr("holds 1 other model, which"));
  EXPECT_EQ(file_text(copy), derived);
}

// The page has the row of launch 4 twice.
TEST(DerivedFiles, AModelOfThisRunStaysWhereASecondLaunchHasItsId) {
  const std::string folder = scratch_folder(), models = folder + "/models";
  std::string page = file_text(kDerivedPages + "/vectors/ncu_raw.csv");
  page += page.substr(page.rfind('\n', page.size() - 2) + 1);
  write_text(folder + "/raw.csv", page);
  for (const std::string& source :
       {std::string(), " --source " + kDerivedPages + "/vectors/ncu_source.csv"}) {
    const ProgramResult derived =
        run_program("derive --ncu " + folder + "/raw.csv" + source + " -o " + models);
    EXPECT_EQ(derived.code, 0) << derived.err;
    EXPECT_THAT(derived.err, HasSubstr("row 8 (vector_add), column ID: found the ID 4 twice (rows "
                                       "7 and 8)"));
    EXPECT_THAT(derived.err, Not(HasSubstr("removed")));
    const std::vector<std::string> files = words_of(derived.out);
    EXPECT_EQ(files.size(), 5u);
    for (const std::string& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
}

}  // namespace
}  // namespace pnsim
