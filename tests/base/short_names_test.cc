#include "simulator/base/short_names.h"

#include <gmock/gmock.h>

namespace pnsim {
namespace {

TEST(ShortNames, NumberedFilesAreCutBehindTheirNumber) {
  const std::string most(40, 'k');
  EXPECT_EQ(short_file(most), most);
  EXPECT_EQ(short_file(most + "k"), most.substr(3) + "...");
  EXPECT_EQ(short_file("0037-scan.json"), "0037-scan.json");
  EXPECT_EQ(short_file("0037-" + most), "0037-kkkkkkkkkkkkkkkk...");
  EXPECT_EQ(short_file("-" + most.substr(1)), "-" + most.substr(1)) << "no number";
  EXPECT_EQ(short_file("00370037"), "00370037");
}

TEST(ShortNames, KernelsHaveNoNamespaces) {
  EXPECT_EQ(short_kernel("scan", ""), "scan");
  EXPECT_EQ(short_kernel("at::native::reduce_kernel", "<512, at::native::ReduceOp<float>>"),
            "reduce_kernel<512, ReduceOp<float>>");
  EXPECT_EQ(short_kernel("a::<unnamed>::scan", "<(a::Kind)5>"), "<unnamed>::scan<(Kind)5>");
  EXPECT_EQ(short_kernel("ns::K", "<cutlass::Gemm<int>::Params, f(a::B)::C>"),
            "K<Gemm<int>::Params, f(B)::C>");
  EXPECT_EQ(short_kernel("k", "<x::f(T &)::[lambda() (instance 1)]::operator ()()>"),
            "k<f(T &)::[lambda() (instance 1)]::operator ()()>");
  EXPECT_EQ(short_kernel("gr\xc3\xb6\xc3\x9f"
                         "e::f",
                         "<y::gr\xc3\xb6\xc3\x9f"
                         "e>"),
            "f<gr\xc3\xb6\xc3\x9f"
            "e>");
  EXPECT_EQ(short_kernel("f", "<ns::g()::{lambda(int)#1}::T, n::'lambda'::U>"),
            "f<g()::{lambda(int)#1}::T, 'lambda'::U>");
  EXPECT_EQ(short_kernel("f", "<$_0::T, int (n::A::*)(int) const>"), "f<T, int (A::*)(int) const>");
  EXPECT_EQ(short_kernel("::scan", "<std::array<char *, 3>>"), "scan<array<char *, 3>>");
}

TEST(ShortNames, LongOnesAreCutBetweenCharacters) {
  const std::string most(56, 'k');
  EXPECT_EQ(short_kernel(most, ""), most);
  EXPECT_EQ(short_kernel(most + "k", ""), most.substr(3) + "...");
  EXPECT_EQ(short_kernel(most.substr(4) + "\xc3\xa4" + most, ""), most.substr(4) + "...");
}

}  // namespace
}  // namespace pnsim
