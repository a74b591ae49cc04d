#include "simulator/model/sass/sass.h"

#include <gmock/gmock.h>

#include "simulator/base/csv.h"
#include "simulator/model/sass/kernel_name.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

using test::input_error_of;

TEST(KernelName, IsPlainWithoutArgumentsAndBrackets) {
  EXPECT_EQ(plain_kernel_name("vector_add(const float *, const float *, float *, int)"),
            "vector_add");
  EXPECT_EQ(plain_kernel_name("void scan<int>(const int *, int)"), "scan");
  EXPECT_EQ(plain_kernel_name("void a::scan<b<(int)5>, float>(T1 *)"), "a::scan");
  EXPECT_EQ(plain_kernel_name("(anonymous namespace)::k(int)"), "k");
  EXPECT_EQ(plain_kernel_name("void a::(anonymous namespace)::k<int>(T1)"), "a::k");
  EXPECT_EQ(plain_kernel_name("plain"), "plain");
  EXPECT_EQ(plain_kernel_name("void a::<unnamed>::k<int>(T1)"), "a::k");
  EXPECT_EQ(plain_kernel_name("a::_GLOBAL__N__1f_2_cu_3::k(int)"), "a::k");
  EXPECT_EQ(plain_kernel_name("void unnamed>::k<4, void g<unnamed>::h(T &)::[lambda(int)]>(T1)"),
            "k");
  EXPECT_EQ(plain_kernel_name("void k<4, void g<unnamed>::h(T &)::[lambda(int)]>(T &)>(int)"), "k");
  EXPECT_EQ(plain_kernel_name("_ZN2at6native4fillIfEEvPT_S2_"), "at::native::fill");
  EXPECT_EQ(plain_kernel_name("_Zeroes"), "_Zeroes") << "not a mangled name";
  EXPECT_EQ(plain_kernel_name(""), "");
  EXPECT_EQ(plain_kernel_name("void f<tag<auto (*)(int)->float>, g<1u>>(int)"), "f");
  EXPECT_EQ(plain_kernel_name("void a::f<2, lambda(float) (instance 1)], g<4>>(int, T2)"), "a::f");
}

TEST(KernelNames, TemplateArgumentsAreThoseOfTheKernel) {
  EXPECT_EQ(template_arguments("void scan<int, 4>(const int *, int)"), "<int, 4>");
  EXPECT_EQ(template_arguments("void a<int>::scan<b<(int)5>, float>(T1 *)"), "<b<(int)5>, float>");
  EXPECT_EQ(template_arguments("void a::<unnamed>::scan<int>(T1 *)"), "<int>");
  EXPECT_EQ(template_arguments("_Z4scanIiEvPKT_"), "<int>");
  EXPECT_EQ(template_arguments("void f<2, lambda(float) (instance 1)], g<4>>(int, T2)"),
            "<2, lambda(float) (instance 1)], g<4>>");
  EXPECT_EQ(template_arguments("void f<tag<auto (*)(int)->float>>(int)"),
            "<tag<auto (*)(int)->float>>");
  for (const char* plain :
       {"scan(const std::vector<int> &)", "void a<int>::scan(int)", "scan", ""}) {
    EXPECT_EQ(template_arguments(plain), "") << plain;
  }
}

TEST(KernelName, MayLackOuterNamespaces) {
  EXPECT_TRUE(is_same_kernel("at::native::fill", "native::fill"));
  EXPECT_TRUE(is_same_kernel("fill", "at::native::fill"));
  EXPECT_TRUE(is_same_kernel("fill", "fill"));
  EXPECT_FALSE(is_same_kernel("at::native::fill", "ill"));
  EXPECT_TRUE(is_same_kernel("cudnn::nchwToNhwc", "cudnn::engines_precompiled::nchwToNhwc"));
  EXPECT_FALSE(is_same_kernel("at::native::fill", "cub::fill"));
  EXPECT_FALSE(is_same_kernel("a::b::fill", "b::a::fill"));
  EXPECT_FALSE(is_same_kernel("fill", ""));
}

TEST(SassClass, KnowsTheOpcodesOfHopper) {
  const std::pair<const char*, OpcodeClassId> opcodes[] = {
      {"CGAERRBAR", OpcodeClassId::kFence},      {"USETSHMSZ", OpcodeClassId::kUniform},
      {"USETMAXREG", OpcodeClassId::kUniform},   {"LDGMC.E", OpcodeClassId::kGlobalLoad},
      {"SETCTAID.X", OpcodeClassId::kControl},   {"UCGABAR_GET", OpcodeClassId::kBarrier},
      {"HGMMA.64x128x8", OpcodeClassId::kTensor}};
  for (const auto& [opcode, id] : opcodes) EXPECT_EQ(class_of_opcode(opcode).id, id) << opcode;
}

TEST(SassClass, CoversEveryKindOfAccess) {
  for (const char* text :
       {"LDG.E R2, desc[UR4][R2.64]", "STG.E.128 [R2], R4", "LD.E R2, [R4]", "ST.E [R2], R4",
        "LDL R1, [R2]", "STL [R1], R2", "ATOM.E.ADD R2, [R4], R6", "ATOMG.E.ADD R2, [R4], R6",
        "RED.E.ADD [R2], R4", "REDG.E.ADD [R2], R4", "TEX R2, R4", "TLD4 R2, R4", "SULD.D R2, R4",
        "LDGSTS.E [R2], [R4]", "UTMALDG.2D [UR8], [UR4]"}) {
    EXPECT_EQ(class_of_sass(text), InstructionClass::kGlobal) << text;
  }
  for (const char* text : {"LDS R2, [R4]", "STS.64 [R4], R2", "LDSM.16.M88.4 R4, [R2]",
                           "STSM.16.M88.4 [R2], R4", "ATOMS.ADD R2, [R4], R6"}) {
    EXPECT_EQ(class_of_sass(text), InstructionClass::kShared) << text;
  }
  for (const char* text : {"FADD R1, R2, R3", "LDC R1, c[0x0][0x28]", "ULDC.64 UR4, c[0x0][0x208]",
                           "BAR.SYNC 0x0", "BRA 0x7f00", "EXIT", "NOP", "LDGDEPBAR",
                           "REDUX.SUM UR4, R2", "S2R R0, SR_TID.X", "", "  "}) {
    EXPECT_EQ(class_of_sass(text), InstructionClass::kArithmetic) << text;
  }
}

TEST(SassClass, LooksPastTheGuard) {
  EXPECT_EQ(class_of_sass("@!P0 LDG.E R2, [R2]"), InstructionClass::kGlobal);
  EXPECT_EQ(class_of_sass("@P0   STS [R2], R4"), InstructionClass::kShared);
  EXPECT_EQ(class_of_sass("      LDG.E R2, [R2]"), InstructionClass::kGlobal);
  EXPECT_EQ(class_of_sass("@UP1 UTMALDG [UR8]"), InstructionClass::kGlobal);
  EXPECT_EQ(class_of_sass("@P0"), InstructionClass::kArithmetic);
  EXPECT_EQ(class_of_sass("LDG;"), InstructionClass::kGlobal);
}

std::string page(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) text += csv_line(row);
  return text;
}

const std::vector<std::string> kHeader = {"Address", "Source", "Instructions Executed"};

TEST(SourcePage, AddsUpEachTable) {
  const auto tables = read_ncu_source(page({{"Kernel Name", "one(int)"},
                                            kHeader,
                                            {"0x0", "LDG R1", "3"},
                                            {"0x1", "LDS R1", "1,005"},
                                            {"0x2", "FADD R1", "7"},
                                            {"Kernel Name", "void two<int>()"},
                                            {"Source", "x", "Instructions Executed"},
                                            {"EXIT", "", "2"},
                                            {"Kernel Name", "empty()"},
                                            kHeader}),
                                      "s.csv");
  const std::vector<SourceCounts> expected = {
      {.kernel = "one",
       .instructions = 1015,
       .totals = {.arithmetic = 7, .shared = 1005, .global = 3},
       .sums = {}},
      {.kernel = "two", .instructions = 2, .totals = {.arithmetic = 2}, .sums = {}},
      {.kernel = "empty", .totals = {}, .sums = {}}};
  ASSERT_EQ(tables.size(), expected.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    EXPECT_EQ(tables[i].kernel, expected[i].kernel);
    EXPECT_EQ(tables[i].instructions, expected[i].instructions);
    EXPECT_EQ(tables[i].totals, expected[i].totals);
  }
}

TEST(SourcePage, SumsWhatTheRawPageHasWhereTheTableHasTheColumn) {
  const auto tables =
      read_ncu_source(page({{"Kernel Name", "k()"},
                            {"Source", "Instructions Executed",
                             "Predicated-On Thread Instructions Executed", "L1 Wavefronts Shared"},
                            {"@P0 LDS.128 R4, [R2]", "10", "160", "12"},
                            {"LDSM.16 R4, [R2]", "5", "160", "20"},
                            {"FADD R1, R2, R3", "10", "320", "-"},
                            {"ACQBULK", "10", "320", ""},
                            {"EXIT", "10", "300", ""}}),
                      "s.csv");
  ASSERT_EQ(tables.size(), 1u);
  const auto& sums = tables[0].sums;
  EXPECT_EQ(sums.at("smsp__inst_executed.sum"), 45);
  EXPECT_EQ(sums.at("thread_inst_executed_true"), 1260);
  EXPECT_EQ(sums.at("smsp__thread_inst_executed_pred_on.sum"), 940)
      << "without ACQBULK, as in the raw page";
  EXPECT_EQ(sums.at("memory_l1_wavefronts_shared"), 32);
  EXPECT_EQ(sums.at("smsp__inst_executed_op_shared_ld.sum"), 10);
  EXPECT_EQ(sums.at("smsp__inst_executed_op_global_ld.sum"), 0);
  EXPECT_FALSE(sums.contains("memory_l1_tag_requests_global"));
  EXPECT_FALSE(sums.contains("thread_inst_executed"));
  EXPECT_EQ(tables[0].arithmetic_operations, 940);
}

TEST(SourcePageFaults, ACountThatIsNoneIsNamed) {
  EXPECT_EQ(input_error_of([] {
              read_ncu_source(page({{"Kernel Name", "k()"},
                                    {"Source", "Instructions Executed", "L1 Wavefronts Shared"},
                                    {"LDS R1", "1", "some"}}),
                              "s.csv");
            }),
            "s.csv: row 3: found \"some\", expected a count of wavefronts");
}

TEST(SourcePageFaults, NameTheRow) {
  const auto fault = [](const std::vector<std::vector<std::string>>& rows) {
    return input_error_of([&] { read_ncu_source(page(rows), "s.csv"); });
  };
  const auto expected = [](const std::string& what) {
    return "s.csv: row 1: expected the source page of ncu as CSV: a row that begins with \"Kernel "
           "Name\", then its SASS instructions" +
           what +
           "; make it with: ncu --import rep.ncu-rep --page source --csv --print-source sass > "
           "source.csv";
  };
  const std::vector<std::string> name = {"Kernel Name", "k()"};
  EXPECT_EQ(fault({{"ID", "Process"}}), expected("; this is a raw page"));
  EXPECT_EQ(fault({name}),
            "s.csv: row 1: the table of this kernel is missing: the page ends too early; print it "
            "again");
  EXPECT_EQ(fault({name, {"Address", "Instructions Executed"}}),
            expected("; the column \"Source\" is missing"));
  EXPECT_EQ(fault({name, {"Address", "Source"}}),
            expected("; the column \"Instructions Executed\" is missing"));
  EXPECT_EQ(fault({name, {"#", "Source", "Instructions Executed"}}),
            expected("; this page shows lines of CUDA, not SASS alone"));
  EXPECT_EQ(fault({name, {"Line No", "Source", "Instructions Executed"}}),
            expected("; this page shows lines of CUDA, not SASS alone"));
  EXPECT_EQ(fault({{"File Path", "k.cu"}, {"Function Name", "k"}}),
            expected("; this page shows lines of CUDA, not SASS alone"));
  EXPECT_EQ(fault({name, kHeader, {"0x0", "EXIT"}}),
            "s.csv: row 3: the row ends before the column \"Instructions Executed\"");
  for (const char* count :
       {"", "x", "-1", "1.5", "1e3", "1125899906842625", "99999999999999999999"}) {
    EXPECT_EQ(fault({name, kHeader, {"0x0", "EXIT", count}}),
              "s.csv: row 3: found \"" + std::string(count) +
                  "\", expected a count of executed instructions");
  }
}

TEST(SourcePageFaults, NameWhatAColumnMustHold) {
  const std::vector<std::pair<std::string, std::string>> columns = {
      {"Thread Instructions Executed", "a count of thread instructions"},
      {"Predicated-On Thread Instructions Executed", "a count of thread instructions"},
      {"Divergent Branches", "a count of branches"},
      {"L2 Theoretical Sectors Global", "a count of sectors"},
      {"L1 Tag Requests Global", "a count of tag requests"},
      {"L1 Wavefronts Shared", "a count of wavefronts"},
      {"Access Size", "a number of bits"}};
  for (const auto& [column, expected] : columns) {
    std::vector<std::string> header = kHeader;
    header.push_back(column);
    const auto text = [&](const std::string& cell) {
      return page({{"Kernel Name", "k()"}, header, {"0x0", "EXIT", "1", cell}});
    };
    EXPECT_EQ(input_error_of([&] { read_source_page(text("x"), "s.csv"); }),
              "s.csv: row 3: found \"x\", expected " + expected);
    EXPECT_NO_THROW(read_source_page(text("-"), "s.csv"));
    EXPECT_NO_THROW(read_source_page(text(""), "s.csv"));
  }
}

TEST(SourcePage, HasWhatItsColumnsSay) {
  const auto tables = read_source_page(
      page({{"Kernel Name", "k()"},
            {"Address", "Source", "Instructions Executed", "Access Size", "L1 Wavefronts Shared"},
            {"0x7f10", "      LDS R1, [R2]", "1,000", "64", "2,000"},
            {"32528", "EXIT", "1000", "-", "0"}}),
      "s.csv");
  ASSERT_EQ(tables.size(), 1u);
  const SourceRow& load = tables[0].rows.at(0);
  EXPECT_EQ(load.address, 0x7f10u);
  EXPECT_EQ(load.text, "LDS R1, [R2]");
  EXPECT_EQ(load.access_bits, 64);
  EXPECT_EQ(load.wavefronts, 2000);
  EXPECT_EQ(load.sectors, kNotCounted);
  EXPECT_EQ(tables[0].rows[1].address, 0x7f10u);
  EXPECT_EQ(tables[0].where(1), "s.csv: row 4");
}

TEST(SourcePageFaults, CountsThatOverflowAreRefused) {
  std::vector<std::vector<std::string>> rows = {{"Kernel Name", "k()"}, kHeader};
  rows.resize(2 + 8192, {"0x0", "EXIT", "1125899906842624"});  // 2^13 times 2^50
  EXPECT_EQ(input_error_of([&] { read_ncu_source(page(rows), "s.csv"); }),
            "s.csv: row 8194: the executed instructions add up to over 2^63");
}

TEST(SourcePage, WithoutLinesOfCudaIsNamed) {
  EXPECT_THAT(input_error_of([] {
                read_source_page(
                    "==WARNING== No lineinfo available to show CUDA-C source related "
                    "to 'k()'.\n",
                    "s.csv");
              }),
              testing::HasSubstr("this is a page of lines of CUDA, which the program does not "
                                 "have; make it with: ncu --import rep.ncu-rep --page source"));
}

TEST(SourcePage, EqualTablesInARowAreCopies) {
  const std::vector<std::vector<std::string>> a = {
      {"Kernel Name", "k()"}, kHeader, {"0x0", "EXIT", "1"}};
  const std::vector<std::vector<std::string>> b = {
      {"Kernel Name", "k()"}, kHeader, {"0x0", "EXIT", "2"}};
  const auto tables = read_source_page(page(a) + page(a) + page(b) + page(a), "s.csv");
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].copies, 2u);
  EXPECT_EQ(tables[1].copies, 1u);
  EXPECT_EQ(tables[1].row, 7u);
}

TEST(SourcePage, AnInvalidRowIsTheFaultOfItsTableAlone) {
  const auto tables = read_source_tables(page({{"Kernel Name", "one()"},
                                               kHeader,
                                               {"0x0", "NOP", "n/a"},
                                               {"0x1", "EXIT", "1"},
                                               {"Kernel Name", "two()"},
                                               kHeader,
                                               {"0x0", "EXIT", "5"}}),
                                         "s.csv");
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].fault,
            "s.csv: row 3: found \"n/a\", expected a count of executed instructions");
  EXPECT_EQ(tables[1].fault, "");
  EXPECT_EQ(tables[1].rows.size(), 1u);
}

TEST(SourcePage, AGenericAccessThatTouchesSharedMemoryAloneIsOneOfIt) {
  const auto opcode = [](std::int64_t wavefronts, std::int64_t tags, const std::string& text) {
    SourceRow row;
    row.wavefronts = wavefronts;
    row.tags = tags;
    return opcode_of(row, text);
  };
  EXPECT_EQ(opcode(32, 0, "LD.E.64"), "LDS.E.64");
  EXPECT_EQ(opcode(32, kNotCounted, "ST.E"), "STS.E");
  EXPECT_EQ(opcode(32, 0, "ATOM.E.ADD"), "ATOMS.E.ADD");
  EXPECT_EQ(opcode(32, 5, "LD.E.64"), "LD.E.64") << "both memories";
  EXPECT_EQ(opcode(0, 5, "LD.E.64"), "LD.E.64");
  EXPECT_EQ(opcode(kNotCounted, 0, "LD.E.64"), "LD.E.64");
  EXPECT_EQ(opcode(32, 0, "LDS.64"), "LDS.64");
  EXPECT_EQ(opcode(32, 0, "LDGSTS.E"), "LDGSTS.E");
}

TEST(SourcePage, IsEmptyForNoText) { EXPECT_TRUE(read_ncu_source("", "s.csv").empty()); }

}  // namespace
}  // namespace pnsim
