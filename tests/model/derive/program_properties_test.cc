// Random structured code, executed by different warps: the totals of the inferred programs must
// equal those of the source page.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <random>

#include "simulator/model/derive/active_accesses.h"
#include "simulator/model/derive/dealing.h"
#include "simulator/model/launch/launch_json.h"
#include "simulator/model/launch/program_rows.h"
#include "tests/model/launch/model_json.h"
#include "tests/model/sass/listing.h"

namespace pnsim {
namespace {

using Executions = std::vector<std::int64_t>;  // [warp]

// Generates random code, and counts how often all warps together execute each line.
class CodeMaker {
 public:
  CodeMaker(std::uint64_t seed, std::size_t warps) : random_(seed), warps_(warps) {}

  std::vector<test::Line> make(bool is_uniform) {
    is_uniform_ = is_uniform;
    body(Executions(warps_, 1), 0);
    line("EXIT", Executions(warps_, 1));
    return std::move(lines_);
  }

 private:
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n));
  }

  void line(const std::string& text, const Executions& e) {
    lines_.push_back({text, std::accumulate(e.begin(), e.end(), std::int64_t{0})});
  }

  std::string address(std::size_t line) const {
    char text[24];
    std::snprintf(text, sizeof text, "0x%zx", 16 * line);
    return text;
  }

  void straight(const Executions& e) {
    static const char* kLines[] = {"FADD R1, R2, R3",
                                   "LDG.E R2, desc[UR4][R8.64]",
                                   "@P1 LDS R3, [R4]",
                                   "@!P2 LDG.E R5, desc[UR4][R8.64]",
                                   "STS [R4], R3",
                                   "BAR.SYNC 0x0",
                                   "MUFU.RCP R6, R1",
                                   "WHAT R1, R6",
                                   "SHFL.UP P6, R7, R1, R2, R3",
                                   "@P3 STG.E desc[UR4][R8.64], R7"};
    for (std::int64_t n = below(5); n >= 0; --n) line(kLines[below(std::size(kLines))], e);
  }

  Executions fewer(const Executions& e) {
    Executions out;
    for (const std::int64_t n : e) out.push_back(is_uniform_ ? n : below(n + 1));
    return out;
  }

  void branch(const Executions& e, int depth) {
    const Executions taken = fewer(e);
    const std::size_t at = lines_.size();
    line("", e);
    body(taken, depth + 1);
    if (below(2) == 0) {
      lines_[at].text = "@P0 BRA " + address(lines_.size());
      return;
    }
    Executions others;
    for (std::size_t w = 0; w < e.size(); ++w) others.push_back(e[w] - taken[w]);
    const std::size_t end = lines_.size();
    line("", taken);
    lines_[at].text = "@P0 BRA " + address(lines_.size());
    body(others, depth + 1);
    lines_[end].text = "BRA " + address(lines_.size());
  }

  void loop(const Executions& e, int depth) {
    Executions trips = e;
    const std::int64_t same = 1 + below(6);
    for (std::int64_t& t : trips) t *= is_uniform_ ? same : 1 + below(6);
    const std::size_t start = lines_.size();
    body(trips, depth + 1);
    line("@P0 BRA " + address(start), trips);
  }

  void body(const Executions& e, int depth) {
    straight(e);
    for (std::int64_t n = depth < 4 ? below(3) : 0; n > 0; --n) {
      below(2) == 0 ? branch(e, depth) : loop(e, depth);
      straight(e);
    }
  }

  std::mt19937_64 random_;
  std::size_t warps_;
  bool is_uniform_ = false;
  std::vector<test::Line> lines_;
};

struct Example {
  SourceTable table;
  Launch launch;
};

Example make_example(std::uint64_t seed, bool is_uniform) {
  std::mt19937_64 random(seed + 1);
  const auto grid = static_cast<std::int64_t>(1 + random() % 20);
  const auto width = static_cast<std::int64_t>(1 + random() % 8);
  CodeMaker maker(seed, static_cast<std::size_t>(grid * width));
  Example out{test::table_of(maker.make(is_uniform)), test::shape(grid, 32 * width)};
  for (SourceRow& row : out.table.rows) {
    const SassInstruction sass = parse_sass(row.text);
    if (!class_of_opcode(sass.opcode).is_access) continue;
    const bool is_partial = !is_uniform && !sass.guard.empty();
    if (is_partial)
      row.threads_on =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(row.threads + 1));
    if (row.executed == 0) continue;
    const std::int64_t done = is_partial ? (row.threads_on + 31) / 32 : row.executed;
    out.launch.classes[std::string(class_of_opcode(sass.opcode).name)] += done;
  }
  return out;
}

void check(const Example& example) {
  const Launch k =
      infer_programs(example.launch, example.table);  // throws where it does not add up
  std::int64_t executed = 0, said = 0;
  for (const SourceRow& row : example.table.rows) executed += row.executed;
  for (const auto& [name, count] : program_classes(k)) said += count;
  RC_ASSERT(said == executed);
  for (const auto& [name, count] : example.launch.classes) {
    RC_ASSERT(program_classes(k)[name] == count);
  }
  const std::string text = launch_json(k).dump();
  const InputJson json = parse_json(text, "t.json");
  RC_ASSERT(launch_json(read_launch(JsonReader(json, "t.json"))).dump() == text);
}

RC_GTEST_PROP(ProgramProperties, AddUpWhateverTheWarpsDo, (std::uint64_t seed)) {
  check(make_example(seed, false));
}

// Code of which a guarded access is executed by blocks that have not ended, and all of it by others
// as well: both counts are arranged alike.
TEST(ProgramProperties, AddUpWhereBlocksHaveEnded) { check(make_example(8, false)); }

// In a loop with a barrier, accesses that few lanes execute are filled into the first warps, up to
// the executions of the code that they are in.
TEST(ProgramProperties, AddUpWhereFilledCodeHasPredicatedAccesses) {
  for (const std::uint64_t seed : {std::uint64_t{96}, std::uint64_t{1058360226817}})
    check(make_example(seed, false));
}

RC_GTEST_PROP(ProgramProperties, EqualWarpsAreOneKind, (std::uint64_t seed)) {
  const Example example = make_example(seed, true);
  check(example);
  const Launch k = infer_programs(example.launch, example.table);
  RC_ASSERT(k.warp_kinds.size() == 1u);
  RC_ASSERT(k.block_kinds.size() == 1u);
}

// Arbitrary counts, including those that no code can produce.
RC_GTEST_PROP(ProgramProperties, AddUpForCountsThatNoCodeHas, (std::uint64_t seed)) {
  Example example = make_example(seed, false);
  std::mt19937_64 random(seed);
  example.launch.classes.clear();
  for (SourceRow& row : example.table.rows) {
    row.executed = static_cast<std::int64_t>(random() % 100);
    const OpcodeClass& cls = class_of_opcode(parse_sass(row.text).opcode);
    if (cls.is_access && row.executed > 0) {
      example.launch.classes[std::string(cls.name)] += row.executed;
    }
  }
  check(example);
}

// Over its shares, the counts of a region add up to the totals. Entries of loops are checked
// separately: each execution has at most one.
void expect_sums(const DealtRegion& region, const std::vector<Share>& shares, const Tally& totals) {
  for (const DealtItem& item : region.items) {
    std::vector<CountId> counts;
    for (const PartialAccess& access : item.partial) counts.push_back(access.count);
    if (item.loop.empty()) counts.push_back(item.count);
    for (const CountId c : counts) {
      std::int64_t sum = 0;
      for (const Share& share : shares) sum += share.executions * share.each[c];
      RC_ASSERT(sum == totals[c]);
    }
    for (const Share& share : shares) {
      for (const PartialAccess& access : item.partial) {
        RC_ASSERT(share.each[access.count] <= share.each[item.count]);
      }
    }
    for (const DealtRegion& loop : item.loop) expect_sums(loop, shares, totals);
  }
}

RC_GTEST_PROP(DealingProperties, KeepsSumsExactlyAndCoarsely, (std::uint64_t seed)) {
  const Example example = make_example(seed, false);
  const Code code = parse_code(example.table);
  const auto done = active_executions(example.table, example.launch.classes);
  const std::int64_t warps = example.launch.grid * example.launch.warps_per_block();
  const ProgramShape shape =
      make_shape(code, find_loops(code, find_flow(code), example.launch.grid, example.launch.block),
                 done, example.launch.block);
  for (const std::int64_t executions : {std::int64_t{1}, std::int64_t{7}, warps}) {
    expect_sums(shape.code, deal(shape.code, shape.totals, executions), shape.totals);
    const auto coarse = deal_coarsely(shape.code, shape.totals, executions);
    RC_ASSERT(coarse.size() == 2u);
    expect_sums(shape.code, coarse, shape.totals);
  }
}

// Code so irregular that its iterations are averaged: the sums are still the same.
TEST(Programs, IrregularCodeAddsUpToo) {
  std::mt19937_64 random(7);
  std::vector<test::Line> lines;
  const int kLoops = 12;  // nested
  for (int i = 0; i < 240; ++i) {
    const auto executed = static_cast<std::int64_t>(500 * (1 + i / 20) + random() % 400);
    lines.push_back({i % 3 == 0 ? "@P1 LDS R1, [R2]" : "FADD R1, R2, R3", executed,
                     static_cast<std::int64_t>(random() % 4096)});
  }
  for (int i = kLoops; i > 0; --i) {
    char target[24];
    std::snprintf(target, sizeof target, "@P0 BRA 0x%x", 16 * 20 * i);
    lines.push_back({target, 500 * i, 16 * 500 * i});
  }
  lines.push_back({"EXIT", 64});
  const SourceTable table = test::table_of(lines);
  Launch launch = test::shape(8, 256);
  launch.classes["shared_load"] = 20000;
  const Launch k = infer_programs(launch, table);  // throws where it does not add up
  EXPECT_EQ(program_classes(k)["shared_load"], 20000);
}

// Each load is waited for, so that the program has a segment for each: more than a net takes.
TEST(Programs, StraightCodeOfMoreSegmentsThanANetTakesIsRefused) {
  std::vector<test::Line> lines;
  for (std::size_t i = 0; i <= kMaxProgramRows; ++i) {
    lines.push_back({"LDG.E R1, desc[UR4][R2.64]", 8});
    lines.push_back({"FADD R3, R1, R3", 8});
  }
  lines.push_back({"EXIT", 8});
  const std::string said = test::input_error_of([&] { test::programs_of(lines, 1, 256); });
  EXPECT_NE(said.find("over 16384 segments or loops"), std::string::npos) << said;
}

}  // namespace
}  // namespace pnsim
