#include "gpu/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu/radix_shape.h"
#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Catalogue, HasTheThreeRadixSortsOfThePaper) {
  EXPECT_THAT(program_names(), ElementsAre("radix_global", "radix_shared", "radix_coalesced"));
}

TEST(Catalogue, EveryRowIsWhole) {
  std::set<std::string> names;
  for (const Program& program : catalogue()) {
    SCOPED_TRACE(program.name);
    EXPECT_TRUE(names.insert(program.name).second);
    EXPECT_FALSE(program.summary.empty());
    EXPECT_FALSE(program.source.empty());
    EXPECT_TRUE(std::is_sorted(program.n.begin(), program.n.end()));
    EXPECT_TRUE(std::is_sorted(program.block.begin(), program.block.end()));
    EXPECT_THAT(program.n, Contains(program.default_n));
    EXPECT_THAT(program.block, Contains(program.default_block));
    EXPECT_GT(program.keys_per_thread, 0u);
    EXPECT_GT(program.passes, 0u);
  }
}

TEST(Catalogue, RadixAxesAreTheRecordedOnes) {
  for (const Program& program : catalogue()) {
    EXPECT_EQ(program.n.front(), 1u << 12);
    EXPECT_EQ(program.n.back(), 1u << 24);
    EXPECT_EQ(program.n.size(), 13u);
    EXPECT_THAT(program.block, ElementsAre(64u, 128u, 256u, 512u, 1024u));
    EXPECT_LE(program.n.back(), kMaxKeys);
  }
}

TEST(Catalogue, FindsEveryProgramByName) {
  for (const Program& program : catalogue()) {
    EXPECT_EQ(&find_program(program.name), &program);
  }
}

TEST(Catalogue, UnknownNameIsAUsageErrorWithTheNearest) {
  try {
    find_program("radix_sharde");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("radix_shared"));
  }
}

}  // namespace
}  // namespace pnsim::gpu
