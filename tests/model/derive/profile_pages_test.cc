// The pages of a profile as files, read together.
#include "simulator/model/derive/profile_pages.h"

#include <gmock/gmock.h>

#include "simulator/base/csv.h"
#include "tests/base/temp_folder.h"
#include "tests/model/derive/raw_page.h"

namespace pnsim {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kRaw = PNSIM_TEST_DATA "/vectors/ncu_raw.csv";
const std::string kSource = PNSIM_TEST_DATA "/vectors/ncu_source.csv";

TEST(ProfilePages, WithASourcePageLaunchesHaveProgramsAndANoteSaysWhatWasCompared) {
  const ProfilePages pages = read_profile_pages({kRaw, kSource});
  ASSERT_EQ(pages.launches.size(), 5u);
  for (const ProfiledLaunch& launch : pages.launches) EXPECT_FALSE(launch.launch.segments.empty());
  EXPECT_THAT(pages.notes, ElementsAre(HasSubstr("sums of 5 launches equal the raw page's")));
  EXPECT_THAT(pages.warnings, IsEmpty());
}

TEST(ProfilePages, WithTheRawPageAloneLaunchesHaveCounts) {
  const ProfilePages pages = read_profile_pages({kRaw, ""});
  ASSERT_EQ(pages.launches.size(), 5u);
  EXPECT_THAT(pages.launches[0].launch.segments, IsEmpty());
  EXPECT_THAT(pages.notes, IsEmpty());
}

TEST(ProfilePages, AnUnknownOpcodeIsAWarning) {
  const test::TempFolder folder;
  std::string source = test::source_text();
  for (std::size_t at; (at = source.find(" FADD ")) != std::string::npos;)
    source.replace(at, 6, " QADD ");
  const ProfilePages pages = read_profile_pages({kRaw, folder.write("source.csv", source)});
  EXPECT_THAT(pages.warnings,
              ElementsAre(HasSubstr("source.csv: launch 0 (vector_add) and 2 more: the opcode QADD "
                                    "is not known")))
      << "one an opcode";
}

TEST(ProfilePages, OneBadLaunchCostsThatLaunch) {
  const test::TempFolder folder;
  test::Rows rows = parse_csv(test::raw_text(), "raw.csv");
  const auto at = [&](const char* column) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), column) -
                                    rows[0].begin());
  };
  rows[3][at("launch__registers_per_thread")] = "n/a";  // launch 1
  rows[5][at("memory_l1_wavefronts_shared")] += "1";    // launch 3 has ten times as many
  const std::string raw = folder.write("raw.csv", test::text_of(rows));
  const ProfilePages pages = read_profile_pages({raw, kSource});
  ASSERT_EQ(pages.launches.size(), 3u);
  EXPECT_EQ(pages.launches[1].position, 2u);
  EXPECT_FALSE(pages.launches[2].launch.segments.empty());
  ASSERT_EQ(pages.skipped.size(), 2u);
  EXPECT_EQ(pages.skipped[0].position, 1u);
  EXPECT_THAT(pages.warnings,
              ElementsAre(HasSubstr("skipped: " + raw +
                                    ": row 4 (block_sum), column launch__registers_per_thread: "
                                    "found \"n/a\""),
                          HasSubstr("skipped: " + kSource +
                                    ": launch 3 (block_sum): "
                                    "memory_l1_wavefronts_shared: the source page adds up to"),
                          HasSubstr("skipped 2 of 5 launches, for the reasons above")));
}

TEST(ProfilePages, NoLaunchLeftIsAnError) {
  const test::TempFolder folder;
  std::string source = test::source_text();
  for (const std::string name : {"vector_add", "block_sum"}) {
    for (std::size_t at; (at = source.find("\"" + name)) != std::string::npos;)
      source.replace(at, 2, "\"x");
  }
  EXPECT_THAT(test::input_error_of([&] {
                read_profile_pages({kRaw, folder.write("source.csv", source)});
              }),
              AllOf(HasSubstr("launch 0 (vector_add): found kernel \"xector_add\""),
                    HasSubstr("none of the 5 launches of " + kRaw + " has a model")));
}

// The real raw page without some of its columns.
std::string raw_without(const std::vector<std::string>& starts) {
  const test::Rows all = parse_csv(test::raw_text(), "raw.csv");
  test::Rows rows(all.size());
  for (std::size_t c = 0; c < all[0].size(); ++c) {
    const bool is_gone = std::any_of(starts.begin(), starts.end(), [&](const std::string& start) {
      return all[0][c].starts_with(start);
    });
    for (std::size_t r = 0; !is_gone && r < all.size(); ++r) rows[r].push_back(all[r][c]);
  }
  return test::text_of(rows);
}

TEST(ProfilePages, ColumnsThatDecideTheTimeMustBeThere) {
  const test::TempFolder folder;
  const std::string raw =
      folder.write("raw.csv", raw_without({"dram__", "lts__t_sectors_srcunit"}));
  EXPECT_THAT(
      test::input_error_of([&] {
        read_profile_pages({raw, kSource});
      }),
      AllOf(HasSubstr("raw.csv: found no numbers in \"lts__t_sectors_srcunit_tex_op_read.sum\", "
                      "\"lts__t_sectors_srcunit_tex_op_write.sum\", "
                      "\"lts__t_sectors_srcunit_tex_lookup_miss.sum\", \"dram__bytes_read.sum\", "
                      "\"dram__bytes_write.sum\", which decide the predicted time"),
            HasSubstr("ncu --set full --clock-control none --cache-control none -f -o rep "
                      "./program"),
            HasSubstr("--allow-missing")));
  EXPECT_EQ(read_profile_pages({raw, ""}).launches.size(), 5u) << "counts need none of them";
}

TEST(ProfilePages, MissingColumnsOfTheBusiestSliceAreAWarning) {
  const test::TempFolder folder;
  const std::string raw = folder.write("raw.csv", raw_without({"lts__t_sectors_op_red.max"}));
  const ProfilePages pages = read_profile_pages({raw, kSource});
  EXPECT_EQ(pages.launches.size(), 5u);
  EXPECT_THAT(pages.warnings,
              ElementsAre(AllOf(HasSubstr("found no numbers in \"lts__t_sectors_op_red.max\": the "
                                          "atomics of a launch are taken to be spread"),
                                HasSubstr("profile with: ncu --set full"))));
}

// One cell of launch 1 (row 4) after the other.
TEST(ProfilePages, ALaunchWhoseCountersContradictEachOtherIsSkipped) {
  struct Change {
    std::string column, cell, says;
  };
  const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_",
                    l2 = "lts__t_sectors_srcunit_tex_";
  const std::string most = "found 999999999999999, expected at most ";
  for (const Change& change :
       {Change{l2 + "lookup_miss.sum", "999999999999999", most},
        Change{l2 + "op_read.sum", "999999999999999", most},
        Change{l2 + "op_write.sum", "999999999999999", most},
        Change{sectors + "ld.sum", "999999999999999", most},
        Change{sectors + "st.sum", "999999999999999", most},
        Change{"dram__bytes_read.sum", "999999999999", "expected at most "}}) {
    const test::TempFolder folder;
    test::Rows rows = parse_csv(test::raw_text(), "raw.csv");
    const auto at = std::find(rows[0].begin(), rows[0].end(), change.column) - rows[0].begin();
    rows[3][static_cast<std::size_t>(at)] = change.cell;
    const ProfilePages pages =
        read_profile_pages({folder.write("raw.csv", test::text_of(rows)), kSource});
    EXPECT_EQ(pages.launches.size(), 4u) << change.column;
    EXPECT_THAT(pages.warnings, testing::Contains(AllOf(HasSubstr("column " + change.column),
                                                        HasSubstr(change.says))));
  }
}

TEST(ProfilePages, MissingColumnsThatAreAllowedAreKeptInTheModel) {
  const test::TempFolder folder;
  const std::string raw = folder.write("raw.csv", raw_without({"dram__"}));
  const ProfilePages pages = read_profile_pages({raw, kSource, "", true});
  ASSERT_EQ(pages.launches.size(), 5u);
  EXPECT_THAT(pages.warnings, ElementsAre(HasSubstr("\"dram__bytes_read.sum\"")));
  const KernelModel model = model_of_launch(pages.launches[0], Json::object());
  EXPECT_EQ(model.provenance["missing"], Json({"dram__bytes_read.sum", "dram__bytes_write.sum"}));
  const std::string file = folder.write("model.json", kernel_model_text(model));
  EXPECT_EQ(load_kernel_model(file).provenance["missing"], model.provenance["missing"]);
}

TEST(ProfilePages, AColumnThatOneLaunchLacksCostsThatLaunch) {
  const test::TempFolder folder;
  test::Rows rows = parse_csv(test::raw_text(), "raw.csv");
  const auto column = std::find(rows[0].begin(), rows[0].end(), "dram__bytes_read.sum");
  rows[4][static_cast<std::size_t>(column - rows[0].begin())] = "n/a";
  const std::string raw = folder.write("raw.csv", test::text_of(rows));
  const ProfilePages pages = read_profile_pages({raw, kSource});
  EXPECT_EQ(pages.launches.size(), 4u);
  ASSERT_EQ(pages.skipped.size(), 1u);
  EXPECT_THAT(pages.skipped[0].why,
              HasSubstr("launch 2 (vector_add): found no numbers in \"dram__bytes_read.sum\""));
  EXPECT_EQ(read_profile_pages({raw, kSource, "", true}).launches.size(), 5u);
}

// Names of the raw page may lack outer namespaces, or be mangled.
TEST(ProfilePages, TheLongerNameOfAKernelIsKept) {
  const test::TempFolder folder;
  std::string source = test::source_text();
  for (std::size_t at = 0; (at = source.find("\"vector_add(", at)) != std::string::npos; at += 12)
    source.insert(at + 1, "at::native::");
  const ProfilePages pages = read_profile_pages({kRaw, folder.write("source.csv", source)});
  EXPECT_EQ(pages.launches[0].kernel, "at::native::vector_add");
  EXPECT_EQ(pages.launches[0].launch.kernel, "at::native::vector_add");
  EXPECT_EQ(pages.launches[1].kernel, "block_sum");
}

// The cell of a raw page with this column.
std::string& cell_of(test::Rows& rows, std::size_t row, const std::string& column) {
  const auto it = std::find(rows[0].begin(), rows[0].end(), column);
  EXPECT_NE(it, rows[0].end()) << column;
  return rows[row][static_cast<std::size_t>(it - rows[0].begin())];
}

TEST(ProfilePages, CountersThatContradictEachOtherCostTheirLaunch) {
  const test::TempFolder folder;
  test::Rows rows = parse_csv(test::raw_text(), "raw.csv");
  const std::string loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld";
  const std::string sectors = cell_of(rows, 3, loads + ".sum");
  cell_of(rows, 3, loads + "_lookup_hit.sum") = "999999999";
  cell_of(rows, 5, "smsp__inst_executed.max") = "1";
  const ProfilePages pages = read_profile_pages({folder.write("raw.csv", test::text_of(rows)), ""});
  EXPECT_EQ(pages.launches.size(), 3u);
  ASSERT_EQ(pages.skipped.size(), 2u);
  EXPECT_THAT(pages.skipped[0].why,
              HasSubstr("row 4 (block_sum), column " + loads +
                        "_lookup_hit.sum: found 999999999, expected at most the " + sectors));
  EXPECT_THAT(pages.skipped[1].why, HasSubstr("column smsp__inst_executed.max: found 1, expected"));
}

TEST(ProfilePages, ANameThatIsNotUtf8CostsItsLaunch) {
  const test::TempFolder folder;
  test::Rows rows = parse_csv(test::raw_text(), "raw.csv");
  std::string& name = cell_of(rows, 3, "Kernel Name");
  name = "caf\xe9" + name;
  cell_of(rows, 4, "device__attribute_display_name") = "NVIDIA \xe9";
  const std::string raw = folder.write("raw.csv", test::text_of(rows));
  for (const std::string& source : {kSource, std::string()}) {
    const ProfilePages pages = read_profile_pages({raw, source});
    EXPECT_EQ(pages.launches.size(), 3u);
    ASSERT_EQ(pages.skipped.size(), 2u);
    EXPECT_EQ(pages.skipped[0].kernel, "$'caf\\xe9block_sum'");
    EXPECT_THAT(pages.skipped[0].why,
                HasSubstr("row 4 ($'caf\\xe9block_sum'), column Kernel Name: found text that is "
                          "not UTF-8"));
    EXPECT_THAT(pages.skipped[1].why,
                HasSubstr("row 5 (vector_add), column device__attribute_display_name"));
  }
}

// The launch at which a changed source page has its fault; all others have models.
std::string only_fault_with(const std::string& source) {
  const test::TempFolder folder;
  const ProfilePages pages = read_profile_pages({kRaw, folder.write("source.csv", source)});
  EXPECT_EQ(pages.launches.size(), 4u);
  return pages.skipped.size() == 1 ? pages.skipped[0].why : "";
}

// The source page has two tables of the last launch: both get the fault.
TEST(ProfilePages, ALineOfSassThatNoModelCanHoldCostsItsLaunch) {
  const test::Rows all = parse_csv(test::source_text(), "source.csv");
  const auto fault_of_last = [&](const std::string& column, const std::string& cell) {
    test::Rows rows = all;
    std::size_t table = rows.size();
    for (int tables = 2; tables > 0; --tables) {
      while (rows[--table][0] != "Kernel Name") continue;
      const auto it = std::find(rows[table + 1].begin(), rows[table + 1].end(), column);
      rows[table + 2][static_cast<std::size_t>(it - rows[table + 1].begin())] = cell;
    }
    const std::string row = "source.csv: row " + std::to_string(table + 3) + ", column " + column;
    EXPECT_THAT(only_fault_with(test::text_of(rows)), HasSubstr(row));
    return only_fault_with(test::text_of(rows));
  };
  EXPECT_THAT(fault_of_last("Access Size", "9999999999"),
              HasSubstr("found \"9999999999\", expected a number of bits, at most 8388608"));
  EXPECT_THAT(fault_of_last("Source", "CAF\xe9 R1"), HasSubstr("found text that is not UTF-8"));
}

TEST(ProfilePages, LeftOverTablesAreNotToldAsCountsThatDiffer) {
  const test::TempFolder folder;
  test::Rows rows = parse_csv(test::raw_text(), "raw.csv");
  rows.pop_back();
  const ProfilePages pages =
      read_profile_pages({folder.write("raw.csv", test::text_of(rows)), kSource});
  EXPECT_THAT(pages.notes, ElementsAre(HasSubstr("2 tables of the page belong to no launch"),
                                       HasSubstr("sums of 4 launches equal the raw page's")));
}

TEST(ProfilePages, TheHeaderOfASecondPageIsNamed) {
  const test::TempFolder folder;
  const test::Rows rows = parse_csv(test::raw_text(), "raw.csv");
  const ProfilePages pages =
      read_profile_pages({folder.write("raw.csv", test::text_of(rows) + test::text_of(rows)), ""});
  EXPECT_EQ(pages.launches.size(), 5u);
  ASSERT_EQ(pages.skipped.size(), 7u);
  EXPECT_THAT(pages.skipped[0].why,
              AllOf(HasSubstr("raw.csv: row 8: repeats the header of row 1, as if two pages were "
                              "joined"),
                    testing::EndsWith("; give each page to a command of its own")));
  EXPECT_THAT(pages.skipped[1].why, HasSubstr("row 9: repeats the units of row 2"));
  EXPECT_THAT(pages.skipped[2].why, HasSubstr("found the ID 0 twice (rows 3 and 10)"));
  test::Rows other = rows;
  cell_of(other, 1, "gpu__time_duration.sum") = "ms";
  EXPECT_THAT(test::input_error_of([&] {
                read_profile_pages(
                    {folder.write("raw.csv", test::text_of(rows) + test::text_of(other)), ""});
              }),
              HasSubstr("raw.csv: row 8: found a second header with other columns or units"));
}

}  // namespace
}  // namespace pnsim
