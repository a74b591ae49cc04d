// Templates and expressions that would fill the memory are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/model/template/expression.h"
#include "simulator/model/template/net_template.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

TEST(TemplateBounds, AnExpressionHasAtMostAMillionParts) {
  std::string text = "1";
  for (int i = 0; i < 500'000; ++i) text += "+1";
  EXPECT_THAT(test::input_error_of([&] { Expression::parse(text, {}, "t.json: /x"); }),
              HasSubstr("t.json: /x: in the expression \"1+1"));
  EXPECT_THAT(test::input_error_of([&] { Expression::parse(text, {}, "t"); }),
              HasSubstr("more than 1000000 numbers, names and operations"));
}

TEST(TemplateBounds, AFileHasAtMost16Megabytes) {
  const test::TempFolder folder;
  const std::string path = folder.write("t.json", std::string(16'000'001, ' '));
  EXPECT_THAT(test::error_of(ExitCode::kLimit, [&] { load_net_template(path); }),
              HasSubstr("t.json: found 16000001 bytes, a net template has at most 16000000"));
}

}  // namespace
}  // namespace pnsim
