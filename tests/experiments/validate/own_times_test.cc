// Tests which tables of times are read and which are refused.
#include "experiments/validate/own_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/base/error_of.h"
#include "tests/experiments/validate/own_pages.h"

namespace pnsim::experiments {
namespace {

using testing::HasSubstr;

const std::string kTable =
    "index,kernel,problem,block,time_us\n"
    "0,add,n1,256,2.5\n"
    "1,add,n1,32x8,2.25\n";

std::string refusal(const std::string& what, const std::string& by) {
  const std::string table = replaced(kTable, what, by);
  return test::input_error_of([&] { read_own_times(table, "t.csv", 2); });
}

TEST(OwnTimes, RowsAreReadByTheNamesOfTheirColumns) {
  const auto times = read_own_times(kTable, "t.csv", 2);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[1].where, "t.csv: row 3");
  EXPECT_EQ(times[1].index, 1u);
  EXPECT_EQ(times[1].kernel, "add");
  EXPECT_EQ(times[1].problem, "n1");
  EXPECT_EQ(times[1].block, "32x8");
  EXPECT_EQ(times[1].config, "");
  EXPECT_EQ(times[1].us, 2.25);
  EXPECT_EQ(times[0].threads(), 256);
  EXPECT_EQ(times[1].threads(), 256);
}

TEST(OwnTimes, ColumnsAndRowsStandInAnyOrderAndOtherColumnsArePassedOver) {
  const auto times = read_own_times(
      "\xef\xbb\xbftime_us,spread,config,block,problem,kernel,index\r\n"
      "3e1,0.1,b,64,\"n, m\",k,1\r\n2,0.1,a,1024,n,k,0\r\n",
      "t.csv", 2);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].config, "a");
  EXPECT_EQ(times[1].problem, "n, m");
  EXPECT_EQ(times[1].us, 30);
}

TEST(OwnTimes, AMissingOrRepeatedColumnIsRefused) {
  EXPECT_THAT(refusal("time_us", "time_ms"),
              HasSubstr("t.csv: row 1: found no column \"time_us\" (the nearest is \"time_ms\"), "
                        "expected index, kernel, problem, block, time_us and optionally config, "
                        "grid, instrumented, and stands_for with stands_for_us"));
  for (const std::string column : {"index", "kernel", "problem", "block"}) {
    EXPECT_THAT(refusal(column, "else"), HasSubstr("found no column \"" + column + "\""));
  }
  EXPECT_THAT(refusal("kernel", "index"), HasSubstr("row 1: the column \"index\" is given twice"));
  EXPECT_THAT(refusal(kTable, ""), HasSubstr("t.csv: found nothing"));
}

TEST(OwnTimes, ALaunchMayHaveNoTimeButNotAllOfThem) {
  const auto times = read_own_times(replaced(kTable, "2.5\n", "\n"), "t.csv", 2);
  EXPECT_EQ(times[0].us + times[1].us, 2.25);
  EXPECT_THAT(test::input_error_of([] {
                read_own_times(replaced(replaced(kTable, "2.5\n", "\n"), "2.25\n", "\n"), "t.csv",
                               2);
              }),
              HasSubstr("no launch has a time"));
}

TEST(OwnTimes, ATimeThatIsNoneIsRefused) {
  for (const std::string us : {"nan", "inf", "0", "-1", "1e-9", "1e10", "2.5us", " 2.5", "0x1"}) {
    EXPECT_THAT(refusal("2.5\n", us + "\n"), HasSubstr("t.csv: row 2, column time_us: found \"" +
                                                       us + "\", expected microseconds"));
  }
  EXPECT_THAT(refusal("2.5\n", "2,5\n"), HasSubstr("row 2: found 6 cells, expected 5"));
}

// As spreadsheets save CSV where the comma is the decimal mark, and as text with tabs.
TEST(OwnTimes, MayBeOfInstrumentedKernels) {
  const std::string marked =
      "index,kernel,problem,block,time_us,instrumented\n"
      "0,add,n1,256,2.5,1\n"
      "1,add,n1,256,2.25,0\n";
  EXPECT_TRUE(read_own_times(marked, "t.csv", 2)[0].is_instrumented);
  EXPECT_FALSE(read_own_times(marked, "t.csv", 2)[1].is_instrumented);
  EXPECT_FALSE(read_own_times(kTable, "t.csv", 2)[0].is_instrumented);
  EXPECT_TRUE(read_own_times(replaced(marked, ",instrumented\n", ",invocation\n"), "t.csv", 2)[1]
                  .is_instrumented)
      << "a table of an earlier experiment profile";
  EXPECT_THAT(test::input_error_of([&] {
                read_own_times(replaced(marked, "instrumented", "Instrumented "), "t.csv", 2);
              }),
              HasSubstr("found the column \"Instrumented \", expected \"instrumented\""));
  for (const std::string other : {"yes", "", "2"}) {
    EXPECT_THAT(test::input_error_of(
                    [&] { read_own_times(replaced(marked, "2.5,1", "2.5," + other), "t.csv", 2); }),
                HasSubstr("t.csv: row 2, column instrumented: found \"" + other +
                          "\", expected 1 for the time of a profiler that adds code"));
  }
}

TEST(OwnTimes, MaySayWhatALaunchRepresents) {
  const std::string table =
      "index,kernel,problem,block,time_us,stands_for,stands_for_us\n"
      "0,add,n1,256,2.5,3.5,9\n"
      "1,add,n1,256,2.25,,\n";
  const auto times = read_own_times(table, "t.csv", 2);
  EXPECT_EQ(times[0].stands_for, 3.5);
  EXPECT_EQ(times[0].stands_for_us, 9);
  EXPECT_EQ(times[1].stands_for, 0);
  const std::string comma = "index;kernel;problem;block;time_us;stands_for;stands_for_us\n";
  const auto other = read_own_times(comma + "0;add;n1;256;2,5;3,5;9,25\n", "t.csv", 1);
  EXPECT_EQ(other[0].stands_for, 3.5);
  EXPECT_EQ(other[0].stands_for_us, 9.25);
  const auto refused = [&](const std::string& what, const std::string& by) {
    return test::input_error_of([&] { read_own_times(replaced(table, what, by), "t.csv", 2); });
  };
  EXPECT_THAT(refused("stands_for_us", "us"),
              HasSubstr("row 1: found the column \"stands_for\" "
                        "without \"stands_for_us\", expected both"));
  EXPECT_THAT(refused("stands_for,", "count,"),
              HasSubstr("found the column \"stands_for_us\" without \"stands_for\""));
  EXPECT_THAT(refused("stands_for,", "Stands_For,"),
              HasSubstr("found the column \"Stands_For\", expected \"stands_for\""));
  for (const std::string other_count : {"", "0", "0.9", "-1", "nan", "inf", "1e10", "3x"}) {
    EXPECT_THAT(refused("2.5,3.5", "2.5," + other_count),
                HasSubstr("t.csv: row 2, column stands_for: found \"" + other_count +
                          "\", expected a number of launches"));
  }
  for (const std::string us : {"", "0", "-9", "nan", "1e13"}) {
    EXPECT_THAT(refused("3.5,9", "3.5," + us),
                HasSubstr("t.csv: row 2, column stands_for_us: found \"" + us +
                          "\", expected microseconds"));
  }
}

TEST(OwnTimes, CellsMayStandBetweenSemicolonsOrTabs) {
  for (const std::string separator : {";", "\t"}) {
    for (const std::string point : {".", ","}) {
      std::string table =
          "index;kernel;problem;block;config;time_us\r\n0;add;n1;256;\"a, b\";2.5\r\n"
          "1;add;n1;32x8;c, d;12.25\r\n";
      table = replaced(replaced(table, ".", point), ";", separator);
      const auto times = read_own_times(table, "t.csv", 2);
      ASSERT_EQ(times.size(), 2u) << table;
      EXPECT_EQ(times[0].us, 2.5) << table;
      EXPECT_EQ(times[1].us, 12.25) << table;
      EXPECT_EQ(times[0].config, "a, b");
      EXPECT_EQ(times[1].config, "c, d");
      check_own_times(table, "t.csv");
    }
  }
  const std::string head = "index;kernel;problem;block;time_us\n0;add;n1;256;7,723\n";
  const auto three = read_own_times(head + "1;add;n1;256;1,012\n", "t.csv", 2);
  EXPECT_EQ(three[0].us, 7.723) << "not thousands";
  EXPECT_EQ(three[1].us, 1.012);
  EXPECT_EQ(test::input_error_of([&] { read_own_times(head + "1;add;n1;256;1.8\n", "t.csv", 2); }),
            "t.csv: row 2, column time_us: found \"7,723\" beside \"1.8\", expected one decimal "
            "mark in all numbers and none between thousands");
  EXPECT_EQ(test::input_error_of(
                [&] { read_own_times(head + "1;add;n1;256;1.8\n2;add;n1;256;1,5\n", "t.csv", 3); }),
            "t.csv: row 4, column time_us: found \"1,5\" beside \"1.8\" (row 3, column time_us), "
            "expected one decimal mark in all numbers; write all times with a decimal point");
  EXPECT_THAT(test::input_error_of([] {
                read_own_times("index\tkernel\tproblem\tblock\ttime_us\n0\tadd\tn;1\t256\t1\n",
                               "t.csv", 1);
              }),
              HasSubstr("t.csv: found tabs between the cells and semicolons"));
}

TEST(OwnTimes, ProblemsThatAreNotUtf8AreWrittenAsAShellReadsThem) {
  const auto times = read_own_times(replaced(kTable, "n1",
                                             "gr\xf6\xdf"
                                             "e"),
                                    "t.csv", 2);
  EXPECT_EQ(times[0].problem, "$'gr\\xf6\\xdfe'");
}

TEST(OwnTimes, ABlockThatIsNoneIsRefused) {
  for (const std::string block : {"0", "-32", "32x", "x32", "1025", "64x64", "32*8", "b64", ""}) {
    EXPECT_THAT(refusal("32x8", block), HasSubstr("t.csv: row 3, column block: found \"" + block +
                                                  "\", expected the threads of a block"));
  }
}

TEST(OwnTimes, MayHaveTheBlocksOfTheGrid) {
  const std::string marked =
      "index,kernel,problem,block,time_us,grid\n"
      "0,add,n1,256,2.5,64x2x1\n"
      "1,add,n1,256,2.25,\n";
  const auto times = read_own_times(marked, "t.csv", 2);
  EXPECT_EQ(times[0].blocks, 128);
  EXPECT_EQ(times[1].blocks, 0) << "not given";
  EXPECT_EQ(read_own_times(kTable, "t.csv", 2)[0].blocks, 0);
  for (const std::string grid :
       {"0", "64x", "(64 2 1)", "9000000000000000000x2", "2147483648x65535x65536"}) {
    EXPECT_THAT(
        test::input_error_of([&] { read_own_times(replaced(marked, "64x2x1", grid), "t.csv", 2); }),
        HasSubstr("t.csv: row 2, column grid: found \"" + grid +
                  "\", expected the blocks of the grid, as 4096 or 64x64, or nothing"));
  }
}

TEST(OwnTimes, AColumnOfTheGridHasItsName) {
  for (const std::string name : {"Grid", " grid", "GRID "}) {
    EXPECT_THAT(refusal("time_us", "time_us," + name),
                HasSubstr("found the column \"" + name + "\", expected \"grid\""));
  }
}

TEST(OwnTimes, NamesAreNotEmpty) {
  EXPECT_THAT(refusal("0,add", "0,"),
              HasSubstr("row 2, column kernel: found \"\", expected a name"));
  EXPECT_THAT(refusal("n1", ""), HasSubstr("row 2, column problem: found \"\", expected a name"));
}

TEST(OwnTimes, EveryLaunchHasOneRow) {
  EXPECT_THAT(refusal("\n1,", "\n0,"),
              HasSubstr("t.csv: row 3: found the index 0 again, after t.csv: row 2"));
  for (const std::string index : {"2", "-1", "1.0", "one", ""}) {
    EXPECT_THAT(refusal("\n1,", "\n" + index + ","),
                HasSubstr("row 3, column index: found \"" + index +
                          "\", expected the number of a profiled launch, 0 to 1"));
  }
  EXPECT_THAT(refusal("0,add,n1,256,2.5\n", ""),
              HasSubstr("t.csv: found 1 rows, expected one for each of 2 profiled launches; the "
                        "index 0 is the first that is missing"));
}

}  // namespace
}  // namespace pnsim::experiments
