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

}  // namespace
}  // namespace pnsim
