#include "simulator/model/sass/code_fetch.h"

#include <algorithm>
#include <cstddef>

namespace pnsim {
namespace {

constexpr std::size_t kCodeLineBytes = 128, kInstructionsPerLine = 8;
constexpr std::size_t kPresentLines = 32;  // 4 KiB
constexpr std::size_t kNearLines = 512;    // 64 KiB
// Straight fetching runs on over a gap of so many lines. Estimate: jumps over 24 instructions cost
// as much as the lines in between.
constexpr std::size_t kMostSkippedLines = 3;

}  // namespace

CodeFetch code_fetch(const Code& code) {
  CodeFetch fetch;
  fetch.bytes_ahead = static_cast<std::int64_t>(
      kCodeLineBytes *
      std::min((code.size() + kInstructionsPerLine - 1) / kInstructionsPerLine, kNearLines));
  std::size_t last = 0;  // the first line is there
  fetch.executed_bytes = kCodeLineBytes;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t line = i / kInstructionsPerLine;
    if (code[i].row.executed <= 0 || line == last) continue;
    const std::size_t step = line - last;
    last = line;
    fetch.executed_bytes += kCodeLineBytes;
    if (line < kPresentLines) continue;
    const bool is_far = line >= kNearLines;
    if (step > kMostSkippedLines) {
      ++(is_far ? fetch.far_jumps : fetch.jumps);
    } else {
      (is_far ? fetch.far_lines : fetch.lines) += static_cast<std::int64_t>(step);
    }
  }
  return fetch;
}

}  // namespace pnsim
