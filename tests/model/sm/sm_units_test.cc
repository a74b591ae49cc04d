// models/nets/sm.json: what holds a unit, for how many cycles, and that all tokens return.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "simulator/base/data_files.h"
#include "simulator/base/json.h"
#include "simulator/base/json_reader.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/run.h"
#include "simulator/model/template/instantiate.h"
#include "tests/support/shipped.h"

namespace pnsim {
namespace {

InputJson template_json() { return load_json(data_root() + "/models/nets/sm.json"); }

NetTemplate template_of(const InputJson& json) {
  return read_net_template(JsonReader(json, "sm.json"));
}

std::uint64_t cycles_of(const ParameterValues& values) {
  const RunResult result = run_reference(instantiate(test::sm_net(), values), {}, 1'000'000);
  EXPECT_EQ(result.outcome, Outcome::kGoal);
  return result.steps;
}

// Six transitions model the issue of a segment; they differ only in what they wait for.
TEST(SmUnits, ASegmentIssuesAlikeWhateverItWaitsFor) {
  std::map<std::string, InputJson> rows;
  const InputJson json = template_json();
  for (const InputJson& row : json.at("transitions")) rows[row.at("name").get<std::string>()] = row;
  InputJson waits = rows.at("issue_at_once").at("inhibited_by");
  for (const auto& [name, results, kind] :
       {std::tuple{"issue_after_quick", std::vector{"quick_due"}, 1},
        std::tuple{"issue_after_loads", std::vector{"quick_due", "due"}, 2},
        std::tuple{"issue_after_products", std::vector{"products_due"}, 3},
        std::tuple{"issue_after_quick_and_products", std::vector{"quick_due", "products_due"}, 4},
        std::tuple{"issue_after_all", std::vector{"quick_due", "due", "products_due"}, 5}}) {
    EXPECT_EQ(rows.at(name).at("gives"), rows.at("issue_at_once").at("gives")) << name;
    InputJson expected = waits;
    for (const char* result : results) expected.push_back(result);
    EXPECT_EQ(rows.at(name).at("inhibited_by"), expected) << name;
    InputJson takes = rows.at("issue_at_once").at("takes");
    takes["never"] = "waits != " + std::to_string(kind);
    if (kind == 2 || kind == 5) takes["groups_landed"] = "awaited";  // copies are loads, too
    EXPECT_EQ(rows.at(name).at("takes"), takes) << name;
  }
}

TEST(SmUnits, WorkAndSlotsAreWaitedForWhateverElseIs) {
  for (const std::int64_t waits : {0, 1, 2, 3, 4, 5}) {
    EXPECT_EQ(cycles_of({{"turn", {0}}, {"trips", {5}}, {"work", {30}}, {"waits", {waits}}}),
              5u + 28 + 4 * 31 + 2)
        << waits;
    EXPECT_EQ(
        cycles_of({{"S", {1}}, {"Wb", {2}}, {"issue", {10}}, {"work", {10}}, {"waits", {waits}}}),
        5u + 8 + 10)
        << waits;
  }
}

// Only the first warp of each block works, for 1000 cycles of its scheduler. Blocks of four or
// eight warps begin at one scheduler after the other, so four such blocks work at a time and a
// fifth waits.
TEST(SmUnits, BlocksOfAMultipleOfFourWarpsBeginAtTheNextScheduler) {
  constexpr std::int64_t kWork = 1000;
  const auto with_blocks = [&](std::int64_t blocks, std::int64_t warps) {
    ParameterValues values{{"S", {4}}, {"R", {blocks}}, {"B", {blocks}}, {"Wb", {warps}}};
    values["blocks"] = {blocks};
    for (std::int64_t w = 0; w < blocks * warps; ++w) {
      for (const char* name : {"issue", "work"}) values[name].push_back(w % warps ? 1 : kWork);
    }
    return cycles_of(values);
  };
  for (const std::int64_t warps : {1, 4, 5, 8}) {
    EXPECT_LT(with_blocks(4, warps), kWork * 11 / 10) << warps;
    EXPECT_GE(with_blocks(5, warps), 2 * kWork) << warps;
  }
  EXPECT_GE(with_blocks(3, 2), 2 * kWork) << "of two warps the third block begins as the first";
}

// Each additional warp occupies the shared unit once more.
TEST(SmUnits, EachAccessOccupiesItsUnitForItsCycles) {
  const auto with_warps = [](std::int64_t warps, ParameterValues values) {
    values["Wb"] = {warps};
    values["S"] = {1};
    return cycles_of(values);
  };
  const ParameterValues of_units[] = {{{"quick_port", {50}}, {"quick_latency", {20}}},
                                      {{"port", {50}}, {"latency", {20}}},
                                      {{"slow", {50}}, {"quick_latency", {20}}},
                                      {{"addresses", {50}}, {"quick_latency", {20}}},
                                      {{"tensor", {50}}, {"quick_latency", {20}}},
                                      {{"port", {1}}, {"atomic", {50}}},
                                      {{"port", {1}}, {"memory", {50}}}};
  for (const ParameterValues& values : of_units) {
    EXPECT_EQ(with_warps(6, values) - with_warps(5, values), 50u) << values.begin()->first;
  }
}

// A warp that waits for another result runs on while its warp group's products are on their way.
TEST(SmUnits, ProductsOfWarpGroupsDelayOnlyThoseThatWaitForThem) {
  const auto with = [](std::int64_t waits, std::int64_t tensor) {
    return cycles_of({{"K", {2}},
                      {"next", {1, -1}},
                      {"tensor", {tensor, 0}},
                      {"product_latency", {500, 0}},
                      {"quick_latency", {60, 0}},
                      {"port", {1, 0}},
                      {"latency", {200, 0}},
                      {"work", {1, 40}},
                      {"waits", {0, waits}}});
  };
  for (const std::int64_t waits : {3, 4, 5})
    EXPECT_EQ(with(waits, 10) - with(1, 10), 500u - 60) << waits;
  EXPECT_NEAR(static_cast<double>(with(2, 10) - with(1, 10)), 200 - 60, 2);
  EXPECT_LE(with(0, 10), with(1, 10));
  EXPECT_LT(with(3, 0), with(1, 0)) << "no products";
}

// A run ends when all units are free, not as soon as all blocks have ended.
TEST(SmUnits, ARunGoesOnUntilItsLastUnitIsFree) {
  for (const char* unit : {"port", "quick_port", "slow", "addresses", "memory", "atomic"}) {
    ParameterValues values{{"port", {1}}};
    values[unit] = {100};
    ParameterValues longer = values;
    longer[unit] = {150};
    EXPECT_GT(cycles_of(values), 100u) << unit;
    EXPECT_EQ(cycles_of(longer) - cycles_of(values), 50u) << unit;
  }
}

// The second operation begins when the first has ended, so its result comes later by that time.
TEST(SmUnits, AtomicsOfTwoWarpsComeBackOneAfterTheOther) {
  const auto with_warps = [](std::int64_t warps) {
    ParameterValues values{{"Wb", {warps}}, {"K", {2}}};
    for (std::int64_t w = 0; w < warps; ++w) {
      const std::tuple<const char*, std::int64_t, std::int64_t> rows[] = {
          {"next", 1, -1}, {"port", 1, 0}, {"atomic", 80, 0}, {"latency", 300, 0}, {"waits", 0, 2}};
      for (const auto& [name, first, second] : rows) {
        values[name].insert(values[name].end(), {first, second});
      }
    }
    return cycles_of(values);
  };
  EXPECT_EQ(with_warps(2) - with_warps(1), 80u);
  EXPECT_EQ(with_warps(4) - with_warps(1), 3 * 80u);
}

// Programs of five segments: straight; two loops; a loop in a loop with a tail; a loop that ends a
// loop that ends the program.
struct Shape {
  std::vector<std::int64_t> next, turn, body, next_after, turn_after;
};
const Shape kShapes[] = {{{1, 2, 3, 4, -1}, {-1, -1, -1, -1, -1}, {0, 0}, {-1, -1}, {-1, -1}},
                         {{1, 2, -1, 4, -1}, {-1, -1, 0, -1, 1}, {1, 3}, {3, -1}, {-1, -1}},
                         {{1, -1, -1, 4, -1}, {-1, 0, 1, -1, -1}, {1, 0}, {2, 3}, {-1, -1}},
                         {{1, 2, -1, 4, -1}, {-1, -1, 0, -1, -1}, {2, 1}, {-1, -1}, {1, -1}}};

ParameterValues random_launch(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t size) { return static_cast<std::int64_t>(random() % size); };
  const std::int64_t slots = 1 + below(3), warps = 1 + below(4), kinds = 1 + below(2),
                     blocks = kinds + below(4);
  ParameterValues values{{"B", {blocks}},
                         {"R", {slots}},
                         {"Wb", {warps}},
                         {"K", {5}},
                         {"Q", {2}},
                         {"P", {kinds}},
                         {"S", {1 + below(3)}},
                         {"order", {below(2)}},
                         {"dispatch", {below(9)}},
                         {"turnover", {below(5)}},
                         {"ahead", {2 + below(3)}},
                         {"barrier", {below(12)}},
                         {"launch", {below(9)}},
                         {"blocks", {0}}};
  for (std::int64_t p = 0; p < kinds; ++p)
    values["blocks"].push_back(p == 0 ? blocks - kinds + 1 : 1);
  const Shape& shape = kShapes[random() % std::size(kShapes)];
  const std::vector<std::int64_t> joins{below(2), below(2), below(2), below(2), below(2)},
      trips{1 + below(3), 1 + below(3)};
  for (std::int64_t w = 0; w < slots * warps; ++w) {
    for (int k = 0; k < 5; ++k) {
      for (const char* name : {"quick_port", "quick_latency", "port", "memory", "atomic", "slow",
                               "addresses", "latency", "tensor", "product_latency"}) {
        values[name].push_back(below(2) * below(20));
      }
      values["issue"].push_back(1 + below(5));
      values["work"].push_back(1 + below(12));
      values["waits"].push_back(below(6));
    }
    const std::pair<const char*, const std::vector<std::int64_t>&> lists[] = {
        {"joins", joins},
        {"trips", trips},
        {"next", shape.next},
        {"turn", shape.turn},
        {"body", shape.body},
        {"next_after", shape.next_after},
        {"turn_after", shape.turn_after}};
    for (const auto& [name, list] : lists)
      values[name].insert(values[name].end(), list.begin(), list.end());
    for (std::int64_t p = 0; p < kinds; ++p) values["first"].push_back(0);
  }
  return values;
}

// The net runs until no transition is enabled: all units are free again, and nothing is
// outstanding.
TEST(SmUnits, NothingIsKeptAndNothingIsLeftWhenAllBlocksHaveEnded) {
  InputJson json = template_json();
  json.erase("until");
  const NetTemplate without_goal = template_of(json);
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    std::mt19937_64 random(seed);
    const Net net = instantiate(without_goal, random_launch(random));
    const RunResult run = run_fast(net, {.seed = seed}, 1'000'000);
    ASSERT_EQ(run.outcome, Outcome::kDead) << seed;
    for (std::uint32_t p = 0; p < net.place_count(); ++p) {
      const std::string name = net.name_of(PlaceId{p});
      const bool is_used_up =
          name == "unfinished" || name == "launch_hold" || name.starts_with("queue");
      EXPECT_EQ(run.final_marking[p], is_used_up ? 0 : net.initial_marking()[p])
          << name << " of seed " << seed;
    }
  }
}

}  // namespace
}  // namespace pnsim
