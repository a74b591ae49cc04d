#include "simulator/model/sass/tensor_product.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "simulator/model/launch/opcodes.h"

namespace pnsim {
namespace {

// Measured alike on an H100 and an H200: mma_latency (gpu/microbench).
constexpr std::int64_t kK16Slots = 17, kK32Slots = 24, kSmallDoubleSlots = 26, kDoubleSlots = 82;

struct Shape {
  int m = 0, n = 0, k = 0;
};

std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0
             ? std::optional(number)
             : std::nullopt;
}

// "64x128x16", or without the x where M is 16 or 8 and N is 8: "16816", "884".
std::optional<Shape> shape_of(std::string_view text) {
  const auto first = text.find('x');
  if (first == std::string_view::npos) {
    const bool is_tall = text.starts_with("168");
    if (!is_tall && !text.starts_with("88")) return std::nullopt;
    const auto k = number_of(text.substr(is_tall ? 3 : 2));
    return k ? std::optional(Shape{is_tall ? 16 : 8, 8, *k}) : std::nullopt;
  }
  const auto second = text.find('x', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto m = number_of(text.substr(0, first)),
             n = number_of(text.substr(first + 1, second - first - 1)),
             k = number_of(text.substr(second + 1));
  return m && n && k ? std::optional(Shape{*m, *n, *k}) : std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view opcode) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= opcode.size();) {
    const auto dot = std::min(opcode.find('.', at), opcode.size());
    parts.push_back(opcode.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

bool has_part(const std::vector<std::string_view>& parts, std::string_view part) {
  for (const std::string_view one : parts) {
    if (one == part) return true;
  }
  return false;
}

double element_bytes(std::string_view base, const std::vector<std::string_view>& parts) {
  if (base == "HMMA") return has_part(parts, "TF32") ? 4 : 2;
  return has_part(parts, "S4") || has_part(parts, "U4") ? 0.5 : 1;
}

TensorProduct double_product(const Shape& shape) {
  if (shape.m == 8) return {"dmma_8x8x4", shape.k / 4.0, false, kSmallDoubleSlots};
  return {"dmma_16x8x16", shape.k / 16.0, false, kDoubleSlots};
}

}  // namespace

TensorProduct tensor_product_of(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  const bool of_group = base == "HGMMA" || base == "IGMMA" || base == "QGMMA";
  const bool is_double = base == "DMMA";
  if (!of_group && !is_double && base != "HMMA" && base != "IMMA" && base != "QMMA") return {};
  const std::vector<std::string_view> parts = parts_of(opcode);
  const auto shape = parts.size() > 1 ? shape_of(parts[1]) : std::nullopt;
  if (!shape) return {};
  if (of_group) return {"wgmma_columns", static_cast<double>(shape->n), true, 0};
  if (is_double) return double_product(*shape);
  const double bytes = shape->k * element_bytes(base, parts);
  if (bytes <= 16) return {"mma_k16_bytes", 1, false, kK16Slots};
  return {"mma_k32_bytes", bytes / 32, false, kK32Slots};
}

}  // namespace pnsim
