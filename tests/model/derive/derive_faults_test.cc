// Broken raw pages of Nsight Compute are refused, and the error names row and column.
#include <gtest/gtest.h>

#include "simulator/base/csv.h"
#include "simulator/model/sass/page_text.h"
#include "simulator/model/sass/source_page.h"
#include "tests/model/derive/raw_page.h"

namespace pnsim {
namespace {

using test::input_error_of;
using test::raw_text;
using test::RawPage;
using test::source_text;

const std::vector<std::string> kRequired = {"smsp__inst_executed.sum",
                                            "smsp__sass_inst_executed_op_global_ld.sum",
                                            "smsp__sass_inst_executed_op_global_st.sum",
                                            "smsp__sass_inst_executed_op_shared_ld.sum",
                                            "smsp__sass_inst_executed_op_shared_st.sum",
                                            "launch__grid_size",
                                            "launch__block_size",
                                            "launch__registers_per_thread",
                                            "launch__shared_mem_per_block_static",
                                            "launch__shared_mem_per_block_dynamic",
                                            "launch__occupancy_limit_blocks",
                                            "launch__occupancy_limit_registers",
                                            "launch__occupancy_limit_shared_mem",
                                            "launch__occupancy_limit_warps"};

TEST(RawPageFaults, MissingColumnsAreNamedTogetherWithTheCommand) {
  const std::string remedy =
      ", which every model needs; profile with: ncu --set full --clock-control none "
      "--cache-control none -f -o rep ./program";
  for (const std::string& column : kRequired) {
    RawPage page;
    page.drop(column);
    EXPECT_EQ(page.fault(), "raw.csv: found no column \"" + column + "\"" + remedy);
  }
  RawPage page;
  page.drop("launch__grid_size");
  page.drop("smsp__sass_inst_executed_op_shared_ld.sum");
  EXPECT_EQ(page.fault(),
            "raw.csv: found no column \"launch__grid_size\", "
            "\"smsp__sass_inst_executed_op_shared_ld.sum\"" +
                remedy);
}

TEST(RawPageFaults, ACellThatIsNoNumberIsNamedByRowAndColumn) {
  for (const std::string& column : kRequired) {
    for (const char* text : {"", "n/a", "nan", "inf", "1e999", "0x10", "1 2", "12abc", "1,5",
                             "1,2,3", ",123", "1234,567", "1.5,000"}) {
      RawPage page;
      page.cell(4, column) = text;
      EXPECT_EQ(page.fault(), "raw.csv: row 5 (vector_add), column " + column + ": found \"" +
                                  text + "\", expected a number");
    }
  }
}

TEST(RawPageFaults, ACellThatIsNoCountIsNamedByRowAndColumn) {
  for (const std::string& column : kRequired) {
    for (const char* text : {"-1", "0.5", "1e300", "1125899906842625000"}) {
      if (column == "launch__shared_mem_per_block_static" && text == std::string("0.5")) {
        continue;  // of a Kbyte: 500
      }
      RawPage page;
      page.cell(6, column) = text;
      const std::string& unit_cell = page.rows[1][page.column(column)];
      const std::string unit = unit_cell.empty() ? "" : " " + unit_cell;
      EXPECT_EQ(page.fault(), "raw.csv: row 7 (vector_add), column " + column + ": found " + text +
                                  unit + ", expected a count: a whole number from 0 to 1.13e+15");
    }
  }
}

TEST(RawPageFaults, AColumnThatStandsTwiceIsNamed) {
  RawPage page;
  for (auto& row : page.rows) row.push_back(row[page.column("smsp__inst_executed.sum")]);
  EXPECT_EQ(page.fault(), "raw.csv: row 1: the column \"smsp__inst_executed.sum\" stands twice");
}

TEST(SourcePageFaults, InstructionsOutOfOrderAndDecimalCommasAreNamed) {
  const auto page = [](const char* second, const char* executed = "1") {
    return "\"Kernel Name\",\"k()\"\n\"Address\",\"Source\",\"Instructions "
           "Executed\"\n\"0x20\",\"NOP\",\"1\"\n\"" +
           std::string(second) + "\",\"EXIT\",\"" + executed + "\"\n";
  };
  EXPECT_EQ(read_source_page(page("0x30"), "source.csv").at(0).rows.size(), 2u);
  EXPECT_EQ(read_source_page(page("0x30", "1,024"), "source.csv").at(0).rows[1].executed, 1024);
  EXPECT_NE(input_error_of([&] {
              read_source_page(page("0x30", "1,5"), "source.csv");
            }).find("found \"1,5\""),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              read_source_page(page("0x10"), "source.csv");
            }).find("source.csv: row 4, column Address"),
            std::string::npos);
}

TEST(RawPageFaults, AUnitOfSomethingElseThanTheColumnHoldsIsNamed) {
  const auto check = [](const std::string& column, const std::string& unit,
                        const std::string& expected) {
    RawPage page;
    page.cell(1, column) = unit;
    EXPECT_EQ(page.fault(), "raw.csv: row 3 (vector_add), column " + column +
                                ": found the unit \"" + unit + "\", expected " + expected);
  };
  const std::string bytes = "byte, Kbyte, Mbyte, Gbyte or Tbyte", times = "ns, us, ms or s",
                    counts = "a unit of counts, such as inst or sector";
  check("launch__shared_mem_per_block_static", "furlong", bytes);
  check("launch__shared_mem_per_block_static", "second", bytes);
  check("gpu__time_duration.sum", "Kbyte", times);
  check("gpu__time_duration.sum", "", times);
  check("smsp__inst_executed.sum", "us", counts);
  check("launch__grid_size", "Kbyte", counts);
}

// The error of the page after one cell of its first launch was replaced.
std::string fault(const std::string& column, const std::string& value) {
  RawPage page;
  page.cell(2, column) = value;
  return page.fault();
}

TEST(RawPageFaults, ImpossibleLaunchesAreRefused) {
  const std::string row = "raw.csv: row 3 (vector_add), column launch__";
  const auto shape = [&](const std::string& column, const std::string& found,
                         const std::string& expected) {
    return row + column + ": found " + found + ", expected " + expected +
           ": no launch has another number";
  };
  const std::string blocks = "1 to 1099511627776 blocks";
  EXPECT_EQ(fault("launch__grid_size", "0"), shape("grid_size", "0", blocks));
  EXPECT_EQ(fault("launch__grid_size", "1099511627777"),
            shape("grid_size", "1099511627777", blocks));
  EXPECT_EQ(fault("launch__block_size", "0"), shape("block_size", "0", "1 to 1024 threads"));
  EXPECT_EQ(fault("launch__block_size", "1025"), shape("block_size", "1025", "1 to 1024 threads"));
  EXPECT_EQ(fault("Kernel Name", ""),
            "raw.csv: row 3 (), column Kernel Name: found no name, expected that of the kernel");
  EXPECT_EQ(fault("smsp__inst_executed.sum", "6143"),
            "raw.csv: row 3 (vector_add): the memory instructions are more than all instructions");
  EXPECT_EQ(fault("ID", "2147483648"), "raw.csv: row 3 (vector_add): the ID is over 2^31");
}

TEST(RawPageFaults, LoadedSectorsNeedAnInstructionThatLoads) {
  const std::string column = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  RawPage page;
  page.rows[0].push_back(column);
  page.rows[1].push_back("sector");
  for (std::size_t r = 2; r < page.rows.size(); ++r) page.rows[r].push_back("16384");
  EXPECT_NO_THROW(page.read());
  page.cell(2, "smsp__sass_inst_executed_op_global_ld.sum") = "0";
  EXPECT_EQ(page.fault().substr(0, 133), "raw.csv: row 3 (vector_add), column " + column +
                                             ": found 16384, expected 0: the instruction counters");
}

TEST(RawPageFaults, MoreThanAModelCanHoldIsNamedByRowAndColumn) {
  const std::string where = "raw.csv: row 3 (vector_add), column ";
  EXPECT_EQ(fault("launch__registers_per_thread", "1025"),
            where + "launch__registers_per_thread: found 1025, expected at most 1024");
  for (const std::string column :
       {"launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"}) {
    EXPECT_EQ(fault(column, "8388609"),
              where + column + ": found 8388609, expected at most 8388608");
  }
}

TEST(RawPageFaults, TheShapeIsTheSameInBothPlacesThatHaveIt) {
  const auto with = [](const std::string& dimensions, const std::string& value) {
    RawPage page;
    page.rows[0].push_back(dimensions);
    page.rows[1].push_back("");
    for (std::size_t r = 2; r < page.rows.size(); ++r) page.rows[r].push_back(r == 2 ? value : "");
    return page;
  };
  const std::pair<const char*, const char*> places[] = {{"launch__grid_size", "Grid Size"},
                                                        {"launch__block_size", "Block Size"}};
  for (const auto& [column, dimensions] : places) {
    const std::string size = RawPage().cell(2, column);
    EXPECT_NO_THROW(with(dimensions, "(1, " + size + ", 1)").read());
    EXPECT_EQ(with(dimensions, "(7, 3, 1)").fault(),
              std::string("raw.csv: row 3 (vector_add), column ") + column + ": found " + size +
                  ", expected the 21 of column " + dimensions);
  }
}

// The kernel ran, so one of its blocks fits on an SM.
TEST(RawPageFaults, AnOccupancyLimitOfNoBlockIsNamedByRowAndColumn) {
  for (const char* limit : {"blocks", "registers", "shared_mem", "warps"}) {
    const std::string column = "launch__occupancy_limit_" + std::string(limit);
    RawPage page;
    page.cell(3, column) = "0";
    EXPECT_EQ(page.fault(), "raw.csv: row 4 (block_sum), column " + column +
                                ": found 0, expected at least the one block of a launch that ran");
  }
}

TEST(RawPageFaults, TextThatIsNoRawPageIsRefused) {
  const auto fault = [](const std::string& text) {
    return input_error_of([&] { read_ncu_raw(text, "raw.csv"); });
  };
  const auto expected = [](const std::string& what) {
    return "raw.csv: expected the raw page of ncu as CSV: a header that begins with \"ID\", a row "
           "of "
           "units, and at least one launch" +
           what + "; make it with: ncu --import rep.ncu-rep --page raw --csv > raw.csv";
  };
  EXPECT_EQ(fault(""), expected(""));
  EXPECT_EQ(fault("hello\n"), expected(""));
  EXPECT_EQ(fault("\"ID\",\"x\"\n\"\",\"\"\n"), expected("; it has no launch"));
  EXPECT_EQ(fault(source_text()), expected("; this is a source page"));
  EXPECT_EQ(fault("==PROF== Connected"), expected(""));
}

TEST(RawPageFaults, OtherPagesAreNamed) {
  const auto fault = [](const std::string& text) {
    return input_error_of([&] { read_ncu_raw(text, "raw.csv"); });
  };
  const std::pair<std::string, std::string> pages[] = {
      {"\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\"\n\"0\",\"k()\",\"a\",\"b\"\n",
       "this is a details page, which has rounded numbers and lacks counters; make it with"},
      {"\"Kernel Name\",\"Grid Size\",\"Block Size\"\n\"\",\"\",\"\"\n",
       "this is a raw page without the column \"ID\""},
      {"\"ID\"\t\"Kernel Name\"\n", "its cells stand between tabs"},
      {"[1234] program@127.0.0.1\n  k (1, 1, 1)x(32, 1, 1)\n", "printed without --csv"},
      {std::string("NVR\0\1\2", 6), "this is a report of ncu in its own format, not a page"}};
  for (const auto& [text, said] : pages) {
    EXPECT_NE(fault(text).find(said), std::string::npos) << fault(text);
  }
}

std::string utf16_of(const std::string& text, bool is_big, bool has_mark) {
  std::string out = !has_mark ? "" : is_big ? "\xfe\xff" : "\xff\xfe";
  for (const char c : text) {
    if (is_big) out += '\0';
    out += c;
    if (!is_big) out += '\0';
  }
  return out;
}

TEST(RawPage, InUtf16IsReadInBothByteOrders) {
  const auto expected = read_ncu_raw(raw_text(), "raw.csv");
  for (const bool is_big : {false, true}) {
    for (const bool has_mark : {false, true}) {
      const auto launches = read_ncu_raw(utf16_of(raw_text(), is_big, has_mark), "raw.csv");
      ASSERT_EQ(launches.size(), expected.size());
      EXPECT_EQ(launches[1].counters, expected[1].counters);
    }
  }
}

TEST(RawPage, CharactersBeyondAsciiSurviveUtf16) {
  // é, €, and an emoji of two units.
  EXPECT_EQ(page_of(std::string("\xff\xfe\xe9\x00\xac\x20\x3d\xd8\x00\xde", 10)),
            "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(RawLaunches, AnInvalidRowIsTheFaultOfItsLaunchAlone) {
  RawPage page;
  page.cell(3, "launch__grid_size") = "n/a";
  const RawLaunches read = read_raw_launches(test::text_of(page.rows), "raw.csv");
  ASSERT_EQ(read.launches.size(), 5u);
  EXPECT_EQ(
      read.faults[1],
      "raw.csv: row 4 (block_sum), column launch__grid_size: found \"n/a\", expected a number");
  EXPECT_EQ(read.launches[1].kernel, "block_sum");
  for (const std::size_t i : {0, 2, 3, 4}) EXPECT_EQ(read.faults[i], "");
  EXPECT_EQ(read.launches[2].launch.grid, 256);
}

TEST(RawPage, MessagesOfTheProfilerMayFollow) {
  for (const std::string after :
       {"==PROF== Disconnected from process 7\n", "==PROF== Disconnected",
        "\r\n==WARNING== one\r\n==PROF== two\r\n", "\n\n==PROF== a\n\n==PROF== b\n\n"}) {
    EXPECT_EQ(read_ncu_raw(raw_text() + after, "raw.csv").size(), 5u) << after;
    EXPECT_EQ(read_source_page(source_text() + after, "source.csv").size(),
              read_source_page(source_text(), "source.csv").size())
        << after;
  }
}

// The page as a program writes it where the comma is the decimal mark: "1,234.5" is 1.234,5.
std::string with_semicolons(const std::string& page, bool is_quoted) {
  std::string out;
  for (const auto& row : parse_csv(page, "page")) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::string cell = row[c];
      const bool is_number = cell.find_first_not_of("0123456789.,") == std::string::npos &&
                             cell.find_first_of("0123456789") != std::string::npos;
      const bool is_version = cell == "9.0";  // of the GPU: the same everywhere
      if (is_number && !is_version) {
        for (char& letter : cell) letter = letter == '.' ? ',' : letter == ',' ? '.' : letter;
      }
      out += (c == 0 ? "" : ";") + (is_quoted ? "\"" + cell + "\"" : cell);
    }
    out += "\r\n";
  }
  return out;
}

TEST(RawPage, CellsBetweenSemicolonsAreRead) {
  const auto expected = read_ncu_raw(raw_text(), "raw.csv");
  for (const bool is_quoted : {false, true}) {
    const auto launches = read_ncu_raw(with_semicolons(raw_text(), is_quoted), "raw.csv");
    ASSERT_EQ(launches.size(), expected.size());
    for (std::size_t i = 0; i < launches.size(); ++i) {
      EXPECT_EQ(launches[i].counters, expected[i].counters) << i;
      EXPECT_EQ(launches[i].kernel, expected[i].kernel) << i;
    }
  }
}

TEST(SourcePage, CellsBetweenSemicolonsAreRead) {
  const auto expected = read_source_page(source_text(), "source.csv");
  const auto tables = read_source_page(with_semicolons(source_text(), true), "source.csv");
  ASSERT_EQ(tables.size(), expected.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    EXPECT_TRUE(tables[i].same_rows(expected[i])) << i;
  }
}

TEST(RawPage, BehindTheProfilersMessagesAndAByteOrderMark) {
  EXPECT_EQ(read_ncu_raw("\xef\xbb\xbf==PROF== Connected\n==WARNING== x\n" + raw_text(), "raw.csv")
                .size(),
            5u);
}

// A page of --set full has only parts of one class, and hardware counters instead of another.
TEST(RawPage, LocalAccessesAndAtomicsHaveOtherColumnsInAFullSet) {
  RawPage page;
  for (const char* gone :
       {"smsp__sass_inst_executed_op_local.sum", "smsp__sass_inst_executed_op_global_atom.sum"}) {
    const std::size_t column = page.column(gone);
    for (auto& row : page.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
  for (const auto& [name, cell] : std::map<std::string, std::string>{
           {"smsp__sass_inst_executed_op_local_ld.sum", "30"},
           {"smsp__sass_inst_executed_op_local_st.sum", "20"},
           {"smsp__inst_executed_op_generic_atom_dot_alu.sum", "7"},
           {"smsp__inst_executed_op_generic_atom_dot_cas.sum", "2"}}) {
    page.rows[0].push_back(name);
    page.rows[1].push_back("inst");
    for (std::size_t r = 2; r < page.rows.size(); ++r) page.rows[r].push_back(cell);
  }
  const auto launches = read_ncu_raw(test::text_of(page.rows), "raw.csv");
  EXPECT_EQ(launches[0].launch.classes.at("local"), 50);
  EXPECT_EQ(launches[0].launch.classes.at("global_atomic"), 9);
  EXPECT_EQ(launches[0].totals.global, 6144 + 59);
}

TEST(RawPageFaults, RowsOfAnotherWidthAreRefused) {
  RawPage page;
  page.rows[4].pop_back();
  const std::size_t width = page.rows[0].size();
  EXPECT_EQ(page.fault(), "raw.csv: row 5: found " + std::to_string(width - 1) +
                              " cells, expected " + std::to_string(width));
  RawPage units;
  units.rows[1].push_back("");
  EXPECT_EQ(units.fault(), "raw.csv: row 2: found " + std::to_string(width + 1) +
                               " cells, expected " + std::to_string(width));
}

// A page that is cut after a whole row has fewer launches; one that is cut elsewhere is refused.
TEST(RawPageFaults, ATruncatedPageIsRefused) {
  const std::string whole = raw_text();
  std::size_t refused = 0;
  for (std::size_t cut = 1; cut < whole.size(); cut += 997) {
    try {
      const auto launches = read_ncu_raw(whole.substr(0, cut), "raw.csv");
      EXPECT_LT(launches.size(), 5u);
      EXPECT_TRUE(whole[cut] == '\n' || whole[cut] == '\r' || whole[cut - 1] == '\n') << cut;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      ++refused;
    }
  }
  EXPECT_GT(refused, 40u);
}

}  // namespace
}  // namespace pnsim
