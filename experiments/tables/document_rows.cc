// RowIndex, and the reader of the documents' figures.
#include "experiments/tables/document_tables.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/base/rows.h"

namespace pnsim::experiments {
namespace {

bool has_axes(const InputJson& row, const Problem& axes) {
  const auto it = row.find("axes");
  if (it == row.end() || it->size() != axes.size()) return false;
  for (const auto& [name, value] : axes) {
    const auto axis = it->find(name);
    if (axis == it->end() || *axis != value) return false;
  }
  return true;
}

bool is_text(const InputJson& row, const char* key, const std::string& text) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() && *it == text;
}

}  // namespace

RowIndex::RowIndex(const std::string& device) : rows_(recorded_rows(device)) {}

const InputJson& RowIndex::at(const std::string& kind, const std::string& program,
                              const Problem& axes, const std::string& mode,
                              const std::string& remedy) const {
  for (const InputJson& row : rows_) {
    if (is_text(row, "kind", kind) && is_text(row, "program", program) &&
        (mode.empty() || is_text(row, "mode", mode)) && has_axes(row, axes)) {
      return row;
    }
  }
  fail_unavailable(program + " " + problem_text(axes) + ": no " +
                   (mode.empty() ? kind : mode + " " + kind) +
                   " is recorded; on a machine with that GPU: " + remedy);
}

InputJson load_document(const std::string& name) {
  return load_json(data_root() + "/experiments/documents/" + name + ".json");
}

}  // namespace pnsim::experiments
