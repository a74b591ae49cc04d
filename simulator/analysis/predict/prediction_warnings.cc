#include "simulator/analysis/predict/prediction_warnings.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "simulator/analysis/predict/unknown_costs.h"
#include "simulator/base/table.h"
#include "simulator/model/device/device_facts.h"
#include "simulator/model/launch/counters.h"
#include "simulator/model/launch/imbalance.h"
#include "simulator/model/memory/traffic.h"
#include "simulator/model/sm/bulk_stages.h"

namespace pnsim {
namespace {

// The time of a launch back to back over its time under the profiler, of the recorded launches on
// both GPUs: `experiment table modes` prints it. A prediction outside `least` to `most` is wrong,
// or the launch found other data in its caches than under the profiler: 97 operations of PyTorch on
// an H100 take 0.44 to 1.66 of it.
struct ProfiledShare {
  double from_us;      // under the profiler
  double least, most;  // what is not warned of
  const char* seen;
};
constexpr ProfiledShare kProfiledShares[] = {
    {100, 0.8, 1.2, "recorded launches of 100 us and more take 0.87 to 1.09"},
    {20, 0.6, 1.3, "recorded launches of 20 to 100 us take 0.66 to 1.10"},
    {0, 0.4, 1.5, "recorded launches of less than 20 us take 0.47 to 1.03"}};

const ProfiledShare& usual_share(double profiled_us) {
  return *std::find_if(std::begin(kProfiledShares), std::end(kProfiledShares) - 1,
                       [&](const ProfiledShare& of) { return profiled_us >= of.from_us; });
}

// Below this share of all warp instructions a class is not worth a warning.
constexpr double kLeastShare = 0.001;

struct ClassWarning {
  const char* kind;
  OpcodeClassId cls;
  const char* what;  // the instructions
  const char* effect;
  const char* with_stages = nullptr;  // the effect where products wait for stages of copies
};
constexpr ClassWarning kClassWarnings[] = {
    {"tensor", OpcodeClassId::kTensor, "tensor-core instructions (HMMA, HGMMA ...)",
     "the net knows how long they take the tensor cores, but its warps wait only for the first of "
     "the copies that other warps issue (mbarriers)",
     "the net knows how long they take the tensor cores; how many of the copies that other warps "
     "issue (mbarriers) each of them waits for is an estimate"},
    {"bulk-copy", OpcodeClassId::kBulkCopy, "bulk copies (TMA)",
     "their data take bandwidth, but warps of the net wait only for the first copy, so the "
     "prediction is too short where later copies come late",
     "how many of them a product of matrices waits for is an estimate"},
    {"opcode", OpcodeClassId::kOther, "instructions with unknown opcodes",
     "the net gives each one issue slot"}};

constexpr const char* kNoTensorClocks =
    ". GPUs lower their clock while tensor cores work, and the profile of this device does not say "
    "by how much (h100 has it; `experiment microbench product_clock` measures it): the prediction "
    "can be 10 to 20 % too short";

constexpr const char* kNoTensorRates =
    "the profile of this device has no rates of its tensor cores (h100 and h200 have), so such an "
    "instruction takes an issue slot alone: the prediction can be shorter than the peak of the "
    "tensor cores allows";

struct Meaning {
  const char* kind;
  const char* text;
};
constexpr Meaning kMeanings[] = {
    {"missing", "the profile lacks counters that decide the time"},
    {"tensor", "tensor cores: it is an estimate for which copies of other warps a warp waits"},
    {"bulk-copy", "bulk copies (TMA): it is an estimate for which of them a warp waits"},
    {"opcode", "unknown opcodes are not modelled"},
    {"spinning", "warps wait in loops whose iterations depend on timing"},
    {"code",
     "code is fetched anew, and the device's profile does not say what that costs: on that GPU "
     "the time may be too short"},
    {"slices", "stores to one slice of L2, and the device's profile does not say what they cost"},
    {"constants", "constants at addresses that may differ between lanes"},
    {"uneven", "a few warps do most of the work, and the model's programs do not show which"},
    {"counts", "the model has no programs of its warps (derive it with --source)"},
    {"far", "the prediction is far from the time under the profiler"}};

std::map<std::string, std::int64_t> classes_of(const Launch& launch) {
  std::map<std::string, std::int64_t> sums;
  for_each_item(launch, [&](const ProgramPlace& place) {
    if (!place.item.segment) return;
    for (const auto& [name, count] : launch.segments[*place.item.segment].classes) {
      sums[name] += place.executions * count;
    }
  });
  return sums;
}

// The warp instructions of all launches of a point, by class.
struct PointCounts {
  std::map<std::string, std::int64_t> classes, opcodes;
  std::int64_t all = 0, spinning = 0;
  // Of constant loads at computed addresses: without counted requests, and with misses that are not
  // counted.
  std::int64_t uncounted_constants = 0, constants_without_misses = 0;
  bool have_stages = true;      // all launches with bulk copies have a ring (sm/bulk_stages.h)
  bool lacks_taken_in = false;  // some of them: what SMs take in

  explicit PointCounts(const RecordedPoint& point) {
    for (const Launch& launch : point.launches) {
      for (const auto& [name, count] : classes_of(launch)) {
        classes[name] += launch.repeat * count;
        all += launch.repeat * count;
      }
      for (const auto& [opcode, count] : launch.unknown_opcodes) opcodes[opcode] += count;
      const auto counter = [&](const char* name) {
        const auto it = launch.counters.find(name);
        return it == launch.counters.end() ? 0 : launch.repeat * it->second;
      };
      spinning += counter(kSpinningInstructions);
      if (std::any_of(launch.segments.begin(), launch.segments.end(), copies_in_bulk)) {
        have_stages = have_stages && has_bulk_stages(launch);
        lacks_taken_in = lacks_taken_in || !counts_taken_in(launch);
      }
      if (!launch.counters.contains(kConstantRequests)) {
        uncounted_constants += counter(kIndexedConstantLoads);
      } else if (!launch.counters.contains(kConstantMisses)) {
        constants_without_misses += counter(kIndexedConstantLoads);
      }
    }
  }

  std::string share_text(std::int64_t count) const {
    const double percent = 100 * static_cast<double>(count) / static_cast<double>(all);
    return grouped(count) + " of " + grouped(all) + " warp instructions (" +
           significant(percent, 2) + " %)";
  }
  bool is_worth_a_word(std::int64_t count) const {
    return static_cast<double>(count) > kLeastShare * static_cast<double>(all);
  }
};

// "QADD, QMUL": names for a message.
std::string names_text(const std::map<std::string, std::int64_t>& counts) {
  constexpr std::size_t kMostNames = 5;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, unused] : counts) {
    if (++shown > kMostNames) return text + " ...";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

void warn_of_classes(const PointCounts& counts, const DeviceProfile& device,
                     PredictionWarnings& out) {
  for (const ClassWarning& warning : kClassWarnings) {
    const auto it = counts.classes.find(std::string(opcode_class(warning.cls).name));
    if (it == counts.classes.end() || !counts.is_worth_a_word(it->second)) continue;
    const bool is_tensor = warning.cls == OpcodeClassId::kTensor;
    const bool lacks_rates = is_tensor && !knows_tensor_rates(device);
    const char* clocks = is_tensor && !knows_tensor_clocks(device) ? kNoTensorClocks : "";
    const bool with_stages = counts.have_stages && counts.classes.contains("bulk_copy");
    std::string effect = with_stages && warning.with_stages ? warning.with_stages : warning.effect;
    if (warning.cls == OpcodeClassId::kBulkCopy && counts.lacks_taken_in)
      effect += "; profile with --metrics l1tex__m_xbar2l1tex_read_bytes.sum as well";
    const bool is_unknown = warning.cls == OpcodeClassId::kOther && !counts.opcodes.empty();
    out.push_back({warning.kind, counts.share_text(it->second) + " are " + warning.what +
                                     (is_unknown ? " (" + names_text(counts.opcodes) + ")" : "") +
                                     "; " + (lacks_rates ? kNoTensorRates : effect) + clocks +
                                     "."});
  }
  if (counts.is_worth_a_word(counts.spinning)) {
    out.push_back({"spinning", counts.share_text(counts.spinning) +
                                   " belong to loops in which warps wait for other warps; their "
                                   "iterations are those of the profiled run, not of the net's."});
  }
  if (counts.is_worth_a_word(counts.uncounted_constants)) {
    out.push_back({"constants",
                   counts.share_text(counts.uncounted_constants) +
                       " load constants at computed addresses. Lanes with different addresses are "
                       "served one after the other, and the profile does not count them. So the "
                       "prediction is too short where they differ; profile with --metrics "
                       "idc__requests.sum,idc__requests_lookup_miss_tag_miss.sum as well."});
  } else if (counts.is_worth_a_word(counts.constants_without_misses)) {
    out.push_back(
        {"constants",
         counts.share_text(counts.constants_without_misses) +
             " load constants at computed addresses, and the profile does not count which "
             "of them miss the constant cache. So the prediction is too short for tables "
             "of over 2 KiB; profile with --metrics "
             "idc__requests_lookup_miss_tag_miss.sum as well."});
  }
}

// One scheduler executed several times what the programs of its warps say, and no loop of theirs
// can explain it.
void warn_of_uneven_warps(const RecordedPoint& point, PredictionWarnings& out) {
  constexpr double kUneven = 4;
  for (const Launch& launch : point.launches) {
    const std::int64_t sms = profiled_sms(launch).value_or(0);
    const double more = unexplained_imbalance(launch, sms);
    if (more < kUneven || busiest_sm_programs(launch, sms).is_longer) continue;
    out.push_back({"uneven", "One scheduler executed " + significant(more, 3) +
                                 " times the warp instructions that the programs of its warps "
                                 "have, and they have no loop that could be so long: a few warps "
                                 "do much of the work, and the prediction is too short."});
    return;
  }
}

// provenance.missing: the columns that the profile lacks.
std::string missing_text(const KernelModel& model) {
  if (!model.provenance.is_object()) return "";
  const auto missing = model.provenance.find("missing");
  if (missing == model.provenance.end() || !missing->is_array()) return "";
  std::string text;
  for (const Json& column : *missing) {
    if (column.is_string()) text += (text.empty() ? "" : ", ") + column.get<std::string>();
  }
  return text;
}

}  // namespace

std::string meaning_of_warning(const std::string& kind) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.kind == kind) return meaning.text;
  }
  return "";
}

PredictionWarnings warnings_of_point(const KernelModel& model, const RecordedPoint& point,
                                     bool walks, const DeviceProfile& device) {
  PredictionWarnings out;
  if (!walks) {
    if (!has_programs(point)) {
      out.push_back({"counts",
                     "The model has counts but no programs of its warps, so net sm, which predicts "
                     "cycles, cannot run it; derive it with --source SOURCE.csv."});
    }
    return out;
  }
  if (const std::string missing = missing_text(model); !missing.empty()) {
    out.push_back({"missing", "The profile has no " + missing +
                                  ". The launch is predicted as if it had no such traffic, so the "
                                  "time is too short; profile it with ncu --set full."});
  }
  warn_of_classes(PointCounts(point), device, out);
  warn_of_uneven_warps(point, out);
  warn_of_unknown_costs(model, point, device, out);
  return out;
}

bool uses_tensor_cores(const PredictionWarnings& warnings) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [](const PredictionWarning& warning) { return warning.kind == "tensor"; });
}

bool are_of_tensor_cores(const PredictionWarnings& warnings, const DeviceProfile& device) {
  const auto is_of_them = [](const PredictionWarning& warning) {
    return warning.kind == "tensor" || warning.kind == "bulk-copy" || warning.kind == "spinning";
  };
  return uses_tensor_cores(warnings) && knows_tensor_rates(device) && knows_tensor_clocks(device) &&
         std::all_of(warnings.begin(), warnings.end(), is_of_them);
}

std::optional<PredictionWarning> warning_of_distance(double predicted_us, double profiled_us) {
  if (profiled_us <= 0) return std::nullopt;
  const double share = predicted_us / profiled_us;
  const ProfiledShare& usual = usual_share(profiled_us);
  if (share >= usual.least && share <= usual.most) return std::nullopt;
  return PredictionWarning{
      "far",
      "The prediction is " + significant(share, 3) + " times the " + significant(profiled_us, 4) +
          " us under the profiler. Back to back, " + usual.seen +
          " times that. In programs, 97 launches of PyTorch took 0.44 to 1.66 times that, the "
          "longer ones because data that were in L2 under the profiler were not. Unless another "
          "warning explains it, this launch does something that the model does not cover, or it "
          "was profiled on another device or without --clock-control none --cache-control none."};
}

std::string profiled_shares_text() {
  std::string text;
  for (const ProfiledShare& share : kProfiledShares) {
    text += (text.empty() ? "" : ",\n  ") + std::string(share.seen);
  }
  return text + " times it";
}

std::string profiled_share_text(double profiled_us) {
  return usual_share(profiled_us).seen + std::string(" times it");
}

Json to_json(const PredictionWarnings& warnings) {
  Json out = Json::array();
  for (const PredictionWarning& warning : warnings) {
    out.push_back(Json{{"kind", warning.kind}, {"text", warning.text}});
  }
  return out;
}

std::string kinds_text(const PredictionWarnings& warnings) {
  std::string text;
  for (const PredictionWarning& warning : warnings) {
    text += (text.empty() ? "" : ", ") + warning.kind;
  }
  return text;
}

std::string legend_of_warnings(const std::vector<PredictionWarnings>& rows) {
  std::map<std::string, std::size_t> counts;
  for (const PredictionWarnings& row : rows) {
    for (const PredictionWarning& warning : row) ++counts[warning.kind];
  }
  std::string text;
  for (const auto& [kind, count] : counts) {
    text += (text.empty() ? "warnings:\n  " : "  ") + kind + " (" +
            grouped(static_cast<long long>(count)) + (count == 1 ? " model" : " models") +
            "): " + meaning_of_warning(kind) + "\n";
  }
  return text.empty() ? "" : text + "  (pnsim --model FILE says more of one)\n";
}

std::string text_of(const PredictionWarnings& warnings) {
  constexpr std::size_t kWidth = 98, kIndent = 24;
  std::string text;
  for (const PredictionWarning& warning : warnings) {
    std::string line = "warning: " + warning.kind;
    line.resize(kIndent, ' ');
    std::size_t at = 0;
    while (at < warning.text.size()) {
      std::size_t end = std::min(at + kWidth - kIndent, warning.text.size());
      if (end < warning.text.size()) {
        // A word that is longer than the line stands alone on one.
        const std::size_t blank = warning.text.rfind(' ', end);
        const bool fits = blank != std::string::npos && blank > at;
        end = fits ? blank : std::min(warning.text.find(' ', end), warning.text.size());
      }
      text += line + warning.text.substr(at, end - at) + "\n";
      line.assign(kIndent, ' ');
      at = std::min(warning.text.find_first_not_of(' ', end), warning.text.size());
    }
  }
  return text;
}

}  // namespace pnsim
