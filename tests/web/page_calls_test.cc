// The fast calls of the page give what the command gives.
#include "web/engine/page_calls.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "simulator/base/data_files.h"
#include "simulator/engine/reference_engine.h"
#include "simulator/engine/run.h"
#include "simulator/model/template/instantiate.h"

namespace pnsim {
namespace {

using testing::HasSubstr;

Json call(PageCalls& calls, const std::string& name, const Json& request) {
  return Json::parse(calls.answer(to_line(Json{{"call", name}, {"request", request}})));
}

Json called(const std::string& name, const Json& request) {
  PageCalls calls;
  return call(calls, name, request);
}

Json small_request() {
  return {{"net", "wpnm"}, {"W", 5},  {"S", 2},  {"l1", 7},
          {"l2", 2},       {"xa", 6}, {"xs", 2}, {"xg", 3}};
}

ParameterValues small_values() {
  return {{"W", {5}}, {"S", {2}}, {"l1", {7}}, {"l2", {2}}, {"xa", {6}}, {"xs", {2}}, {"xg", {3}}};
}

NetTemplate shipped_net(const std::string& name) {
  return load_net_template(find_data_file(name, {"models/nets"}));
}

RunResult reference_run(const std::string& net, const ParameterValues& values, RunId id) {
  return run_reference(instantiate(shipped_net(net), values), id);
}

TEST(Explore, GivesTheNumbersOfARun) {
  for (const char* net : {"wpnm", "wpnm_literal"}) {
    Json request = small_request();
    request["net"] = net;
    request["seed"] = 4;
    const Json answer = called("explore", request);
    const RunResult run = reference_run(net, small_values(), {.seed = 4});
    EXPECT_EQ(answer["steps"], run.steps);
    EXPECT_EQ(answer["firings"], run.firings);
    EXPECT_EQ(answer["waiting_steps"], *run.waiting_steps);
    EXPECT_EQ(answer["idle_scheduler_steps"], *run.idle_scheduler_steps);
    EXPECT_EQ(answer["outcome"], "goal");
    EXPECT_FALSE(answer.contains("timeline"));
  }
}

TEST(Explore, GivesTheMeanOverReplicas) {
  Json request = small_request();
  request["replicas"] = 3;
  double sum = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    sum += static_cast<double>(reference_run("wpnm", small_values(), {1, k, 0}).steps);
  }
  EXPECT_DOUBLE_EQ(called("explore", request)["steps"], sum / 3);
}

// Which step a warp spends in which state, from the spans.
std::vector<std::string> states_of(const Json& row, std::uint64_t steps) {
  std::vector<std::string> states(steps);
  for (const Json& span : row["spans"]) {
    for (std::uint64_t step = span[1]; step <= span[2]; ++step) {
      EXPECT_EQ(states.at(step), "") << "two spans in step " << step;
      states.at(step) = span[0];
    }
  }
  return states;
}

TEST(Explore, TimelineCoversEveryStepOfEveryWarp) {
  Json request = small_request();
  request["timeline"] = true;
  const Json answer = called("explore", request);
  const std::uint64_t steps = answer["steps"].get<double>();
  const Json& timeline = answer["timeline"];
  EXPECT_EQ(timeline["first"], 0);
  EXPECT_EQ(timeline["end"], steps);
  ASSERT_EQ(timeline["warps"].size(), 5u);
  const std::vector<std::string> known{"arithmetic", "shared",  "global",
                                       "ready",      "waiting", "ended"};
  for (const Json& row : timeline["warps"]) {
    const std::vector<std::string> states = states_of(row, steps);
    for (const std::string& state : states) EXPECT_THAT(known, testing::Contains(state));
    EXPECT_EQ(std::count(states.begin(), states.end(), "arithmetic"), 6 * 2);  // t7, then t15
  }
}

TEST(Explore, IdlePeriodsAreTheStepsWithoutABusyScheduler) {
  Json request = small_request();
  request["timeline"] = true;
  const Json answer = called("explore", request);
  const std::uint64_t steps = answer["steps"].get<double>();
  std::vector<char> is_busy(steps);
  ASSERT_EQ(answer["timeline"]["schedulers"].size(), 2u);
  for (const Json& row : answer["timeline"]["schedulers"]) {
    for (const Json& span : row["spans"]) {
      EXPECT_EQ(span.size(), span[0] == "idle" ? 3u : 4u);
      if (span[0] == "idle") continue;
      for (std::uint64_t step = span[1]; step <= span[2]; ++step) is_busy[step] = true;
    }
  }
  std::vector<char> is_idle(steps);
  for (const Json& period : answer["timeline"]["idle"]) {
    for (std::uint64_t step = period[0]; step <= period[1]; ++step) is_idle[step] = true;
  }
  for (std::uint64_t step = 0; step < steps; ++step)
    EXPECT_NE(is_busy[step], is_idle[step]) << step;
  EXPECT_GT(answer["timeline"]["idle"].size(), 1u);
}

TEST(Explore, SaysWhatIsWrongWithARequest) {
  Json request = small_request();
  request["l1"] = 1'000'000'000;
  EXPECT_THAT(called("explore", request)["error"], HasSubstr("expected 0 to 1000000"));
  request = small_request();
  request.erase("W");
  EXPECT_THAT(called("explore", request)["error"], HasSubstr("W"));
  request = small_request();
  request["net"] = "wpmn";
  EXPECT_THAT(called("explore", request)["error"], HasSubstr("did you mean \"wpnm\""));
  request = small_request();
  request["W"] = 2.5;
  EXPECT_THAT(called("explore", request)["error"], HasSubstr("/request/W"));
  EXPECT_THAT(called("exploer", request)["error"], HasSubstr("did you mean \"explore\""));
}

TEST(Explore, StopsAtTheLimit) {
  Json request = small_request();
  request["xa"] = 1'000'000'000;
  request["max_steps"] = 1000;
  const Json answer = called("explore", request);
  EXPECT_EQ(answer["outcome"], "limit");
  EXPECT_EQ(answer["steps"], 1000);
}

TEST(Surface, PointsAreTheRunsOfTheirLatencies) {
  Json request{{"net", "wpnm"}, {"W", 5},  {"S", 2},       {"xa", 6},
               {"xs", 2},       {"xg", 3}, {"l1", {3, 9}}, {"l2", {1, 4, 6}}};
  const Json answer = called("surface", request);
  ASSERT_EQ(answer["steps"].size(), 3u);
  ParameterValues values = small_values();
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 2; ++column) {
      values["l1"] = {request["l1"][column]};
      values["l2"] = {request["l2"][row]};
      EXPECT_EQ(answer["steps"][row][column], reference_run("wpnm", values, {}).steps);
    }
  }
  request["l2"] = 4;
  EXPECT_EQ(called("surfaceRow", request)["steps"], answer["steps"][1]);
}

TEST(Surface, TakesAKernelModel) {
  const Json answer =
      called("surface", {{"net", "wpnm"}, {"model", "copy"}, {"l1", {20, 40}}, {"l2", {2}}});
  ASSERT_TRUE(answer.contains("steps")) << answer;
  EXPECT_LT(answer["steps"][0][0], answer["steps"][0][1]);
  EXPECT_THAT(
      called("surface", {{"net", "wpnm"}, {"model", "cpy"}, {"l1", {20}}, {"l2", {2}}})["error"],
      HasSubstr("did you mean \"copy\""));
  EXPECT_THAT(
      called("surface",
             {{"net", "wpnm"}, {"model", "copy"}, {"l1", Json::array()}, {"l2", {2}}})["error"],
      HasSubstr("/request/l1"));
}

// A step of the game is the step of the reference engine, whatever seed.
TEST(TokenGame, StepsAreThoseOfARun) {
  const Net net = instantiate(shipped_net("wpnm_literal"), small_values());
  for (const std::uint64_t seed : {1, 7}) {
    TokenGame game(net);
    ReferenceEngine engine(net, {.seed = seed});
    while (!engine.outcome(kDefaultMaxSteps)) {
      const auto chosen = engine.choose();
      std::vector<TransitionId> expected(chosen.begin(), chosen.end());
      std::sort(expected.begin(), expected.end());
      engine.fire();
      const auto fired = game.step(seed, 1);
      ASSERT_EQ(fired.size(), 1u);
      ASSERT_EQ(fired.front(), expected);
      ASSERT_EQ(game.marking(), engine.marking());
    }
    EXPECT_EQ(game.outcome(), Outcome::kGoal);
    EXPECT_TRUE(game.step(seed, 5).empty());
  }
}

TEST(TokenGame, GoesBackToEveryMarking) {
  TokenGame game(instantiate(shipped_net("wpnm"), small_values()));
  std::vector<Marking> markings{game.marking()};
  while (!game.step(3, 1).empty()) markings.push_back(game.marking());
  ASSERT_GT(markings.size(), 50u);
  for (std::size_t step = markings.size() - 1; step > 0; --step) {
    ASSERT_EQ(game.marking(), markings[step]);
    game.back(1);
  }
  EXPECT_EQ(game.marking(), markings[0]);
  game.back(1);
  EXPECT_EQ(game.steps(), 0u);
  game.step(3, 40);
  EXPECT_EQ(game.marking(), markings[40]);
}

// Two warps and one scheduler: once both are ready, p0 is contested and one of them loses.
TEST(TokenGame, NamesWinnersAndLosersOfAContest) {
  ParameterValues values = small_values();
  values["W"] = {2};
  values["S"] = {1};
  TokenGame game(instantiate(shipped_net("wpnm"), values));
  EXPECT_TRUE(game.last_contests().empty());
  std::size_t seen = 0;
  while (!game.step(1, 1).empty()) {
    for (const Contest& contest : game.last_contests()) {
      if (game.net().name_of(contest.place) != "p0") continue;
      ++seen;
      EXPECT_EQ(contest.competed.size(), 2u);
      EXPECT_EQ(contest.won.size(), 1u);
      EXPECT_EQ(contest.lost.size(), 1u);
    }
  }
  EXPECT_GT(seen, 0u);
}

std::string net_text() { return read_file(find_data_file("wpnm_literal", {"models/nets"})); }

TEST(Games, ReportOpenNetsAndTheirSteps) {
  PageCalls calls;
  const Json opened =
      call(calls, "openNet",
           {{"text", net_text()}, {"format", "template"}, {"parameters", {{"W", 2}, {"S", 1}}}});
  ASSERT_TRUE(opened.contains("game")) << opened;
  EXPECT_EQ(opened["places"][0]["name"], "p0");
  EXPECT_EQ(opened["places"][0]["initial"], 1);
  EXPECT_EQ(opened["places"][2]["group"], "p1");
  EXPECT_EQ(opened["transitions"][0]["name"], "t0");
  EXPECT_EQ(opened["transitions"][0]["inhibitors"].size(), 2u);
  EXPECT_EQ(opened["until"], Json({"p1.0=0", "p1.1=0"}));
  const Json first = call(calls, "step", {{"game", opened["game"]}, {"seed", 1}, {"steps", 3}});
  EXPECT_EQ(first["step"], 3);
  EXPECT_EQ(first["fired"].size(), 3u);
  EXPECT_EQ(first["outcome"], "running");
  const Json start = call(calls, "back", {{"game", opened["game"]}, {"steps", 9}});
  EXPECT_EQ(start["step"], 0);
  EXPECT_EQ(start["marking"][0], 1);
  const Json end = call(calls, "step", {{"game", opened["game"]}, {"seed", 1}, {"steps", 100000}});
  EXPECT_EQ(end["outcome"], "goal");
  EXPECT_EQ(call(calls, "closeNet", {{"game", opened["game"]}}), Json::object());
  EXPECT_THAT(call(calls, "step", {{"game", opened["game"]}, {"steps", 1}})["error"],
              HasSubstr("is not open"));
}

TEST(Games, ReadNetFilesOfEveryFormat) {
  const std::string pnml = read_file(PNSIM_TEST_DATA "/vectors/wpnm_2w.pnml");
  const Json opened = called("openNet", {{"text", pnml}, {"format", "pnml"}});
  EXPECT_EQ(opened["places"][0]["name"], "p0");
  const std::string json = R"({"kind":"net","name":"n","places":[{"name":"a","tokens":1}],)"
                           R"("transitions":[{"name":"t","takes":{"a":1},"gives":{}}]})";
  EXPECT_TRUE(called("openNet", {{"text", json}, {"format", "json"}}).contains("game"))
      << called("openNet", {{"text", json}, {"format", "json"}});
  EXPECT_THAT(called("openNet", {{"text", "<pnml"}, {"format", "pnml"}})["error"],
              HasSubstr("malformed XML"));
  EXPECT_THAT(called("openNet", {{"text", "{"}, {"format", "json"}})["error"],
              HasSubstr("parse error"));
  EXPECT_THAT(called("openNet", {{"text", ""}, {"format", "pnlm"}})["error"],
              HasSubstr("did you mean \"pnml\""));
}

TEST(Games, RefuseANetThatAPageCannotShow) {
  const Json request{{"text", net_text()}, {"format", "template"}, {"parameters", {{"W", 9000}}}};
  EXPECT_THAT(called("openNet", request)["error"], HasSubstr("shows at most 200000"));
}

TEST(PageCalls, AnswerEveryTextWithJson) {
  PageCalls calls;
  for (const char* text : {"", "{", "[]", "{\"call\": 1}", "{\"call\": \"step\"}", "\xff",
                           "{\"call\": \"step\", \"request\": {\"game\": 1, \"steps\": -1}}"}) {
    const Json answer = Json::parse(calls.answer(text));
    EXPECT_TRUE(answer.contains("error")) << text;
  }
}

TEST(PageCalls, RunACommandLineAgainAndAgain) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_command_line({"run", "wpnm", "--json"}), 0);
  const std::string first = testing::internal::GetCapturedStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_command_line({"run", "radix_sharde"}), 3);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("did you mean \"radix_shared\""));
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_command_line({"run", "wpnm", "--json"}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), first);
  EXPECT_THAT(first, HasSubstr("\"steps\""));
}

TEST(PageCalls, RefuseArgumentsThatAreNoUnicode) {
  for (const char* args : {"[\"\\ud800\"]", "{}", "", "[1]"}) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(run_command_line_json(args), 2) << args;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("Unicode"));
  }
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_command_line_json("[\"--version\"]"), 0);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("pnsim "));
}

}  // namespace
}  // namespace pnsim
