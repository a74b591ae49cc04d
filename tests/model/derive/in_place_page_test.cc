// The page of launches in place: what each finds in L2 after those before it in its program.
#include "simulator/model/derive/in_place_page.h"

#include <gmock/gmock.h>

#include "simulator/base/data_files.h"
#include "simulator/model/derive/profile_pages.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/memory/cold_launch.h"
#include "simulator/model/memory/traffic.h"
#include "tests/base/temp_folder.h"
#include "tests/model/derive/raw_page.h"
#include "tests/support/costed_launch.h"

namespace pnsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kRepeatedRaw = PNSIM_TEST_DATA "/vectors/ncu_raw.csv";
const std::string kListing = PNSIM_TEST_DATA "/vectors/ncu_source.csv";

// The first warning of a page that experiment profile did not write.
const std::string kNoColumn =
    "in_place.csv: found no column pnsim__other_kernels_before, which experiment profile writes; "
    "each launch is taken to fetch its code";

// Launch i misses 10,000 (i + 1) sectors, reads as many from DRAM, and 900,000 bytes are written.
test::Rows in_place_rows() {
  test::Rows rows = test::kept_columns();
  const std::vector<std::vector<std::string>> units{in_place_columns(), {"sector", "byte", "byte"}};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t sectors = 10'000 * (r - 1);
    const std::vector<std::string> cells =
        r < 2 ? units[r]
              : std::vector<std::string>{std::to_string(sectors), std::to_string(32 * sectors),
                                         "900,000"};
    rows[r].insert(rows[r].end(), cells.begin(), cells.end());
  }
  return rows;
}

ProfilePages pages_with(const test::Rows& rows) {
  const test::TempFolder folder;
  return read_profile_pages(
      {kRepeatedRaw, kListing, folder.write("in_place.csv", test::text_of(rows))});
}

std::size_t column(const test::Rows& rows, const std::string& name) {
  return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) -
                                  rows[0].begin());
}

TEST(InPlacePage, LaunchesHaveItsCountersAndTheirModelsSaySo) {
  const ProfilePages pages = pages_with(in_place_rows());
  ASSERT_EQ(pages.launches.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto sectors = static_cast<std::int64_t>(10'000 * (i + 1));
    const Launch& launch = pages.launches[i].launch;
    EXPECT_EQ(launch.start, CacheStart::kInPlace);
    EXPECT_EQ(launch.counters.at("l2_miss_sectors"), sectors);
    EXPECT_GT(pages.launches[i].code.bytes_ahead, 0);
    EXPECT_EQ(launch.counters.at("dram_read_bytes"),
              32 * sectors - pages.launches[i].code.bytes_ahead);
    EXPECT_EQ(launch.counters.at("dram_write_bytes"), 900'000);
  }
  const std::string text = kernel_model_text(model_of_launch(pages.launches[0], Json::object()));
  EXPECT_THAT(text, HasSubstr("\"cache_start\":\"in_place\""));
  const InputJson json = parse_json(text, "model");
  EXPECT_EQ(read_kernel_model(JsonReader(json, "model")).points[0].launches[0].start,
            CacheStart::kInPlace);
  EXPECT_THAT(kernel_model_text(model_of_launch(
                  read_profile_pages({kRepeatedRaw, kListing}).launches[0], Json::object())),
              testing::Not(HasSubstr("cache_start")));
}

TEST(InPlacePage, WhatTheRepeatedLaunchReadFromDramIsKept) {
  const ProfilePages repeated = read_profile_pages({kRepeatedRaw, kListing}),
                     in_place = pages_with(in_place_rows());
  for (std::size_t i = 0; i < in_place.launches.size(); ++i) {
    EXPECT_EQ(in_place.launches[i].launch.counters.at(kRepeatedReadBytes),
              repeated.launches[i].launch.counters.at("dram_read_bytes"));
  }
}

TEST(InPlacePage, AnUnknownStartIsNamed) {
  Json json = Json::parse(
      kernel_model_text(model_of_launch(pages_with(in_place_rows()).launches[0], Json::object())));
  json["points"][0]["launches"][0]["cache_start"] = "in place";
  const InputJson input = parse_json(json.dump(), "model");
  EXPECT_THAT(test::input_error_of([&] { read_kernel_model(JsonReader(input, "model")); }),
              HasSubstr("model: /points/0/launches/0/cache_start: found \"in place\", expected "
                        "\"in_place\""));
}

// Repeated, the data of these small launches would all be in L2.
TEST(InPlacePage, WhatIsMissedComesFromDramAndWhatEarlierLaunchesWroteTakesTime) {
  Launch launch = pages_with(in_place_rows()).launches[4].launch;
  launch.counters["dram_read_bytes"] = 1'600'000;  // without code
  const auto read_bytes = [&] {
    return when_repeated(launch, h200_facts()).counters.at("dram_read_bytes");
  };
  EXPECT_EQ(read_bytes(), 1'600'000);
  const Traffic in_place = traffic_of(launch, h200());
  EXPECT_EQ(in_place.dram.repeated_misses, 1);
  launch.counters["l2_write_sectors"] = 10'000;  // 320,000 of the 900,000 bytes
  const DramTraffic dram = traffic_of(launch, h200()).dram;
  EXPECT_DOUBLE_EQ(dram.bytes_per_written_sector, 0) << "its own data fit into L2";
  EXPECT_DOUBLE_EQ(dram.evicted_bytes_per_sector, 900'000.0 / (10'000 + 50'000));
  Launch large = launch;
  large.counters["dram_read_bytes"] = 160'000'000;  // far more than L2 keeps
  const DramTraffic of_large = traffic_of(large, h200()).dram;
  const double written = of_large.bytes_per_written_sector;
  EXPECT_GT(written, 16) << "L2 cannot keep most of what it takes in";
  EXPECT_LT(written, 32);
  EXPECT_DOUBLE_EQ(of_large.evicted_bytes_per_sector,
                   (900'000 - 10'000 * written) / (10'000 + 5'000'000));
  const Heuristics own_first = Heuristics{}.without(Heuristic::kEarlierDataEvictedFirst);
  EXPECT_DOUBLE_EQ(dram_traffic(launch, access_patterns(launch), h200_facts(), own_first)
                       .bytes_per_written_sector,
                   32);
  EXPECT_FALSE(cold_start_facts(launch, h200())) << "nothing was flushed";
  launch.start = CacheStart::kWarm;
  EXPECT_EQ(read_bytes(), 0);
  EXPECT_EQ(traffic_of(launch, h200()).dram.repeated_misses, 0);
}

// A launch behind one of its own kernel has its code. Behind other kernels it may have to fetch it:
// the device profile says how much code an SM keeps.
TEST(InPlacePage, CodeIsFetchedWhereOtherKernelsRanInBetween) {
  std::vector<ProfiledLaunch> launches = read_profile_pages({kRepeatedRaw, kListing}).launches;
  for (ProfiledLaunch& launch : launches)
    launch.code = {.lines = 3, .far_lines = 0, .jumps = 5, .far_jumps = 7, .executed_bytes = 2000};
  launches[0].code.executed_bytes = 4500;  // the mean is 2500
  ASSERT_EQ(launches.size(), 5u);
  const auto counters = [&](std::size_t i) {
    const std::map<std::string, std::int64_t>& all = launches[i].launch.counters;
    std::map<std::string, std::int64_t> code;
    for (const char* name :
         {kCodeLines, kCodeJumps, kFarCodeLines, kFarCodeJumps, kCodeSinceBytes, kCodeFromDram}) {
      if (all.contains(name)) code[name] = all.at(name);
    }
    return code;
  };
  const auto fetched = [](std::int64_t since) {
    std::map<std::string, std::int64_t> code{{kCodeLines, 3}, {kCodeJumps, 5}, {kFarCodeJumps, 7}};
    if (since > 0) code[kCodeSinceBytes] = since;
    return code;
  };
  const std::string page = test::text_of(in_place_rows());
  const std::vector<ProfiledLaunch> before = launches;
  EXPECT_TRUE(counters(0).empty()) << "not in place";
  add_in_place_page(page, "page", 5, launches);
  EXPECT_EQ(counters(0), fetched(0)) << "a page that does not say";
  launches = before;
  launches[4].code = {.executed_bytes = 2000};
  add_in_place_page(with_other_kernels(page, "page", {1, 100, 0, 2, 7}), "page", 5, launches);
  EXPECT_EQ(counters(0), fetched(4500 + 2500));
  EXPECT_EQ(counters(1), fetched(2000 + 100 * 2500));
  EXPECT_TRUE(counters(2).empty());
  EXPECT_EQ(counters(3), fetched(2000 + 2 * 2500));
  EXPECT_TRUE(counters(4).empty()) << "no code to fetch";
  launches = before;
  std::string earlier = with_other_kernels(page, "page", {1, 100, 0, 2, 7});
  const std::string column = kOtherKernelsColumn;
  earlier.replace(earlier.find(column), column.size(), "pnsim__other_launches_before");
  add_in_place_page(earlier, "page", 5, launches);
  EXPECT_EQ(counters(1), fetched(2000 + 100 * 2500)) << "a page of an earlier version";
  EXPECT_TRUE(counters(2).empty());
  launches = before;
  add_in_place_page(with_other_kernels(page, "page", {std::nullopt, 0, 0, 0, 0}), "page", 5,
                    launches);
  EXPECT_EQ(counters(0), fetched(0)) << "the kernel's first launch";
  launches = before;
  EXPECT_THAT(
      add_in_place_page(with_other_kernels(page, "page", {1'000'000'001, 0, 0, 0, 0}), "page", 5,
                        launches),
      ElementsAre(HasSubstr("column pnsim__other_kernels_before: found 1000000001, expected at "
                            "most 1000000000; ")));
  EXPECT_THAT(test::input_error_of([&] { with_other_kernels(page, "page", {0}); }),
              HasSubstr("page: found 5 launches, expected 1"));
  EXPECT_THAT(test::input_error_of([&] {
                with_other_kernels(with_other_kernels(page, "page", {1, 1, 1, 1, 1}), "page",
                                   {1, 1, 1, 1, 1});
              }),
              HasSubstr("row 1: found the column pnsim__other_kernels_before, expected none"));
}

TEST(InPlacePage, AnotherLaunchAtItsPlaceIsPredictedAsRepeated) {
  test::Rows rows = in_place_rows();
  rows[3][column(rows, "Kernel Name")] = "block_scan(int *)";
  rows[6][column(rows, "launch__grid_size")] = "511";
  const ProfilePages pages = pages_with(rows);
  EXPECT_THAT(pages.warnings,
              ElementsAre(HasSubstr(kNoColumn),
                          HasSubstr("in_place.csv: row 4 (block_scan): found another launch than "
                                    "block_sum of the other page"),
                          HasSubstr("row 7 (vector_add): found another launch")));
  EXPECT_EQ(pages.launches[1].launch.start, CacheStart::kWarm);
  EXPECT_EQ(pages.launches[4].launch.start, CacheStart::kWarm);
  EXPECT_EQ(pages.launches[0].launch.start, CacheStart::kInPlace);
}

TEST(InPlacePage, ARowWithoutCountsCostsThatLaunchAlone) {
  test::Rows rows = in_place_rows();
  rows[4][column(rows, "dram__bytes_write.sum")] = "n/a";
  const ProfilePages pages = pages_with(rows);
  EXPECT_THAT(pages.warnings, ElementsAre(HasSubstr(kNoColumn),
                                          HasSubstr("row 5 (vector_add): found no counts of "
                                                    "vector_add; vector_add is predicted as if")));
  EXPECT_EQ(pages.launches[2].launch.start, CacheStart::kWarm);
  EXPECT_EQ(pages.launches[3].launch.start, CacheStart::kInPlace);
}

// DRAM's reads hold 8 kB of code. Where the rest is little, it decides between all of
// the 10,000 sectors that the launch misses in L2, and none.
TEST(InPlacePage, ALaunchOfFewReadsHasAllItsMissesFromDramOrNone) {
  std::vector<ProfiledLaunch> launches = read_profile_pages({kRepeatedRaw, kListing}).launches;
  for (ProfiledLaunch& launch : launches) launch.code.bytes_ahead = 8'000;
  const std::vector<ProfiledLaunch> before = launches;
  const auto own_reads = [&](std::int64_t sectors, std::int64_t read_bytes) {
    test::Rows rows = in_place_rows();
    rows[2][column(rows, in_place_columns()[0])] = std::to_string(sectors);
    rows[2][column(rows, "dram__bytes_read.sum")] = std::to_string(read_bytes);
    launches = before;
    add_in_place_page(test::text_of(rows), "page", 5, launches);
    EXPECT_EQ(launches[0].launch.start, CacheStart::kInPlace);
    return launches[0].launch.counters.at("dram_read_bytes");
  };
  EXPECT_EQ(own_reads(0, 8'000), 0) << "code alone";
  EXPECT_EQ(own_reads(128, 8'000 + 4'096), 4'096);
  EXPECT_EQ(own_reads(128, 8'000 + 2'047), 0) << "less than half of the misses";
  EXPECT_EQ(own_reads(128, 8'000 + 2'048), 4'096);
  EXPECT_EQ(own_reads(128, 0), 0);
  EXPECT_EQ(own_reads(10'000, 58'000), 0) << "misses of another partition";
  EXPECT_EQ(own_reads(10'000, 58'001), 50'001) << "no longer few";
  launches = before;
  add_in_place_page(with_other_kernels(test::text_of(in_place_rows()), "page", {0, 1, 1, 1, 1}),
                    "page", 5, launches);
  EXPECT_EQ(launches[0].launch.counters.at("dram_read_bytes"), 320'000) << "its code is there";
  EXPECT_EQ(launches[1].launch.counters.at("dram_read_bytes"), 640'000 - 8'000);
}

TEST(InPlacePage, AnInvalidCellCostsThatLaunchAlone) {
  const std::string reads = "dram__bytes_read.sum";
  struct Case {
    std::string column, cell, message;
  };
  for (const Case& bad : {Case{reads, "abc", "row 5 (vector_add), column dram__bytes_read.sum"},
                          Case{reads, "9000000000000", "more than any GPU moves"},
                          Case{"ID", "77", "column ID: found 77, expected the 2 of vector_add"},
                          Case{"ID", "abc", "column ID: found \"abc\""}}) {
    test::Rows rows = in_place_rows();
    rows[4][column(rows, bad.column)] = bad.cell;
    const ProfilePages pages = pages_with(rows);
    EXPECT_THAT(pages.warnings, ElementsAre(HasSubstr(kNoColumn), HasSubstr(bad.message)));
    EXPECT_THAT(pages.warnings,
                ElementsAre(HasSubstr(kNoColumn),
                            HasSubstr("; vector_add is predicted as if it were repeated")));
    EXPECT_EQ(pages.launches[2].launch.start, CacheStart::kWarm);
    EXPECT_EQ(pages.launches[3].launch.start, CacheStart::kInPlace);
  }
}

// Where the code was evicted from L2, DRAM reads what L2 fetches ahead. The SMs are taken to have
// lost it, too.
TEST(InPlacePage, CodeThatWasEvictedFromL2IsReadFromDram) {
  std::vector<ProfiledLaunch> launches = read_profile_pages({kRepeatedRaw, kListing}).launches;
  for (ProfiledLaunch& launch : launches) {
    launch.code = {};
    launch.code.lines = 3;
    launch.code.bytes_ahead = 8'000;
  }
  const std::vector<ProfiledLaunch> before = launches;
  const auto first = [&](std::int64_t read_bytes, std::int64_t others) {
    test::Rows rows = in_place_rows();
    rows[2][column(rows, "dram__bytes_read.sum")] = std::to_string(read_bytes);
    launches = before;
    add_in_place_page(with_other_kernels(test::text_of(rows), "page", {others, 0, 0, 0, 0}), "page",
                      5, launches);
    return launches[0].launch.counters;
  };
  EXPECT_EQ(first(4'000, 1).at(kCodeFromDram), 1);
  EXPECT_FALSE(first(4'000, 1).contains(kCodeSinceBytes)) << "although both may fit into the SM";
  EXPECT_FALSE(first(3'999, 1).contains(kCodeFromDram)) << "L2 has it";
  EXPECT_TRUE(first(3'999, 1).contains(kCodeSinceBytes));
  EXPECT_FALSE(first(8'000, 0).contains(kCodeFromDram)) << "after a launch of its own kernel";
  EXPECT_EQ(first(320'000, 1).at(kCodeFromDram), 1) << "an estimate beside data";
  launches = before;
  add_in_place_page(test::text_of(in_place_rows()), "page", 5, launches);
  EXPECT_EQ(launches[0].launch.counters.at(kCodeFromDram), 1) << "a page without the column";
}

TEST(InPlacePage, TheRawPageItselfIsRefused) {
  EXPECT_EQ(test::input_error_of([] {
              read_profile_pages({kRepeatedRaw, kListing, kRepeatedRaw});
            }),
            kRepeatedRaw + ": is the same page as the raw page " + kRepeatedRaw +
                "; expected one of ncu --replay-mode application");
}

TEST(InPlacePage, APageOfOtherLaunchesOrWithoutItsColumnsIsRefused) {
  test::Rows rows = in_place_rows();
  rows.pop_back();
  EXPECT_THAT(test::input_error_of([&] { pages_with(rows); }),
              HasSubstr("in_place.csv: found 4 launches, expected the 5 of the other page"));
  rows = in_place_rows();
  rows[0][column(rows, "dram__bytes_write.sum")] = "dram__bytes_write.avg";
  EXPECT_THAT(test::input_error_of([&] { pages_with(rows); }),
              HasSubstr("the page lacks \"dram__bytes_write.sum\"; profile with ncu --replay-mode "
                        "application --clock-control none --cache-control none --metrics "
                        "lts__t_sectors_srcunit_tex_lookup_miss.sum,dram__bytes_read.sum,"
                        "dram__bytes_write.sum"));
  rows = in_place_rows();
  for (std::size_t r = 2; r < rows.size(); ++r)
    rows[r][column(rows, "device__attribute_display_name")] = "NVIDIA H100";
  EXPECT_THAT(test::input_error_of([&] { pages_with(rows); }),
              HasSubstr("found a launch on NVIDIA H100, expected NVIDIA H200"));
}

}  // namespace
}  // namespace pnsim
