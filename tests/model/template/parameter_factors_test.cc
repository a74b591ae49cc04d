// Tests factors on parameters of a net.
#include "simulator/model/template/parameter_factors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/template/net_template.h"
#include "tests/base/error_of.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

NetTemplate net(const std::string& name) {
  return load_net_template(data_root() + "/models/nets/" + name + ".json");
}

TEST(ParameterFactors, AFactorIsANumberAboveZero) {
  EXPECT_EQ(parse_factor("0.5"), 0.5);
  EXPECT_EQ(parse_factor("2"), 2);
  EXPECT_EQ(parse_factor("1e-3"), 1e-3);
  for (const char* text :
       {"0", "-1", "nan", "inf", "-inf", "", "0.5x", " 2", "1/2", "1e10", "0,5"}) {
    EXPECT_EQ(parse_factor(text), std::nullopt) << text;
  }
}

TEST(ParameterFactors, MultiplyWhatIsGivenOrElseTheDefault) {
  ParameterValues given{{"l2", {4}}, {"xa", {10, 20, 31}}};
  multiply_parameters(net("wpnm"), {{"l1", 2}, {"l2", 0.5}, {"xa", 0.5}}, given);
  EXPECT_EQ(given.at("l1"), std::vector<std::int64_t>{40}) << "the default is 20";
  EXPECT_EQ(given.at("l2"), std::vector<std::int64_t>{2});
  EXPECT_EQ(given.at("xa"), (std::vector<std::int64_t>{5, 10, 16})) << "rounded to whole numbers";
}

TEST(ParameterFactors, AnUnknownNameHasTheNearestInItsMessage) {
  ParameterValues given;
  const std::string error = test::error_of(ExitCode::kUsage, [&] {
    multiply_parameters(net("wpnm"), {{"l9", 2}}, given);
  });
  EXPECT_THAT(error, HasSubstr("did you mean \"l1\""));
}

TEST(ParameterFactors, ASwitchHasNoQuantityToMultiply) {
  ParameterValues given;
  const std::string error = test::error_of(ExitCode::kUsage, [&] {
    multiply_parameters(net("sm"), {{"order", 2}}, given);
  });
  EXPECT_THAT(error, HasSubstr("order of net sm is a switch"));
}

TEST(ParameterFactors, AProductBeyondTheBoundsIsRefused) {
  ParameterValues given{{"xa", {std::int64_t{1} << 61}}};
  const std::string error = test::error_of(ExitCode::kBadInput, [&] {
    multiply_parameters(net("wpnm"), {{"xa", 4}}, given);
  });
  EXPECT_THAT(error, HasSubstr("over 2^62"));
}

TEST(ParameterFactors, TheFractionsOfAListAreSpreadOverIt) {
  std::vector<std::int64_t> values(100, 1);
  multiply_list(0.3, "port", values);
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), std::int64_t{0}), 30);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 1);
  values = {7, 0, 3};
  multiply_list(2, "port", values);
  EXPECT_EQ(values, (std::vector<std::int64_t>{14, 0, 6}));
}

}  // namespace
}  // namespace pnsim
