// A kernel model: the launches of a program and what their warps execute (models/*.json).
// Counts are derived from a profile (derive.h), never typed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/base/json_reader.h"
#include "simulator/model/launch/segment.h"
#include "simulator/model/template/parameter_values.h"

namespace pnsim {

inline constexpr std::int64_t kMaxRepeat = 1'000'000'000;  // of a loop, of a launch

// A segment (empty body) or a loop (body, run `repeat` times).
struct ProgramItem {
  std::int64_t repeat = 1;
  InstructionCounts counts;  // of the segment
  std::vector<ProgramItem> body;
  std::optional<std::size_t> segment = std::nullopt;  // [Launch::segments]; none: counts alone
};

// Warps of a launch that execute the same program.
struct WarpKind {
  std::int64_t warps = 0;
  std::vector<ProgramItem> program;
};

// Neighbouring blocks of a launch with the same kinds of warps, in warp order.
struct BlockKind {
  struct Warps {
    std::size_t kind = 0;  // [Launch::warp_kinds]
    std::int64_t count = 0;
  };
  std::int64_t blocks = 0;
  std::vector<Warps> warps;
};

// What L2 holds when a launch begins: its data, nothing of use, or what a launch left there that
// had begun with nothing (cold_launch.h).
enum class CacheStart { kWarm, kCold, kBehindCold };

// What a launch may have at most, far over any device's.
constexpr std::int64_t kMaxRegisters = 1024, kMaxSharedBytes = 1 << 24, kMaxResidentBlocks = 1024;

struct Launch {
  std::string kernel;
  std::int64_t repeat = 1;             // times this launch is made in a row of the program
  std::int64_t grid = 1;               // blocks
  std::int64_t block = 1;              // threads of a block
  std::int64_t registers = 0;          // per thread
  std::int64_t shared_bytes = 0;       // per block
  std::int64_t resident_blocks = 1;    // blocks that fit on one SM at a time
  std::vector<WarpKind> warp_kinds;    // together all warps of the launch
  std::vector<BlockKind> block_kinds;  // in order; none: the kinds of warps are in warp order
  std::vector<Segment> segments;       // of the programs
  std::map<std::string, std::int64_t> classes;   // finer classes: sums over the launch
  std::map<std::string, std::int64_t> counters;  // of the memory system: sums over the launch
  std::map<std::string, std::int64_t> unknown_opcodes;  // warp instructions of class "other"
  CacheStart start = CacheStart::kWarm;                 // not in a file: as when_cold() makes it

  std::int64_t warps_per_block() const { return (block + 31) / 32; }
};

using Problem = std::map<std::string, std::int64_t>;  // {"n": 1048576, "block": 256}

struct RecordedPoint {
  Problem problem;
  std::vector<Launch> launches;
};

struct KernelModel {
  std::string name;
  std::string description;
  std::string net;             // template by name
  std::string device;          // profile the counts and times belong to
  ParameterValues parameters;  // of the net, over the template's defaults
  Problem problem;             // the default point
  std::vector<RecordedPoint> points;
  Json provenance;  // from what, on which device, by which command, when

  std::vector<std::string> axes() const;  // names of the problem's axes

  // The point with `overrides` laid over the default problem. Error 4 with the nearest recorded
  // point when it was not recorded, error 2 for an axis the model does not have.
  const RecordedPoint& point(const Problem& overrides) const;
};

// Sums over a program: what the paper's net uses as xa, xs, xg. Error 3 over 2^62.
InstructionCounts total_counts(const std::vector<ProgramItem>& program, const std::string& where);

// models/schema/kernel_model.schema.json; error 3 with the place in the file.
KernelModel read_kernel_model(const JsonReader& json);
KernelModel load_kernel_model(const std::string& path);

// The file's text: one launch a line.
std::string kernel_model_text(const KernelModel& model);

// "block=256 n=1048576"
std::string problem_text(const Problem& problem);

}  // namespace pnsim
