#include "experiments/measure/counts_store.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "experiments/spec/device_file.h"
#include "simulator/base/error.h"
#include "simulator/base/hash.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"
#include "simulator/model/derive/infer_programs.h"

namespace pnsim::experiments {
namespace {

namespace fs = std::filesystem;

Json provenance_of(const CountsFiles& files, const std::vector<ProfiledPass>& passes,
                   const std::string& command) {
  std::vector<std::uint32_t> numbers;
  for (const ProfiledPass& p : passes) numbers.push_back(p.pass);
  return {{"from", files.source.empty() ? "Nsight Compute, raw page"
                                        : "Nsight Compute, raw page checked with the source page"},
          {"file", fs::path(files.raw).filename().string()},
          {"file_hash", hash_id(read_file(files.raw))},
          {"launches", passes.size()},
          {"profiled_on", passes.at(0).launch.device},
          {"rule",
           "of each kernel the first and the last profiled pass, each for half of the passes; "
           "one entry where they are equal"},
          {"commit", build_commit()},
          {"date", utc_now()},
          {"command", command}};
}

// The row without the time, commit and command of its import.
std::string content_of(InputJson row) {
  for (const char* key : {"commit", "date", "command"}) row.erase(key);
  return row.dump();
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  if (!fs::exists(file)) return lines;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

struct StoredRows {
  std::size_t added = 0, replaced = 0;
};

// A row replaces the stored row with the same id if they differ. Readers take only the last row of
// an id, so keeping the older one would only make the file longer.
StoredRows store_rows(const OutputFile& target, const std::vector<Json>& rows) {
  const std::string& file = target.path();
  std::vector<std::string> lines = lines_of(file);
  const std::vector<InputJson> old = load_rows(file);
  std::map<std::string, std::size_t> position;  // of the last row with the id
  for (std::size_t i = 0; i < old.size(); ++i) position[old[i]["id"].get<std::string>()] = i;
  StoredRows out;
  for (const Json& row : rows) {
    const auto it = position.find(row["id"].get<std::string>());
    if (it == position.end()) {
      lines.push_back(to_line(row));
      ++out.added;
    } else if (content_of(old[it->second]) != content_of(InputJson(row))) {
      lines[it->second] = to_line(row);
      ++out.replaced;
    }
  }
  if (out.added + out.replaced == 0) return out;
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file_whole(target, text);
  return out;
}

std::string stored_text(const StoredRows& stored, std::size_t rows) {
  const std::string in_place =
      stored.replaced == 0 ? "" : ", " + std::to_string(stored.replaced) + " replaced";
  return std::to_string(stored.added) + " new rows of " + std::to_string(rows) + in_place + "\n";
}

// Writes the model over what is there of it; returns its size.
std::size_t write_model(const OutputFile& target, KernelModel model) {
  const std::string& file = target.path();
  if (fs::exists(file)) {
    const KernelModel old = load_stored_model(file);
    if (old.device == model.device && old.name == model.name) model = merged(old, std::move(model));
  }
  std::string text = kernel_model_text(model);
  if (text.size() > kMaxModelBytes) {
    spdlog::info("{}: {} bytes with programs, over the limit: the model gets only sums", file,
                 text.size());
    for (RecordedPoint& point : model.points) {
      for (Launch& launch : point.launches) launch = without_programs(std::move(launch));
    }
    text = kernel_model_text(model);
  }
  if (text.size() > kMaxModelBytes) {
    spdlog::warn("{}: {} bytes, more than the {} that a shipped model may have", file, text.size(),
                 kMaxModelBytes);
  }
  write_file_whole(target, text);
  return text.size();
}

// By kernel: the largest spread between passes over its points, and the spread of the point with
// most profiled passes.
std::string spread_text(const std::vector<Json>& rows) {
  struct Spread {
    std::string kernel;
    double largest = 0, most_passes_spread = 0;
    std::string at;
    std::size_t passes = 0;
  };
  std::vector<Spread> spreads;
  for (const Json& row : rows) {
    for (const Json& kernel : row["kernels"]) {
      const std::string name = kernel["kernel"];
      auto it = std::find_if(spreads.begin(), spreads.end(),
                             [&](const Spread& s) { return s.kernel == name; });
      if (it == spreads.end()) it = spreads.insert(spreads.end(), {name, 0, 0, "", 0});
      const double spread = kernel["spread"];
      it->largest = std::max(it->largest, spread);
      if (row["passes"].size() > it->passes) {
        it->passes = row["passes"].size();
        it->most_passes_spread = spread;
        it->at = problem_text(row["axes"].get<Problem>());
      }
    }
  }
  TextTable table(
      {"kernel", "largest spread between passes %", "most passes at", "passes", "their spread %"});
  for (const Spread& s : spreads) {
    table.add_row({s.kernel, significant(100 * s.largest, 3), s.at, std::to_string(s.passes),
                   significant(100 * s.most_passes_spread, 3)});
  }
  return table.text(2);
}

std::string source_text(const std::vector<ProfiledPass>& passes) {
  std::size_t launches = 0, sums = 0;
  for (const ProfiledPass& pass : passes) {
    launches += pass.source ? 1 : 0;
    sums += pass.source_sums;
  }
  return "source page: " + std::to_string(launches) + " of " + std::to_string(passes.size()) +
         " launches, " + grouped(static_cast<long long>(sums)) +
         " sums compared with the raw page, all equal\n";
}

std::vector<std::string> inputs_of(const CountsFiles& files) {
  return {files.raw, files.manifest, files.source};
}

}  // namespace

KernelModel load_stored_model(const std::string& file) {
  const InputJson json = load_json(file);
  if (json.is_object() && json.value("version", InputJson()) == 1) {
    fail_input(file + ": /version",
               "found version 1, expected 2: the keys of segments have changed; delete this file, "
               "then make it anew with: experiment counts");
  }
  return load_kernel_model(file);
}

OutputFile stored_model(const std::string& file, const CountsFiles& files) {
  return OutputFile::updated(file, ShippedFolder::kModels, inputs_of(files));
}

std::string store_counts(const CountsFiles& files, const std::string& root,
                         const std::string& command) {
  const std::vector<ProfiledPass> passes = read_counts(files);
  const std::string device = device_folder(passes.at(0).launch.device);
  const Json provenance = provenance_of(files, passes, command);
  const std::string models = root + "/models";
  const std::string results = root + "/results/" + device;
  make_folder(OutputFile::stored(models, ShippedFolder::kModels));
  make_folder(OutputFile::stored(results, ShippedFolder::kResults));
  const FolderLock lock(results);
  std::string text;
  for (const KernelModel& model : models_of(passes, device, provenance)) {
    const std::string file = models + "/" + model.name + ".json";
    const std::size_t points = model.points.size();
    text += file + ": " + std::to_string(points) + " points imported, " +
            grouped(static_cast<long long>(write_model(stored_model(file, files), model))) +
            " bytes\n";
  }
  const std::vector<Json> rows =
      counts_rows(passes, {{"commit", build_commit()}, {"date", utc_now()}, {"command", command}});
  text += source_text(passes);
  text += store_count_rows(results + "/counts.jsonl", files, rows);
  return text + spread_text(rows);
}

std::string store_count_rows(const std::string& file, const CountsFiles& files,
                             const std::vector<Json>& rows) {
  const OutputFile out = OutputFile::updated(file, ShippedFolder::kResults, inputs_of(files));
  return file + ": " + stored_text(store_rows(out, rows), rows.size());
}

}  // namespace pnsim::experiments
