// Adds the misses of launches with a cold L2 to existing models.
#include <filesystem>
#include <map>
#include <set>

#include "experiments/measure/counts_store.h"
#include "experiments/spec/device_file.h"
#include "simulator/base/error.h"
#include "simulator/base/hash.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"
#include "simulator/model/memory/cold_launch.h"

namespace pnsim::experiments {
namespace {

namespace fs = std::filesystem;

RecordedPoint* find_point(KernelModel& model, const Problem& problem) {
  for (RecordedPoint& point : model.points) {
    if (point.problem == problem) return &point;
  }
  return nullptr;
}

Json cold_row(const ProfiledPass& pass, const Launch& launch, const Json& provenance) {
  Json row{{"kind", "cold_counts"},
           {"program", pass.program},
           {"axes", pass.problem},
           {"input", pass.input},
           {"device", pass.launch.device}};
  row["id"] = hash_id(row.dump());
  row["kernel"] = launch.kernel;
  row["l2_miss_sectors"] = launch.counters.at(kColdMissSectors);
  row["dram_read_bytes"] = launch.counters.at(kColdReadBytes);
  row.update(provenance);
  return row;
}

// The first launch of each point, in the order of the page.
std::vector<const ProfiledPass*> first_launches(const std::vector<ProfiledPass>& passes) {
  std::vector<const ProfiledPass*> out;
  std::set<std::pair<std::string, Problem>> seen;
  for (const ProfiledPass& pass : passes) {
    if (pass.pass == 0 && seen.insert({pass.program, pass.problem}).second) out.push_back(&pass);
  }
  return out;
}

struct ColdModel {
  KernelModel model;
  std::size_t points = 0, unknown = 0;
};

std::string file_of(const std::string& root, const std::string& program) {
  return root + "/models/" + program + ".json";
}

// The model of this program, which must be of the same device as the page.
KernelModel model_of(const ProfiledPass& pass, const std::string& root, const CountsFiles& files) {
  const std::string file = file_of(root, pass.program);
  if (!fs::exists(file))
    fail_unavailable(file + " does not exist; make it with: experiment counts");
  KernelModel model = load_stored_model(file);
  const std::string device = device_folder(pass.launch.device);
  if (model.device != device || model.name != pass.program) {
    fail_input(files.raw, "found launches of " + pass.program + " on \"" + device +
                              "\", expected those of " + model.name + " on \"" + model.device +
                              "\", as in " + file);
  }
  return model;
}

// The text of the model with its new cold counters.
std::string text_of(ColdModel& of, const CountsFiles& files, const Json& provenance) {
  Json earlier = of.model.provenance.contains("cold") ? of.model.provenance["cold"] : Json();
  Json& cold = of.model.provenance["cold"];
  cold = {{"file", fs::path(files.raw).filename().string()},
          {"file_hash", hash_id(read_file(files.raw))},
          {"points", of.points},
          {"date", provenance.at("date")},
          {"command", provenance.at("command")}};
  if (earlier.is_object()) earlier.erase("other_points");
  if (earlier.is_object() && of.points < of.model.points.size()) cold["other_points"] = earlier;
  return kernel_model_text(of.model);
}

}  // namespace

std::string store_cold_counts(const CountsFiles& files, const std::string& root,
                              const std::string& command) {
  const std::vector<ProfiledPass> passes = read_counts(files);
  const std::string results = root + "/results/" + device_folder(passes.at(0).launch.device);
  make_folder(OutputFile::stored(results, ShippedFolder::kResults));
  const FolderLock lock(results);
  const Json provenance{{"commit", build_commit()}, {"date", utc_now()}, {"command", command}};
  std::map<std::string, ColdModel> models;
  std::vector<Json> rows;
  for (const ProfiledPass* pass : first_launches(passes)) {
    if (!models.contains(pass->program)) models[pass->program].model = model_of(*pass, root, files);
    ColdModel& of = models[pass->program];
    RecordedPoint* point = find_point(of.model, pass->problem);
    if (point == nullptr ||
        point->launches.at(0).counters.empty()) {  // or the model has no counters of this point
      ++of.unknown;
      continue;
    }
    add_cold_counters(files.raw + ": launch " + std::to_string(pass->launch.id),
                      pass->launch.kernel, pass->launch.launch, pass->launch.memory,
                      point->launches.at(0));
    rows.push_back(cold_row(*pass, point->launches[0], provenance));
    ++of.points;
  }
  if (rows.empty()) {
    fail_input(files.manifest, "no point of pass 0 that a model has: nothing to import");
  }
  // Everything is checked before anything is written.
  std::map<std::string, std::string> texts;  // file -> model
  std::string text;
  for (auto& [program, of] : models) {
    const std::string file = file_of(root, program);
    texts[file] = text_of(of, files, provenance);
    if (texts[file].size() > kMaxModelBytes) {
      fail_limit(file + " would have " + std::to_string(texts[file].size()) +
                 " bytes, more than the " + std::to_string(kMaxModelBytes) +
                 " that a shipped model may have");
    }
    text += file + ": " + std::to_string(of.points) + " points";
    text += of.unknown > 0 ? ", " + std::to_string(of.unknown) + " skipped (the model lacks them)\n"
                           : "\n";
  }
  text += store_count_rows(results + "/counts.jsonl", files, rows);
  for (const auto& [file, model] : texts) write_file_whole(stored_model(file, files), model);
  return text;
}

}  // namespace pnsim::experiments
