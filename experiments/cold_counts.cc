// What launches miss when L2 is cold, into models that are there.
#include <filesystem>
#include <map>
#include <set>

#include "experiments/counts_store.h"
#include "experiments/device_file.h"
#include "simulator/base/error.h"
#include "simulator/base/hash.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"
#include "simulator/model/cold_launch.h"

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

// The first launches of the points, in the order of the page.
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

}  // namespace

std::string store_cold_counts(const CountsFiles& files, const std::string& root,
                              const std::string& command) {
  const std::vector<ProfiledPass> passes = read_counts(files);
  const Json provenance{{"commit", build_commit()}, {"date", utc_now()}, {"command", command}};
  std::map<std::string, ColdModel> models;
  std::vector<Json> rows;
  for (const ProfiledPass* pass : first_launches(passes)) {
    const std::string file = root + "/models/" + pass->program + ".json";
    if (!models.contains(pass->program)) {
      if (!fs::exists(file)) fail_unavailable(file + " is not there: experiment counts makes it");
      models[pass->program].model = load_kernel_model(file);
    }
    ColdModel& of = models[pass->program];
    RecordedPoint* point = find_point(of.model, pass->problem);
    if (point == nullptr) {
      ++of.unknown;
      continue;
    }
    add_cold_counters(files.raw + ": launch " + std::to_string(pass->launch.id), pass->launch.kernel,
                      pass->launch.launch, pass->launch.memory, point->launches.at(0));
    rows.push_back(cold_row(*pass, point->launches[0], provenance));
    ++of.points;
  }
  std::string text;
  for (auto& [program, of] : models) {
    const std::string file = root + "/models/" + program + ".json";
    of.model.provenance["cold"] = {{"file", fs::path(files.raw).filename().string()},
                                   {"file_hash", hash_id(read_file(files.raw))},
                                   {"date", provenance.at("date")},
                                   {"command", command}};
    write_file_whole(file, kernel_model_text(of.model));
    text += file + ": " + std::to_string(of.points) + " points";
    text += of.unknown > 0 ? ", " + std::to_string(of.unknown) + " that it has not\n" : "\n";
  }
  const std::string results = root + "/results/" + device_folder(passes.at(0).launch.device);
  make_folder(results);
  return text + store_count_rows(results + "/counts.jsonl", rows);
}

}  // namespace pnsim::experiments
