#include "experiments/measure/counts_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiments/measure/counts_store.h"
#include "experiments/spec/comparison.h"
#include "experiments/spec/device_file.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/output.h"
#include "simulator/base/rows.h"
#include "simulator/model/memory/cold_launch.h"
#include "tests/base/error_of.h"
#include "tests/experiments/measure/counter_pages.h"
#include "tests/experiments/run/toy_root.h"

namespace pnsim::experiments {
namespace {

using test::input_error_of;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CountsImport, JoinsPageAndManifest) {
  const std::vector<ProfiledPass> passes = read_counts(two_passes().files());
  ASSERT_EQ(passes.size(), 4u);
  EXPECT_EQ(passes[2].program, "toy");
  EXPECT_EQ(passes[2].problem, (Problem{{"n", 4096}, {"block", 64}}));
  EXPECT_EQ(passes[2].pass, 31u);
  EXPECT_EQ(passes[2].launch.kernel, "first");
  EXPECT_EQ(passes[2].launch.totals, (InstructionCounts{776, 0, 24}));
}

TEST(CountsImport, EqualPassesMergeIntoOneEntryAndOthersShareTheRepeats) {
  const RecordedPoint point = point_of(read_counts(two_passes().files()));
  ASSERT_EQ(point.launches.size(), 3u);
  EXPECT_EQ(point.launches[0].kernel, "first");
  EXPECT_EQ(point.launches[0].repeat, 32);
  EXPECT_EQ(point.launches[1].kernel, "second");
  EXPECT_EQ(point.launches[1].repeat, 16);
  EXPECT_EQ(point.launches[2].kernel, "second");
  EXPECT_EQ(point.launches[2].repeat, 16);
}

TEST(CountsImport, TheFirstAndTheLastOfManyPassesStandForAll) {
  Pages pages;
  for (const int pass : {0, 1, 2}) pages.add("toy", 4096, pass, "k", 800 + 8 * pass);
  const RecordedPoint point = point_of(read_counts(pages.files()));
  ASSERT_EQ(point.launches.size(), 2u);
  EXPECT_EQ(point.launches[0].repeat, 2);
  EXPECT_EQ(point.launches[1].repeat, 1);
  EXPECT_EQ(point.launches[1].warp_kinds[0].program[0].counts.arithmetic, (816 - 24) / 8);
}

TEST(CountsImport, OnePassIsOneLaunch) {
  const RecordedPoint point = point_of(read_counts(Pages().add("toy", 1, 0, "k", 800).files()));
  EXPECT_EQ(point.launches.at(0).repeat, 1);
}

TEST(CountsImport, PassesWithOtherKernelsAreRefused) {
  Pages pages;
  pages.add("toy", 4096, 0, "a", 800).add("toy", 4096, 31, "b", 800);
  const auto passes = read_counts(pages.files());
  EXPECT_THAT(input_error_of([&] { point_of(passes); }), HasSubstr("the same kernels"));
}

TEST(CountsImport, PagesThatDoNotFitAreRefusedAtTheLine) {
  Pages kernel = two_passes();
  kernel.replace_in_manifest("\"second\"", "\"third\"");
  EXPECT_THAT(input_error_of([&] { read_counts(kernel.files()); }), HasSubstr("line 2: /kernel"));
  Pages grid = two_passes();
  grid.replace_in_manifest("\"grid\":4", "\"grid\":5");
  EXPECT_THAT(input_error_of([&] { read_counts(grid.files()); }),
              HasSubstr("the raw page has 4, the manifest 5"));
  Pages index = two_passes();
  index.replace_in_manifest("\"index\":1", "\"index\":7");
  EXPECT_THAT(input_error_of([&] { read_counts(index.files()); }), HasSubstr("index"));
}

TEST(CountsImport, MissingAndSuperfluousRowsAreRefused) {
  Pages fewer = two_passes();
  fewer.manifest_.erase(fewer.manifest_.rfind("{\"index\""));
  EXPECT_THAT(input_error_of([&] { read_counts(fewer.files()); }),
              HasSubstr("found 3 rows, expected one for each of the 4 launches"));
  Pages more = two_passes();
  more.manifest_ += more.manifest_.substr(0, more.manifest_.find('\n') + 1);
  EXPECT_THAT(input_error_of([&] { read_counts(more.files()); }),
              HasSubstr("no launch for this row"));
}

TEST(CountsModels, AreOnePerProgramWithPointsByN) {
  Pages pages;
  pages.add("b", 8192, 0, "k", 800).add("b", 4096, 0, "k", 800).add("a", 4096, 0, "k", 800);
  const auto models = models_of(read_counts(pages.files()), "toy", Json::object());
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].name, "b");
  EXPECT_EQ(models[0].points[0].problem.at("n"), 4096);
  EXPECT_EQ(models[0].points[1].problem.at("n"), 8192);
  EXPECT_EQ(models[0].problem.at("n"), 4096);
  EXPECT_EQ(models[0].device, "toy");
  EXPECT_EQ(models[0].provenance["input"]["distribution"], "uniform");
}

TEST(CountsModels, TheDefaultPointIsTheCataloguesWhenItIsThere) {
  Pages pages;
  pages.add("radix_shared", 4096, 0, "k", 800);
  const auto models = models_of(read_counts(pages.files()), "toy", Json::object());
  EXPECT_EQ(models[0].problem.at("n"), 4096);
  EXPECT_THAT(models[0].description, HasSubstr("radix sort"));
}

TEST(CountsModels, MergingKeepsPointsThatAreNotMeasuredAgain) {
  const auto model = [](std::vector<std::int64_t> sizes, std::int64_t repeat) {
    KernelModel m;
    m.name = "toy";
    for (const std::int64_t n : sizes) {
      Launch launch;
      launch.repeat = repeat;
      m.points.push_back({{{"n", n}}, {launch}});
    }
    m.problem = m.points[0].problem;
    return m;
  };
  KernelModel old = model({1, 2}, 1);
  old.provenance = {{"date", "before"}};
  const KernelModel both = merged(old, model({2, 3}, 7));
  ASSERT_EQ(both.points.size(), 3u);
  EXPECT_EQ(both.points[0].launches[0].repeat, 1);
  EXPECT_EQ(both.points[1].launches[0].repeat, 7);
  EXPECT_EQ(both.provenance["other_points"]["date"], "before");
}

TEST(CountsSpread, IsRelativeToTheSmallestCount) {
  EXPECT_EQ(spread_of({5, 5, 5}), 0);
  EXPECT_DOUBLE_EQ(spread_of({100, 110, 105}), 0.1);
  EXPECT_DOUBLE_EQ(spread_of({0, 3}), 3);
}

TEST(CountsRows, AreOnePerPointWithAnEntryPerPass) {
  const auto rows = counts_rows(read_counts(two_passes().files()), {{"date", "today"}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["kind"], "counts");
  EXPECT_EQ(rows[0]["passes"].dump(), "[0,31]");
  EXPECT_EQ(rows[0]["kernels"][0]["instructions"].dump(), "[800]");
  EXPECT_EQ(rows[0]["kernels"][1]["instructions"].dump(), "[400,480]");
  EXPECT_DOUBLE_EQ(rows[0]["kernels"][1]["spread"].get<double>(), 0.2);
  EXPECT_EQ(rows[0]["date"], "today");
}

// Columns are found by the list of counters. Warps per issue are converted to shares.
TEST(CountsRows, KeepStallReasonsAsShares) {
  std::vector<ProfiledPass> passes = read_counts(Pages().add("toy", 1, 0, "k", 800).files());
  EXPECT_FALSE(counts_rows(passes, Json::object())[0]["kernels"][0].contains("stalls"));
  const auto column = [](const std::string& reason) {
    return "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
  };
  passes[0].launch.counters[column("selected")] = 1;
  passes[0].launch.counters[column("long_scoreboard")] = 2;
  passes[0].launch.counters[column("drain")] = 0;
  EXPECT_EQ(counts_rows(passes, Json::object())[0]["kernels"][0]["stalls"],
            (Json{{"selected", 0.3333}, {"long_scoreboard", 0.6667}, {"drain", 0.0}}));
}

TEST(CountsImport, StallColumnsOfTheRawPageAreRead) {
  const std::string column = "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio";
  Pages pages;
  pages.add("toy", 1, 0, "k", 800);
  pages.add_column(column, "inst", "2.81");
  EXPECT_EQ(read_counts(pages.files())[0].launch.counters.at(column), 2.81);
}

TEST(CountsStore, WritesModelAndRowsOnce) {
  const ToyRoot root;
  const CountsFiles files = two_passes().files();
  const std::string text = store_counts(files, root.path("new"), "experiment counts");
  EXPECT_THAT(text, HasSubstr("1 new rows of 1"));
  EXPECT_THAT(text, HasSubstr("second"));
  const KernelModel model = load_kernel_model(root.path("new/models/toy.json"));
  EXPECT_EQ(model.points.size(), 1u);
  EXPECT_EQ(model.device, "toy");
  EXPECT_EQ(model.provenance["profiled_on"], "Toy GPU");
  EXPECT_THAT(store_counts(files, root.path("new"), "again"), HasSubstr("0 new rows of 1"));
  EXPECT_EQ(load_rows(root.path("new/results/toy/counts.jsonl")).size(), 1u);
}

TEST(CountsStore, AChangedRowReplacesTheOldOne) {
  const ToyRoot root;
  const auto store = [&](Pages pages) {
    return store_counts(pages.files(), root.path("new"), "experiment counts");
  };
  store(Pages().add("toy", 4096, 0, "k", 800).add("toy", 8192, 0, "k", 800));
  const std::string file = root.path("new/results/toy/counts.jsonl");
  const InputJson untouched = load_rows(file)[1];
  EXPECT_THAT(store(Pages().add("toy", 4096, 0, "k", 808).add("toy", 1024, 0, "k", 800)),
              HasSubstr("1 new rows of 2, 1 replaced"));
  const std::vector<InputJson> rows = load_rows(file);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["kernels"][0]["instructions"][0], 808);
  EXPECT_EQ(rows[1], untouched);
  EXPECT_EQ(rows[2]["axes"]["n"], 1024);
}

// The model stays as it is: only the user may delete it.
TEST(CountsStore, AModelOfVersion1NamesTheCommandThatMakesItAnew) {
  const ToyRoot root;
  const CountsFiles files = two_passes().files();
  store_counts(files, root.path("new"), "experiment counts");
  const std::string file = root.path("new/models/toy.json");
  std::string text = read_file(file);
  const std::string version = "\"version\": 2";
  ASSERT_NE(text.find(version), std::string::npos) << text.substr(0, 200);
  root.write("new/models/toy.json",
             text.replace(text.find(version), version.size(), "\"version\": 1"));
  const auto store = [&] { store_counts(files, root.path("new"), "again"); };
  const auto store_cold = [&] { store_cold_counts(files, root.path("new"), "cold"); };
  for (const std::string& said : {input_error_of(store), input_error_of(store_cold)}) {
    EXPECT_THAT(said, HasSubstr(file + ": /version: found version 1, expected 2"));
    EXPECT_THAT(said, HasSubstr("delete this file, then make it anew with: experiment counts"));
  }
  EXPECT_EQ(read_file(file), text);
}

TEST(DeviceNames, AreMadeOfTheDriversName) {
  const ToyRoot root;
  EXPECT_EQ(device_folder("Toy GPU"), "toy");  // the title of a shipped profile
  EXPECT_EQ(device_folder("NVIDIA H200"), "h200");
  EXPECT_EQ(device_folder("NVIDIA GeForce RTX 4090"), "geforce-rtx-4090");
  EXPECT_EQ(device_folder("NVIDIA H100 80GB (SXM)"), "h100-80gb-sxm");
  EXPECT_EQ(device_folder(""), "unknown");
}

const char* kFacts = R"({"name":{"value":"NVIDIA T1","unit":null,"source":"s"},
"driver":{"value":"580.1","unit":null,"source":"s"},
"sms":{"value":132,"unit":"SM","source":"a"},
"schedulers_per_sm":{"value":4,"unit":"scheduler","source":"a"},
"max_sm_clock":{"value":1980000,"unit":"kHz","source":"clock"},
"warp_size":{"value":32,"unit":"thread","source":"a"},
"max_warps_per_sm":{"value":64,"unit":"warp","source":"a"},
"max_blocks_per_sm":{"value":32,"unit":"block","source":"a"},
"registers_per_sm":{"value":65536,"unit":"register","source":"a"},
"shared_memory_per_sm":{"value":233472,"unit":"byte","source":"a"},
"l2_bytes":{"value":62914560,"unit":"byte","source":"a"},
"memory_clock":{"value":3201000,"unit":"kHz","source":"a"},
"memory_bus_width":{"value":6016,"unit":"bit","source":"a"}})";

TEST(DeviceProfiles, AreMadeOfTheDriversFactsInOurUnits) {
  const ToyRoot root;
  const InputJson facts = parse_json(kFacts, "facts");
  const DeviceProfile profile = profile_of_facts(JsonReader(facts, "facts"));
  EXPECT_EQ(profile.name, "t1");
  EXPECT_EQ(profile.title, "NVIDIA T1");
  EXPECT_EQ(profile.value("clock_mhz"), 1980);
  EXPECT_EQ(profile.facts.at("clock_mhz").unit, "MHz");
  EXPECT_EQ(profile.facts.at("clock_mhz").source, "clock, driver 580.1");
  EXPECT_EQ(profile.count("sms"), 132);
  EXPECT_EQ(profile.facts.size(), 11u);
}

TEST(DeviceProfiles, TheirTextIsReadBack) {
  const ToyRoot root;
  const InputJson facts = parse_json(kFacts, "facts");
  const DeviceProfile profile = profile_of_facts(JsonReader(facts, "facts"));
  const InputJson text = parse_json(device_profile_text(profile), "profile");
  const DeviceProfile again = read_device_profile(JsonReader(text, "profile"));
  EXPECT_EQ(again.title, profile.title);
  ASSERT_EQ(again.facts.size(), profile.facts.size());
  EXPECT_EQ(again.value("memory_clock_mhz"), 3201);
}

TEST(DeviceProfiles, AMissingFactIsNamed) {
  const ToyRoot root;
  InputJson facts = parse_json(kFacts, "facts");
  facts.erase("l2_bytes");
  EXPECT_THAT(input_error_of([&] { profile_of_facts(JsonReader(facts, "facts")); }),
              HasSubstr("\"l2_bytes\" is missing"));
}

TEST(ShippedModels, AreSmallAndHoldEveryPointOfTheSuite) {
  const Spec spec = load_spec("radix");
  const std::vector<SuitePoint> points = points_of(spec);
  for (const std::string& program : spec.axis("program").values) {
    const std::string path = find_data_file(program, {"models"});
    EXPECT_LE(std::filesystem::file_size(path), kMaxModelBytes) << path;
    const KernelModel model = load_kernel_model(path);
    EXPECT_EQ(model.problem, (Problem{{"n", 1 << 20}, {"block", 256}}));
    for (const SuitePoint& point : points) {
      if (point.program != program) continue;
      EXPECT_NO_THROW(model.point(point.problem));
    }
  }
}

TEST(ShippedResults, RowsOfOneProgramSayTheSame) {
  const RecordedResults all("h200");
  const RecordedResults some = RecordedResults::of_program("h200", "radix_shared");
  EXPECT_LT(some.rows().size(), all.rows().size() / 2);
  for (const SuitePoint& point : points_of(load_spec("radix"))) {
    if (point.program != "radix_shared") continue;
    const auto expected = all.time(point.program, point.problem);
    const auto found = some.time(point.program, point.problem);
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (found) {
      EXPECT_EQ(found->source, expected->source);
    }
  }
  EXPECT_TRUE(some.scale("wpnm", {{"S", {4}}, {"l1", {20}}, {"l2", {2}}}).has_value());
}

TEST(ShippedResults, HoldATimeForEveryPointAndTheScale) {
  const RecordedResults recorded("h200");
  std::vector<PointResult> results;
  for (const SuitePoint& point : points_of(load_spec("radix"))) {
    results.push_back({point, 0, 0, 0, 0, ""});
  }
  EXPECT_NO_THROW(add_recorded_times(recorded, "warm", results));
  EXPECT_TRUE(recorded.scale("wpnm", {{"S", {4}}, {"l1", {20}}, {"l2", {2}}}).has_value());
}

}  // namespace
}  // namespace pnsim::experiments
