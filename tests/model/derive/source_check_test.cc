// The source page beside the raw page: real pages of tests/data/vectors, changed, and small ones.
#include "simulator/model/derive/source_check.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "simulator/base/csv.h"
#include "tests/model/derive/raw_page.h"

namespace pnsim {
namespace {

using test::input_error_of;
using test::raw_text;
using test::Rows;
using test::source_text;
using test::text_of;
using testing::ElementsAre;

TEST(AgainstSource, EverySumOfBothPagesIsCompared) {
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  const SourceCheck check = check_against_source(launches, source_text(), "source.csv");
  ASSERT_EQ(check.launches.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const SourceCounts& page = check.launches[i];
    EXPECT_EQ(page.sums.at("smsp__inst_executed.sum"), launches[i].instructions);
    EXPECT_EQ(page.sums.at("memory_l2_theoretical_sectors_global"),
              launches[i].counters.at("memory_l2_theoretical_sectors_global"));
    // Instructions, of threads, of those not predicated off, tag requests, sectors, and for
    // block_sum shared wavefronts; reductions and shared atomics by opcode.
    EXPECT_GE(check.sums[i], 7u);
  }
  // Every lane of vector_add's 65536 threads but the 5 past the end adds once.
  EXPECT_GT(check.launches[0].arithmetic_operations, 65'531);
}

TEST(AgainstSource, ASumThatDiffersNamesKernelAndColumn) {
  for (const char* column :
       {"thread_inst_executed", "thread_inst_executed_true", "memory_l1_tag_requests_global",
        "memory_l2_theoretical_sectors_global", "memory_l1_wavefronts_shared",
        "smsp__inst_executed_op_global_red.sum", "smsp__inst_executed_op_shared_atom.sum"}) {
    auto launches = read_ncu_raw(raw_text(), "raw.csv");
    double& sum = launches[3].counters.at(column);
    sum = std::string(column) == "thread_inst_executed_true" ? 1.2 * sum : sum + 1;
    const std::string error =
        input_error_of([&] { check_against_source(launches, source_text(), "source.csv"); });
    EXPECT_NE(error.find(std::string("launch 3 (block_sum): ") + column), std::string::npos)
        << column << ": " << error;
  }
}

TEST(AgainstSource, ASumThatTheRawPageLacksIsNotCompared) {
  auto launches = read_ncu_raw(raw_text(), "raw.csv");
  for (ProfiledLaunch& launch : launches) launch.counters.clear();
  for (const std::size_t sums : check_against_source(launches, source_text(), "s.csv").sums) {
    EXPECT_EQ(sums, 0u);
  }
}

TEST(AgainstSource, OneTableALaunchIsEnough) {
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  std::string once;
  std::size_t table = 0;
  for (const auto& row : parse_csv(source_text(), "source.csv")) {
    if (row[0] == "Kernel Name") ++table;
    if (table % 2 == 1) once += csv_line(row);
  }
  EXPECT_NO_THROW(check_against_source(launches, once, "source.csv"));
}

TEST(AgainstSource, DifferencesAreNamed) {
  const auto fault = [](const std::vector<ProfiledLaunch>& launches) {
    return input_error_of([&] { check_against_source(launches, source_text(), "source.csv"); });
  };
  auto launches = read_ncu_raw(raw_text(), "raw.csv");
  std::swap(launches[1].kernel, launches[2].kernel);
  EXPECT_EQ(
      fault(launches),
      "source.csv: launch 1 (vector_add): found kernel \"block_sum\", expected \"vector_add\"");
  launches = read_ncu_raw(raw_text(), "raw.csv");
  launches[3].totals = {138'240 - 51'457 - 2'304, 51'457, 2'304};
  EXPECT_EQ(fault(launches),
            "source.csv: launch 3 (block_sum): the instructions add up to 138240 (84480 "
            "arithmetic, 51456 "
            "shared, 2304 global), the raw page has 138240 (84479 arithmetic, 51457 shared, 2304 "
            "global)")
      << "equal in total, so without a percentage";
  launches = read_ncu_raw(raw_text(), "raw.csv");
  launches[0].instructions += 1;
  EXPECT_EQ(fault(launches),
            "source.csv: launch 0 (vector_add): the instructions add up to 40960 (34816 "
            "arithmetic, 0 shared, "
            "6144 global), the raw page has 40961 (34816 arithmetic, 0 shared, 6144 global) "
            "(-0.0024 %)");
}

TEST(AgainstSource, TablesOfLaunchesThatTheRawPageLacksAreTold) {
  auto launches = read_ncu_raw(raw_text(), "raw.csv");
  launches.erase(launches.begin() + 1);
  const SourceCheck check = check_against_source(launches, source_text(), "source.csv");
  EXPECT_THAT(check.differences,
              ElementsAre("source.csv: 2 tables of the page belong to no launch of the raw page"));
  EXPECT_EQ(check.launches[1].instructions, launches[1].instructions);
}

TEST(AgainstSource, ALaunchWithoutATableIsAFaultOfItAlone) {
  auto launches = read_ncu_raw(raw_text(), "raw.csv");
  launches.insert(launches.begin() + 2, launches[2]);
  launches[2].kernel = launches[2].launch.kernel = "other";
  const SourceCheck check = compare_with_source(launches, {}, source_text(), "source.csv");
  ASSERT_EQ(check.faults.size(), 6u);
  EXPECT_EQ(check.faults[2], "source.csv: launch 2 (other): the page has no table for this launch");
  EXPECT_EQ(check.tables[2], nullptr);
  for (const std::size_t i : {0, 1, 3, 4, 5}) {
    EXPECT_EQ(check.faults[i], "");
    EXPECT_EQ(check.launches[i].instructions, launches[i].instructions);
  }
}

TEST(AgainstSource, LaunchesMayHaveOneTableOrTwo) {
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  for (int once = 0; once < 32; ++once) {
    std::string page;
    int table = -1;
    for (const auto& row : parse_csv(source_text(), "source.csv")) {
      if (row[0] == "Kernel Name") ++table;
      if (table % 2 == 0 || !(once >> table / 2 & 1)) page += csv_line(row);
    }
    const SourceCheck check = check_against_source(launches, page, "source.csv");
    EXPECT_TRUE(check.differences.empty()) << once;
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(check.launches[i].instructions, launches[i].instructions) << once;
    }
  }
}

TEST(AgainstSource, NamesMayLackOuterNamespaces) {
  auto launches = read_ncu_raw(raw_text(), "raw.csv");
  for (ProfiledLaunch& launch : launches) launch.kernel = "at::" + launch.kernel;
  EXPECT_NO_THROW(check_against_source(launches, source_text(), "source.csv"));
}

TEST(AgainstSource, DifferencesBetweenRunsAreToleratedWhereWarpsDiverge) {
  const auto check = [](std::int64_t counted, const char* divergent) {
    ProfiledLaunch launch;
    launch.kernel = "k";
    launch.instructions = launch.totals.arithmetic = counted;
    const Rows page = {{"Kernel Name", "k()"},
                       {"Source", "Instructions Executed", "Divergent Branches"},
                       {"@P0 BRA 0x10", "40", divergent},
                       {"EXIT", "60", "0"}};
    return check_against_source({launch}, text_of(page), "s.csv").differences.size();
  };
  EXPECT_EQ(check(100, "7"), 0u);
  EXPECT_EQ(check(105, "7"), 1u);
  EXPECT_EQ(check(92, "7"), 1u);
  const auto fault = [&](std::int64_t counted, const char* divergent) {
    return input_error_of([&] { check(counted, divergent); });
  };
  EXPECT_NE(fault(112, "7").find("launch 0 (k): the instructions add up to 100"),
            std::string::npos);
  EXPECT_NE(fault(101, "0").find("the raw page has 101"), std::string::npos);
}

TEST(AgainstSource, ThreadsThatArePredicatedOnMayDifferInAnyLaunch) {
  for (const char* column :
       {"smsp__thread_inst_executed_pred_on.sum", "thread_inst_executed_true"}) {
    const auto check = [&](double factor, const char* changed) {
      auto launches = read_ncu_raw(raw_text(), "raw.csv");
      launches[3].counters.insert({column, launches[3].counters.at("thread_inst_executed_true")});
      launches[3].counters.at(changed) *= factor;
      return compare_with_source(launches, {}, source_text(), "s.csv");
    };
    const SourceCheck near = check(1.014, column);
    EXPECT_THAT(near.faults, testing::Each(testing::IsEmpty()));
    EXPECT_THAT(near.differences,
                ElementsAre(testing::AllOf(
                    testing::HasSubstr("launch 3 (block_sum): " + std::string(column)),
                    testing::EndsWith(" (-1.4 %)"))));
    EXPECT_EQ(near.tolerated_sums, 1u);
    const SourceCheck far = check(1.25, column);
    EXPECT_THAT(far.faults[3], testing::EndsWith(" (-20 %)"));
    EXPECT_NEAR(far.needed_tolerance, 0.2, 1e-6);
    EXPECT_THAT(check(1.014, "thread_inst_executed").faults[3], testing::EndsWith(" (-1.4 %)"))
        << "all threads of the instructions do not depend on predicates";
  }
}

TEST(AgainstSource, AGivenToleranceAcceptsLargerDifferencesOfEverySum) {
  auto launches = read_ncu_raw(raw_text(), "raw.csv");
  launches[3].counters.at("thread_inst_executed") *= 1.25;
  launches[3].instructions += 1;
  const auto faults = [&](double tolerance) {
    return compare_with_source(launches, {}, source_text(), "s.csv", tolerance).faults[3];
  };
  EXPECT_NE(faults(0.19), "");
  EXPECT_EQ(faults(0.21), "");
  const auto told = compare_with_source(launches, {}, source_text(), "s.csv", 0.21).differences;
  EXPECT_THAT(told, ElementsAre(testing::AllOf(
                        testing::StartsWith("s.csv: launch 3 (block_sum): thread_inst_executed: "),
                        testing::HasSubstr(" (-20 %); one more sum differs: instructions (-"))));
}

TEST(AgainstSource, DifferencesOfSpinningWarpsAreToleratedUpToAHalf) {
  const auto check = [](std::int64_t counted, const char* load) {
    ProfiledLaunch launch;
    launch.kernel = "k";
    launch.instructions = counted;
    launch.totals = {counted - 400, 0, 400};
    const Rows page = {
        {"Kernel Name", "k()"},          {"Address", "Source", "Instructions Executed"},
        {"0x10", load, "400"},           {"0x20", "ISETP.EQ.U32.AND P0, PT, R2, RZ, PT", "400"},
        {"0x30", "@P0 BRA 0x10", "400"}, {"0x40", "EXIT", "100"}};
    return check_against_source({launch}, text_of(page), "s.csv").differences.size();
  };
  EXPECT_EQ(check(1300, "LD.E.STRONG.GPU R2, [R4]"), 0u);
  EXPECT_EQ(check(1900, "LD.E.STRONG.GPU R2, [R4]"), 1u);
  EXPECT_THROW(check(3000, "LD.E.STRONG.GPU R2, [R4]"), Error);
  EXPECT_THROW(check(1301, "LD.E R2, [R4]"), Error);
}

TEST(AgainstSource, GenericAccessesMayTouchSharedMemory) {
  const auto fault = [](std::int64_t shared, std::int64_t global) {
    ProfiledLaunch launch;
    launch.kernel = "k";
    launch.instructions = 100;
    launch.totals = {100 - shared - global, shared, global};
    const Rows page = {{"Kernel Name", "k()"},
                       {"Source", "Instructions Executed"},
                       {"LD.E R2, [R4]", "30"},
                       {"LDS R2, [R4]", "20"},
                       {"EXIT", "50"}};
    return compare_with_source({launch}, {}, text_of(page), "s.csv").faults[0];
  };
  EXPECT_EQ(fault(20, 30), "");
  EXPECT_EQ(fault(50, 0), "");
  EXPECT_EQ(fault(35, 15), "");
  EXPECT_NE(fault(51, 0), "") << "more than LDS and LD together";
  EXPECT_NE(fault(35, 16), "");
  EXPECT_NE(fault(19, 31), "") << "LDS is never global";
}

TEST(AgainstSource, TheTableThatFitsIsTakenWhenTwoDiffer) {
  const auto launches = read_ncu_raw(raw_text(), "raw.csv");
  Rows rows = parse_csv(source_text(), "source.csv");
  const auto executed = std::find(rows[1].begin(), rows[1].end(), "Instructions Executed");
  rows[2][static_cast<std::size_t>(executed - rows[1].begin())] = "2049";
  const SourceCheck check = check_against_source(launches, text_of(rows), "source.csv");
  EXPECT_EQ(check.launches[0].instructions, launches[0].instructions);
  EXPECT_THAT(
      check.differences,
      ElementsAre("source.csv: one table of the page belongs to no launch of the raw page"));
}

}  // namespace
}  // namespace pnsim
