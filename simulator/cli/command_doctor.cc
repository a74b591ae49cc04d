// pnsim doctor: describes this build and the data that it finds.
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/gpu_probe.h"
#include "simulator/base/output.h"
#include "simulator/base/provenance.h"
#include "simulator/base/rows.h"
#include "simulator/base/table.h"
#include "simulator/cli/commands.h"
#include "simulator/engine/gpu_replicas.h"

namespace pnsim {
namespace {

std::string gpu_text() {
  const int count = cuda_device_count();
  return count > 0 ? std::to_string(count) + " (live runs: see `experiment doctor`)"
                   : "none found; recorded measurements are used";
}

// A file that is broken is a finding.
std::string rows_text(const std::string& device) {
  try {
    return std::to_string(recorded_rows(device).size()) + " recorded rows";
  } catch (const Error& error) {
    return std::string("its recorded rows cannot be read: ") + error.what();
  }
}

// A data folder that is missing or no such folder is a finding, too.
void add_data(TextTable& table) {
  try {
    table.add_row({"data folder", data_root()});
  } catch (const Error& error) {
    return table.add_row({"data folder", std::string("not found: ") + error.what()});
  }
  table.add_row({"kernel models", std::to_string(shipped_names("models").size())});
  table.add_row({"net templates", std::to_string(shipped_names("models/nets").size())});
  for (const std::string& device : shipped_names("models/devices")) {
    table.add_row({"device " + device, rows_text(device)});
  }
}

ExitCode doctor() {
  TextTable table({"what", "found"});
  table.add_row({"version", program_version()});
  table.add_row({"commit", build_commit()});
  add_data(table);
  table.add_row({"engines", "reference, fast"});
  table.add_row({"GPUs", gpu_text()});
  const std::string why_not = why_not_on_gpu();
  table.add_row(
      {"sweep --on gpu", why_not.empty() ? "runs on the GPU" : "runs on the CPU: " + why_not});
  write_text(table.text());
  return ExitCode::kOk;
}

}  // namespace

void add_doctor_command(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("doctor", "what this build is and what it finds");
  sub->callback([&action] { action = doctor; });
}

}  // namespace pnsim
