// Real pages: the programs of all warps add up to what the profiler counted.
#include <gtest/gtest.h>

#include "simulator/model/derive/derive.h"
#include "simulator/model/derive/infer_programs.h"
#include "simulator/model/derive/source_check.h"
#include "simulator/model/launch/launch_json.h"
#include "simulator/model/paper/waves.h"
#include "simulator/model/sass/sass.h"

namespace pnsim {
namespace {

struct Pages {
  const char* name;
  std::string raw;
  std::string source;
};

const std::vector<Pages>& pages() {
  static const std::vector<Pages> kPages = [] {
    std::vector<Pages> all = {{"vectors", read_file(PNSIM_TEST_DATA "/vectors/ncu_raw.csv"),
                               read_file(PNSIM_TEST_DATA "/vectors/ncu_source.csv")}};
    for (const char* name : {"norm_group", "radix_report_shared", "radix_shared", "sobel_tiled"}) {
      const std::string path = PNSIM_TEST_DATA "/pages/" + std::string(name);
      all.push_back({name, read_file(path + ".raw.csv"), read_file(path + ".source.csv")});
    }
    return all;
  }();
  return kPages;
}

std::vector<ProfiledLaunch> launches_of(const Pages& page) {
  auto launches = read_ncu_raw(page.raw, "raw.csv");
  refuse_faults(
      add_programs(launches, check_against_source(launches, page.source, "source.csv").tables));
  return launches;
}

InstructionCounts sum_of(const Launch& launch) {
  InstructionCounts sum;
  for (const WarpKind& kind : launch.warp_kinds) {
    const InstructionCounts each = total_counts(kind.program, "t");
    sum.arithmetic += kind.warps * each.arithmetic;
    sum.shared += kind.warps * each.shared;
    sum.global += kind.warps * each.global;
  }
  return sum;
}

std::int64_t count_or_none(const std::map<std::string, std::int64_t>& sums, const char* name) {
  const auto it = sums.find(name);
  return it == sums.end() ? 0 : it->second;
}

TEST(ProgramsOfPages, AddUpToTheCountersOfTheRawPage) {
  for (const Pages& page : pages()) {
    for (const ProfiledLaunch& launch : launches_of(page)) {
      SCOPED_TRACE(page.name + std::string(" ") + std::to_string(launch.id));
      EXPECT_EQ(sum_of(launch.launch), launch.totals);
      const auto sums = program_classes(launch.launch);
      for (const char* name : {"global_load", "global_store", "shared_load", "shared_store",
                               "global_reduction", "texture"}) {
        EXPECT_EQ(count_or_none(sums, name), count_or_none(launch.launch.classes, name)) << name;
      }
      EXPECT_TRUE(launch.launch.unknown_opcodes.empty());
    }
  }
}

// The table of opcodes is compared with the profiler's counters of pipes.
TEST(ProgramsOfPages, ClassesAreThePipes) {
  for (const Pages& page : pages()) {
    for (const ProfiledLaunch& launch : launches_of(page)) {
      SCOPED_TRACE(page.name + std::string(" ") + std::to_string(launch.id));
      const auto sums = program_classes(launch.launch);
      const auto expect = [&](const char* counter, std::initializer_list<const char*> classes) {
        const auto it = launch.counters.find(counter);
        if (it == launch.counters.end()) return;
        std::int64_t sum = 0;
        for (const char* name : classes) sum += count_or_none(sums, name);
        EXPECT_EQ(sum, it->second) << counter;
      };
      expect("alu_instructions", {"int", "vote"});
      expect("fma_instructions", {"fp32", "imad", "imad_wide"});
      expect("fp64_instructions", {"fp64"});
      expect("xu_instructions", {"special"});
    }
  }
}

// The paper's net sees the same warps with and without the source page.
TEST(ProgramsOfPages, WavesOfThePapersNetNeedNoSourcePage) {
  for (const Pages& page : pages()) {
    const auto without = read_ncu_raw(page.raw, "raw.csv");
    const auto with = launches_of(page);
    for (std::size_t i = 0; i < with.size(); ++i) {
      const LaunchWaves a = launch_waves(without[i].launch, 132);
      const LaunchWaves b = launch_waves(with[i].launch, 132);
      EXPECT_EQ(a.full.warps, b.full.warps) << page.name << i;
      EXPECT_EQ(a.full_waves, b.full_waves);
    }
  }
}

// Sectors or wavefronts of all warps. They are means, kept to a thousandth.
double sum_over_accesses(const Launch& launch, double SegmentAccess::*mean) {
  double sum = 0;
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (!place.item.segment) return;
    for (const SegmentAccess& access : launch.segments[*place.item.segment].accesses) {
      sum += static_cast<double>(place.executions) * access.*mean;
    }
  });
  return sum;
}

TEST(ProgramsOfPages, KeepSectorsAndWavefronts) {
  for (const Pages& page : pages()) {
    const auto tables = read_source_page(page.source, "s");
    const auto launches = launches_of(page);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const Launch& launch = launches[i].launch;
      const double sectors = sum_over_accesses(launch, &SegmentAccess::sectors);
      const double wavefronts = sum_over_accesses(launch, &SegmentAccess::wavefronts);
      double expected_sectors = 0, expected_wavefronts = 0;
      for (const SourceRow& row : tables[i].rows) {
        expected_sectors += static_cast<double>(std::max<std::int64_t>(row.sectors, 0));
        expected_wavefronts += static_cast<double>(std::max<std::int64_t>(row.wavefronts, 0));
      }
      EXPECT_NEAR(sectors, expected_sectors, 0.001 * expected_sectors) << page.name << i;
      EXPECT_NEAR(wavefronts, expected_wavefronts, 0.001 * expected_wavefronts) << page.name << i;
    }
  }
}

TEST(ProgramsOfPages, AreReadAsTheyWereWritten) {
  for (const Pages& page : pages()) {
    for (const ProfiledLaunch& launch : launches_of(page)) {
      const std::string text = launch_json(launch.launch).dump();
      EXPECT_LT(text.size(), 20000u);
      const InputJson json = parse_json(text, "t.json");
      const Launch read = read_launch(JsonReader(json, "t.json"));
      EXPECT_EQ(launch_json(read).dump(), text);
      EXPECT_EQ(sum_of(read), launch.totals);
    }
  }
}

TEST(ProgramsOfPages, HaveTheMemorySystemsCountersBeside) {
  const auto launches = launches_of(pages()[0]);
  EXPECT_EQ(launches[0].launch.counters.at("l1_load_sectors"), 16384);
  EXPECT_EQ(launches[0].launch.counters.at("dram_read_bytes"), 9472);  // 9.472 Kbyte
  EXPECT_TRUE(read_ncu_raw(pages()[0].raw, "raw.csv")[0].launch.counters.empty());
}

}  // namespace
}  // namespace pnsim
