// Kernel models with their predictions, and the profile pages that they are made from.
#include <cmath>
#include <optional>

#include "simulator/analysis/predict/predict.h"
#include "simulator/base/data_files.h"
#include "simulator/base/output_file.h"
#include "simulator/model/derive/profile_pages.h"
#include "simulator/model/template/net_template.h"
#include "tests/fuzz/target.h"

namespace pnsim::fuzz {
namespace {

struct Shipped {
  NetTemplate paper = load_net_template(data_root() + "/models/nets/wpnm.json");
  NetTemplate sm = load_net_template(data_root() + "/models/nets/sm.json");
  DeviceProfile device = load_device_profile("h200");
};
const Shipped& shipped() {
  static const Shipped files;
  return files;
}

KernelModel from_text(const std::string& text, const std::string& origin) {
  const InputJson json = parse_json(text, origin);
  return read_kernel_model(JsonReader(json, origin));
}

// The engine's prediction with few steps; nothing when it is refused.
std::optional<Prediction> predicted(const PointRequest& request, EngineKind engine, bool lanes) {
  std::optional<Prediction> out;
  RunOptions options;
  options.max_steps = 150;
  options.threads = 1;
  options.engine = engine;
  options.lanes = lanes;
  options.all_blocks = true;
  accepts([&] { out = predict({request}, options).front(); });
  return out;
}

void require_same(const std::optional<Prediction>& found, const Prediction& expected,
                  const std::string& engine) {
  require(found.has_value(), engine + ": refused, but not by the reference engine");
  require(found->outcome == expected.outcome, engine + " and reference: other outcomes");
  require(found->steps == expected.steps, engine + " and reference: other steps");
  require(found->firings == expected.firings, engine + " and reference: other firings");
}

// Warps of one SM over all launches: the nets of few warps are run by three engines.
double warps_of(const RecordedPoint& point) {
  double warps = 0;
  for (const Launch& launch : point.launches) {
    warps +=
        static_cast<double>(launch.warps_per_block()) * static_cast<double>(launch.resident_blocks);
  }
  return warps;
}

void check_predictions(const KernelModel& model) {
  constexpr double kMostWarps = 200;
  const RecordedPoint& point = model.points.front();
  if (warps_of(point) > kMostWarps) return;
  for (const NetTemplate* net : {&shipped().paper, &shipped().sm}) {
    PointRequest request;
    request.model = &model;
    request.net_template = net;
    request.device = &shipped().device;
    request.point = &point;
    const auto reference = predicted(request, EngineKind::kReference, false);
    if (!reference) continue;
    for (const double steps : reference->steps)
      require(std::isfinite(steps) && steps >= 0, "the predicted steps are no number");
    require_same(predicted(request, EngineKind::kFast, false), *reference, "fast");
    require_same(predicted(request, EngineKind::kFast, true), *reference, "lanes");
  }
}

void check_model(const KernelModel& model) {
  const std::string text = kernel_model_text(model);
  const KernelModel again = from_text(text, "again.json");
  require(kernel_model_text(again) == text, "the text of a model reads back another model");
  check_predictions(again);
}

}  // namespace

void run_model(std::string_view input) {
  std::optional<KernelModel> model;
  if (!accepts([&] { model = from_text(std::string(input), "in.json"); })) return;
  check_model(*model);
}

// What derive writes, pnsim --model reads.
void run_pages(std::string_view input) {
  const auto [raw, source] = parts(input);
  forget_inputs();
  const std::string raw_file = scratch_file("raw.csv", raw);
  const std::string source_file = source.empty() ? "" : scratch_file("source.csv", source);
  ProfilePages pages;
  if (!accepts([&] { pages = read_profile_pages({raw_file, source_file}); })) return;
  std::size_t checked = 0;
  for (const ProfiledLaunch& launch : pages.launches) {
    if (++checked > 3) return;
    const KernelModel model = model_of_launch(launch, Json{{"from", "fuzz"}});
    std::string text;
    // A kernel's name that is not UTF-8 has no JSON.
    if (accepts([&] { text = kernel_model_text(model); })) check_model(from_text(text, "derived"));
  }
}

// Each shipped model with one point and at most two launches.
std::vector<std::string> model_seeds() {
  constexpr std::size_t kLongSeed = 30'000;
  std::vector<std::string> out;
  for (const std::string& file : tree_files("models", ".json")) {
    InputJson json = parse_json(tree_file(file), file);
    InputJson point = json["points"].front();
    InputJson& launches = point["launches"];
    while (launches.size() > 2) launches.erase(launches.size() - 1);
    for (InputJson& launch : launches) launch["resident_blocks"] = 2;
    json["problem"] = point["problem"];
    json["points"] = InputJson::array({point});
    json["provenance"] = InputJson::object();
    if (std::string text = json.dump(); text.size() < kLongSeed) out.push_back(text);
  }
  return out;
}

std::vector<std::string> pages_seeds() {
  std::vector<std::string> out;
  for (const char* name : {"sobel_tiled", "norm_group", "radix_report_shared", "radix_shared"}) {
    const std::string page = std::string("tests/data/pages/") + name;
    const std::string raw = tree_file(page + ".raw.csv");
    out.push_back(raw);
    out.push_back(raw + std::string(kSeparator.substr(1)) + tree_file(page + ".source.csv"));
  }
  return out;
}

}  // namespace pnsim::fuzz
