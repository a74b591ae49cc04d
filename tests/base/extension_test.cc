#include "simulator/base/extension.h"

#include <gtest/gtest.h>

namespace pnsim {
namespace {

TEST(Extension, IsTheEndOfThePathInEitherCase) {
  EXPECT_TRUE(has_extension("folder/net.json", ".json"));
  EXPECT_TRUE(has_extension("NET.JSON", ".json"));
  EXPECT_TRUE(has_extension("page.Ncu-Rep", ".ncu-rep"));
  EXPECT_FALSE(has_extension("rows.jsonl", ".json"));
  EXPECT_FALSE(has_extension("json", ".json"));
  EXPECT_FALSE(has_extension("", ".json"));
}

}  // namespace
}  // namespace pnsim
