#include "simulator/base/provenance.h"

#include <gtest/gtest.h>

#include <ctime>
#include <regex>
#include <vector>

#include "simulator/base/error.h"
#include "simulator/base/gpu_probe.h"
#include "simulator/base/hash.h"

namespace pnsim {
namespace {

std::string line(const std::vector<const char*>& words) {
  return command_line(static_cast<int>(words.size()), words.data());
}

TEST(CommandLine, IsWhatOneWouldType) {
  EXPECT_EQ(line({"/usr/bin/pnsim", "--model", "a.json", "--set", "n=4"}),
            "pnsim --model a.json --set n=4");
  EXPECT_EQ(line({"pnsim", "l1=[10:20:5]", "two words", "it's", ""}),
            "pnsim 'l1=[10:20:5]' 'two words' 'it'\\''s' ''");
  EXPECT_EQ(line({}), "");
}

TEST(Provenance, KnowsVersionCommitAndTime) {
  EXPECT_TRUE(std::regex_match(program_version(), std::regex(R"(\d+\.\d+\.\d+)")));
  EXPECT_FALSE(build_commit().empty());
  EXPECT_TRUE(std::regex_match(utc_now(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
}

// Test vectors by the authors of FNV.
TEST(HashId, Is64BitFnv1a) {
  EXPECT_EQ(hash_id(""), "cbf29ce484222325");
  EXPECT_EQ(hash_id("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_id("foobar"), "85944171f73967e8");
}

TEST(CommandLine, EscapesBytesThatAreNoUtf8) {
  const char* const argv[] = {"/bin/experiment", "b\xe9 'x'.json", "\xc3\xa9.json"};
  EXPECT_EQ(command_line(3, argv), "experiment $'b\\xe9 \\x27x\\x27.json' \xc3\xa9.json");
}

TEST(GpuProbe, IsTheSameEachTime) {
  const int count = cuda_device_count();
  EXPECT_GE(count, 0);
  EXPECT_EQ(cuda_device_count(), count);
}

TEST(ErrorCodes, AreTheDocumentedOnes) {
  const auto code = [](auto call) {
    try {
      call();
    } catch (const Error& error) {
      return static_cast<int>(error.code());
    }
    return 0;
  };
  EXPECT_EQ(code([] { fail_usage("m"); }), 2);
  EXPECT_EQ(code([] { fail_input("f", "m"); }), 3);
  EXPECT_EQ(code([] { fail_unavailable("m"); }), 4);
  EXPECT_EQ(code([] { fail_limit("m"); }), 5);
}

}  // namespace
}  // namespace pnsim
