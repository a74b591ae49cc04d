// The vectors of tests/data/vectors: nets with the expected results of a run. An independent
// implementation, which shares no code with this project, produced them. Every number must match.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "simulator/base/json.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "simulator/net/net_json.h"
#include "simulator/net/pnml_reader.h"
#include "simulator/net/pnml_writer.h"

namespace pnsim {
namespace {

const std::string kFolder = PNSIM_TEST_DATA "/vectors/";

const InputJson& expected_json() {
  static const InputJson expected = load_json(kFolder + "expected.json");
  return expected;
}

std::vector<std::string> vector_names() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : expected_json().items()) names.push_back(name);
  return names;
}

// The vector's net, with the goal of the vector's "until".
Net load_vector(const std::string& name) {
  const std::string path = kFolder + name + ".pnml";
  const Net net = read_pnml(read_file(path), path).net;
  const auto until = expected_json().at(name).at("until").get<std::vector<std::string>>();
  return net.with_goal(parse_goal(net, until));
}

std::map<std::string, Tokens> non_zero(const Net& net, const Marking& marking) {
  std::map<std::string, Tokens> out;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) {
    if (marking[p] != 0) out[net.name_of(PlaceId{p})] = marking[p];
  }
  return out;
}

struct SteppedRun {
  RunResult result;
  std::uint64_t t0_firings = 0;
  std::vector<std::vector<std::string>> fired;  // [step], names sorted
};

SteppedRun run_vector(const Net& net, RunId id, std::uint64_t max_steps = kDefaultMaxSteps) {
  ReferenceEngine engine(net, id);
  RunCounter counter(net, id);
  SteppedRun run;
  while (true) {
    if (const auto outcome = engine.outcome(max_steps)) {
      run.result = counter.result(*outcome, engine.marking());
      return run;
    }
    const auto fired = engine.choose();
    counter.count_step(engine.marking(), fired);
    std::vector<std::string>& names = run.fired.emplace_back();
    for (const TransitionId t : fired) names.push_back(net.name_of(t));
    std::sort(names.begin(), names.end());
    run.t0_firings += static_cast<std::uint64_t>(std::count(names.begin(), names.end(), "t0"));
    engine.fire();
  }
}

class Vectors : public testing::TestWithParam<std::string> {};

TEST_P(Vectors, EveryRunGivesTheExpectedFigures) {
  const Net net = load_vector(GetParam());
  const InputJson& runs = expected_json().at(GetParam()).at("runs");
  ASSERT_FALSE(runs.empty());
  for (const InputJson& row : runs) {
    SCOPED_TRACE(row.dump());
    const RunId id{row.at("seed").get<std::uint64_t>(), row.at("replica").get<std::uint32_t>(),
                   row.at("stream").get<std::uint32_t>()};
    const SteppedRun run = run_vector(net, id, row.value("max_steps", kDefaultMaxSteps));
    EXPECT_EQ(outcome_name(run.result.outcome), row.at("outcome").get<std::string>());
    EXPECT_EQ(run.result.steps, row.at("steps").get<std::uint64_t>());
    EXPECT_EQ(run.result.firings, row.at("firings").get<std::uint64_t>());
    EXPECT_EQ(run.t0_firings, row.at("t0_firings").get<std::uint64_t>());
    const auto final_tokens = row.at("final").get<std::map<std::string, Tokens>>();
    EXPECT_EQ(non_zero(net, run.result.final_marking), final_tokens);
  }
}

TEST_P(Vectors, AWholeRunOfTheEngineIsTheStepByStepRun) {
  const Net net = load_vector(GetParam());
  const RunId id{.seed = 1};
  const RunResult result = run_reference(net, id);
  const SteppedRun run = run_vector(net, id);
  EXPECT_EQ(result.steps, run.result.steps);
  EXPECT_EQ(result.firings, run.result.firings);
  EXPECT_EQ(result.final_marking, run.result.final_marking);
}

TEST_P(Vectors, AConvertedNetRunsTheSame) {
  const Net net = load_vector(GetParam());
  const InputJson json = parse_json(write_net_json(net), "converted.json");
  const SteppedRun expected = run_vector(net, {.seed = 3});
  for (const Net& converted : {read_pnml(write_pnml(net), "converted.pnml").net,
                               read_net_json(JsonReader(json, "converted.json"))}) {
    const SteppedRun run = run_vector(converted, {.seed = 3});
    EXPECT_EQ(run.fired, expected.fired);
    EXPECT_EQ(run.result.outcome, expected.result.outcome);
    EXPECT_EQ(run.result.final_marking, expected.result.final_marking);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Vectors, testing::ValuesIn(vector_names()),
                         [](const auto& test) { return test.param; });

TEST(VectorSteps, EveryStepFiresWhatTheVectorSays) {
  std::size_t vectors_with_steps = 0;
  for (const auto& [name, vector] : expected_json().items()) {
    if (!vector.contains("fired_seed1_replica0")) continue;
    SCOPED_TRACE(name);
    ++vectors_with_steps;
    auto expected = vector.at("fired_seed1_replica0").get<std::vector<std::vector<std::string>>>();
    for (std::vector<std::string>& step : expected) std::sort(step.begin(), step.end());
    EXPECT_EQ(run_vector(load_vector(name), {.seed = 1}).fired, expected);
  }
  EXPECT_EQ(vectors_with_steps, 1u);
}

}  // namespace
}  // namespace pnsim
