#include "tests/fuzz/net_checks.h"

#include <optional>

#include "simulator/base/json.h"
#include "simulator/engine/fast_runner.h"
#include "simulator/engine/run.h"
#include "simulator/engine/simd_replicas.h"
#include "simulator/net/net_json.h"
#include "simulator/net/pnml_reader.h"
#include "simulator/net/pnml_writer.h"
#include "tests/fuzz/target.h"

namespace pnsim::fuzz {
namespace {

Net from_json(const std::string& text) {
  const InputJson json = parse_json(text, "again.json");
  return read_net_json(JsonReader(json, "again.json"));
}

// Nothing when the run stops with an error, which is then `code`.
struct Run {
  std::optional<RunResult> result;
  bool refused = false;
};

template <class Engine>
Run run_of(const Engine& engine) {
  Run run;
  run.refused = !accepts([&] { run.result = engine(); });
  return run;
}

void require_same(const Run& found, const Run& expected, const std::string& engine) {
  require(found.refused == expected.refused,
          engine + " and reference: only one stops with an error");
  if (expected.refused) return;
  const RunResult &a = *found.result, &b = *expected.result;
  require(a.outcome == b.outcome, engine + " and reference: other outcomes");
  require(a.steps == b.steps && a.firings == b.firings, engine + " and reference: other steps");
  require(a.waiting_steps == b.waiting_steps && a.idle_scheduler_steps == b.idle_scheduler_steps,
          engine + " and reference: other observables");
  require(a.final_marking == b.final_marking, engine + " and reference: other markings");
}

}  // namespace

void check_round_trips(const Net& net) {
  const std::string json = write_net_json(net);
  const Net net_of_json = from_json(json);
  require(write_net_json(net_of_json) == json, "JSON reads back another net");
  std::string pnml;
  // PNML keeps no blanks around the net's name: such a net is refused.
  if (!accepts([&] { pnml = write_pnml(net); })) return;
  require(write_pnml(net_of_json) == pnml, "JSON and then PNML give another net");
  const Net net_of_pnml = read_pnml(pnml, "again.pnml").net;
  require(write_pnml(net_of_pnml) == pnml, "PNML reads back another net");
  require(write_net_json(net_of_pnml) == json, "PNML and then JSON give another net");
}

void check_engines(const Net& net, std::uint64_t max_steps) {
  constexpr std::size_t kMostNodes = 3000;
  if (net.place_count() + net.transition_count() > kMostNodes) return;
  const RunId id{.seed = net.place_count() + 7, .replica = 1};
  const Run reference = run_of([&] { return run_reference(net, id, max_steps); });
  require_same(run_of([&] { return run_incremental(net, id, max_steps); }), reference, "fast");
  FastRunner runner(net);
  require_same(run_of([&] { return runner.run(id, max_steps); }), reference, "lanes");
  const SimdReplicas simd(runner);
  if (!simd.why_not().empty() || reference.refused) return;
  for (const bool avx2_only : {false, true}) {
    const SimdReplicas::Request request{.seed = id.seed,
                                        .first = id.replica,
                                        .count = 2,
                                        .max_steps = max_steps,
                                        .kept = 2,
                                        .avx2_only = avx2_only};
    const SimdReplicas::Runs runs = simd.run(request, nullptr);
    if (!runs.left.empty() && runs.left.front() == 0) continue;
    require_same({runs.runs.front(), false}, reference, avx2_only ? "AVX2" : "AVX-512");
  }
}

}  // namespace pnsim::fuzz
