// Size limits at full size. These tests take too long for every run (label "long").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "simulator/net/net_builder.h"
#include "simulator/net/pnml_reader.h"
#include "tests/net/net_testing.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

// For a release build; sanitizers take longer.
#ifdef NDEBUG
constexpr double kMaxLoadSeconds = 10;
#else
constexpr double kMaxLoadSeconds = 100;
#endif

std::string pnml_of_places(int count) {
  std::string text = "<pnml><net id='n'><page id='g'><transition id='t'/>\n";
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += "<place id='place_" + number + "'><name><text>p" + number +
            "</text></name><initialMarking><text>" + std::to_string(i % 3) +
            "</text></initialMarking></place>\n";
  }
  return text + "</page></net></pnml>\n";
}

TEST(NetBuilderSize, RefusesMoreNodesThanTheBound) {
  NetBuilder builder("n");
  for (std::size_t i = 0; i + 1 < kMaxNodes; ++i) builder.add_place(std::to_string(i));
  builder.add_transition("t");
  EXPECT_THAT(error_of([&] { builder.add_place("p"); }),
              HasSubstr("more than 2000000 places and transitions"));
}

TEST(PnmlSize, AMillionPlacesLoadWithinTenSeconds) {
  constexpr int kPlaces = 1'000'000;
  const std::string text = pnml_of_places(kPlaces);
  const std::clock_t start = std::clock();  // CPU time: a busy machine causes no failure
  const PnmlNet pnml = read_pnml(text, "big.pnml");
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(pnml.net.place_count(), std::size_t{kPlaces});
  EXPECT_EQ(pnml.net.initial_marking()[kPlaces - 2], (kPlaces - 2) % 3);
  EXPECT_LT(seconds, kMaxLoadSeconds);
}

TEST(PnmlSize, MoreNodesThanTheBoundAreRefused) {
  EXPECT_THAT(error_of([] { read_pnml(pnml_of_places(kMaxNodes), "big.pnml"); }),
              HasSubstr("3: big.pnml: more than 2000000 places and transitions"));
}

}  // namespace
}  // namespace pnsim
