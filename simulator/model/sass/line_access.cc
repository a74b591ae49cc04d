#include "simulator/model/sass/line_access.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace pnsim {

namespace {

// "R1, 0x0, 2D, 0x3": true where an operand has this name.
bool has_operand(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at > 0 && text[at - 1] == ' ' &&
        (end == text.size() || text[end] == ',' || text[end] == ' '))
      return true;
  }
  return false;
}

// The words of a fetched texel: the bits of the mask, which is the last operand. The listing has no
// mask where all four are fetched.
std::int64_t fetched_words(const std::string& text) {
  constexpr unsigned long kWords = 15;
  const std::size_t at = text.rfind(" 0x");
  if (at == std::string::npos || text.find(',', at) != std::string::npos) return 4;
  const unsigned long mask = std::strtoul(text.c_str() + at + 1, nullptr, 16) & kWords;
  return std::max(std::popcount(mask), 1);
}

// Not the queries of a texture's properties.
bool fetches_texels(const std::string& opcode) {
  return opcode.starts_with("TEX") || opcode.starts_with("TLD") || opcode.starts_with("TXD");
}

}  // namespace

double ratio(std::int64_t sum, std::int64_t n) {
  return sum <= 0 || n <= 0 ? 0 : static_cast<double>(sum) / static_cast<double>(n);
}

std::int64_t access_bytes(const CodeLine& line) {
  if (line.row.access_bits > 0) return line.row.access_bits / 8;
  if (fetches_texels(line.sass.opcode)) {
    constexpr std::int64_t kWordBytes = 4;
    return kWordBytes * fetched_words(line.row.text);
  }
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

// TLD reads linear memory where it has one dimension; TEX reads arrays.
TextureKind texture_kind(const CodeLine& line) {
  const std::string& text = line.row.text;
  const auto has = [&](const char* dimension) {
    return has_operand(text, dimension) || has_operand(text, std::string("ARRAY_") + dimension);
  };
  if (!fetches_texels(line.sass.opcode)) return TextureKind::kMemory;
  if (has("2D")) return TextureKind::k2d;
  if (has("3D")) return TextureKind::k3d;
  if (has("CUBE")) return TextureKind::kCube;
  const bool is_array = line.sass.opcode.starts_with("TEX") && has("1D");
  return is_array ? TextureKind::k1d : TextureKind::kMemory;
}

double lines_of_local(double sectors) {
  constexpr double kSectorsOfLine = 4;
  return sectors > 0 ? std::max(sectors / kSectorsOfLine, 1.0) : 0;
}

}  // namespace pnsim
