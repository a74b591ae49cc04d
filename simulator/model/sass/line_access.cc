#include "simulator/model/sass/line_access.h"

#include <algorithm>

namespace pnsim {

double ratio(std::int64_t sum, std::int64_t n) {
  return sum <= 0 || n <= 0 ? 0 : static_cast<double>(sum) / static_cast<double>(n);
}

std::int64_t access_bytes(const CodeLine& line) {
  if (line.row.access_bits > 0) return line.row.access_bits / 8;
  const std::string opcode = line.sass.opcode + ".";
  const auto has = [&](const char* modifier) { return opcode.find(modifier) != std::string::npos; };
  if (has(".128.")) return 16;
  if (has(".64.")) return 8;
  if (has(".U8.") || has(".S8.")) return 1;
  return has(".U16.") || has(".S16.") ? 2 : 4;
}

double lanes_of(const CodeLine& line, std::int64_t active) {
  return line.row.threads_on < 0 ? 32 : ratio(line.row.threads_on, active);
}

bool adds_floats(const std::string& opcode) {
  return (opcode.starts_with("RED") || opcode.starts_with("ATOM")) &&
         (opcode.find(".F32") != std::string::npos || opcode.find(".F64") != std::string::npos ||
          opcode.find(".F16") != std::string::npos);
}

bool copies_through_l1(const std::string& opcode) {
  return opcode.starts_with("LDGSTS") && opcode.find(".BYPASS") == std::string::npos;
}

double lines_of_local(double sectors) {
  constexpr double kSectorsOfLine = 4;
  return sectors > 0 ? std::max(sectors / kSectorsOfLine, 1.0) : 0;
}

}  // namespace pnsim
