#include "simulator/base/brackets.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

TEST(Brackets, GoWithWhatTheyHold) {
  EXPECT_EQ(without_brackets("f<T>(int)"), "f");
  EXPECT_EQ(without_brackets("a<b<(int)5>>::f{x}[1]"), "a::f");
  EXPECT_EQ(without_brackets("f<auto (*)(int)->float>::g"), "f::g") << "an arrow closes nothing";
  EXPECT_EQ(without_brackets(""), "");
}

TEST(Brackets, AreIgnoredWithoutTheirPartner) {
  EXPECT_EQ(without_brackets("f<g(int) (instance 1)], h<4>>(int)"), "f");
  EXPECT_EQ(without_brackets("f]"), "f]");
  EXPECT_EQ(without_brackets("f<(N>4), int>(int)"), "f") << "a comparison";
  EXPECT_EQ(without_brackets("f<(N<4)>(int)"), "f");
  EXPECT_EQ(without_brackets("f<int"), "f") << "a bracket that is not closed";
}

TEST(UnnamedNamespaces, AreErasedAsCompilersAndProfilersPrintThem) {
  EXPECT_EQ(without_unnamed_namespaces("a::(anonymous namespace)::f(int)"), "a::f(int)");
  EXPECT_EQ(without_unnamed_namespaces("void a::<unnamed>::f<<unnamed>::T>(T1)"),
            "void a::f<T>(T1)");
  EXPECT_EQ(without_unnamed_namespaces("void unnamed>::f<4, unnamed>::T>(T1)"), "void f<4, T>(T1)");
  EXPECT_EQ(without_unnamed_namespaces("f<void g<unnamed>::h(T &)>(int)>"),
            "f<void g<h(T &)>(int)>");
  EXPECT_EQ(without_unnamed_namespaces("f<is_unnamed>::g"), "f<is_unnamed>::g") << "another name";
  EXPECT_EQ(without_unnamed_namespaces("S<b::unnamed>::f"), "S<b::unnamed>::f") << "a type";
  EXPECT_EQ(without_unnamed_namespaces("unnamed>::"), "");
  EXPECT_EQ(without_unnamed_namespaces("<unnamed>::unnamed>::f"), "f");
}

}  // namespace
}  // namespace pnsim
