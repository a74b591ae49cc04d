// libpnsim_recorder.so: a row per kernel launch of the program that the CUDA driver loads it into.
//
// The driver loads the library that CUDA_INJECTION64_PATH names and calls InitializeInjection. The
// rows go to the file that PNSIM_RECORD_FILE names: JSON lines in the order of the launches, with
//   kernel     demangled name with template arguments and parameters
//   symbol     the name in the code: mangled, unless it is of C
//   grid, block  [x, y, z]
//   shared_bytes, registers, stream, graph (a node of a CUDA graph)
//   time_ns    from the start to the end on the GPU
// and a last row {"launches": how many, "dropped_records": by CUPTI}.
// A program that is killed leaves no file. Times are CUPTI's, of one of two kinds (gpu/record.h):
// of concurrent kernel records, or, where PNSIM_RECORD_SERIAL is set, of serial ones.
#include <cupti.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kBufferBytes = 4u << 20;
constexpr std::size_t kBufferAlignment = 8;

struct Row {
  std::uint64_t order = 0;     // CUPTI's correlation id, which grows with each call of the host
  std::uint64_t start_ns = 0;  // on the clock of CUPTI
  std::string text;            // keys and values of the row
};

CUpti_ActivityKind kind_of_records() {
  static const CUpti_ActivityKind kind = std::getenv("PNSIM_RECORD_SERIAL")
                                             ? CUPTI_ACTIVITY_KIND_KERNEL
                                             : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  return kind;
}

std::mutex rows_mutex;
std::vector<Row> rows;
std::size_t dropped_records = 0;

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + '"';
}

std::string triple(std::int64_t x, std::int64_t y, std::int64_t z) {
  return "[" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "]";
}

Row row_of(const CUpti_ActivityKernel9& kernel) {
  Row row{kernel.correlationId, kernel.start, ""};
  row.text =
      "\"kernel\":" + json_text(demangled(kernel.name)) + ",\"symbol\":" + json_text(kernel.name) +
      ",\"grid\":" + triple(kernel.gridX, kernel.gridY, kernel.gridZ) +
      ",\"block\":" + triple(kernel.blockX, kernel.blockY, kernel.blockZ) + ",\"shared_bytes\":" +
      std::to_string(kernel.staticSharedMemory + kernel.dynamicSharedMemory) +
      ",\"registers\":" + std::to_string(kernel.registersPerThread) +
      ",\"stream\":" + std::to_string(kernel.streamId) +
      ",\"graph\":" + (kernel.graphNodeId == 0 ? "false" : "true") +
      ",\"time_ns\":" + std::to_string(kernel.end - kernel.start);
  return row;
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* max_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *bytes = *buffer ? kBufferBytes : 0;
  *max_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                          std::size_t, std::size_t used_bytes) {
  const std::lock_guard lock(rows_mutex);
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, used_bytes, &record) == CUPTI_SUCCESS) {
    if (record->kind != kind_of_records()) continue;
    rows.push_back(row_of(*reinterpret_cast<const CUpti_ActivityKernel9*>(record)));
  }
  std::size_t dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS) {
    dropped_records += dropped;
  }
  std::free(buffer);
}

// Nodes of one graph launch share a correlation id, so the start on the GPU orders them.
bool before(const Row& a, const Row& b) {
  return a.order != b.order ? a.order < b.order : a.start_ns < b.start_ns;
}

void write_rows() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const std::lock_guard lock(rows_mutex);
  const char* path = std::getenv("PNSIM_RECORD_FILE");
  std::FILE* file = path ? std::fopen(path, "w") : nullptr;
  if (!file) {
    std::fprintf(stderr, "pnsim recorder: PNSIM_RECORD_FILE (%s) cannot be written\n",
                 path ? path : "not set");
    return;
  }
  std::stable_sort(rows.begin(), rows.end(), before);
  for (const Row& row : rows) std::fprintf(file, "{%s}\n", row.text.c_str());
  std::fprintf(file, "{\"launches\":%zu,\"dropped_records\":%zu}\n", rows.size(), dropped_records);
  std::fclose(file);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS ||
      cuptiActivityEnable(kind_of_records()) != CUPTI_SUCCESS) {
    std::fprintf(stderr, "pnsim recorder: CUPTI refuses to record kernels\n");
    return 0;
  }
  std::atexit(write_rows);
  return 1;
}
