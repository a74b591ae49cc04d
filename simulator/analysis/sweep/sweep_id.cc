#include "simulator/analysis/sweep/sweep_id.h"

#include <charconv>

namespace pnsim {
namespace {

constexpr std::string_view kStart = R"({"id":")";
constexpr std::size_t kHashDigits = 16;

bool take_number(std::string_view& text, std::uint64_t& value) {
  if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::string SweepRowId::text() const {
  return sweep + "-" + std::to_string(point + 1) + "/" + std::to_string(count);
}

std::optional<SweepRowId> row_id_of(std::string_view row) {
  SweepRowId id;
  if (!take(row, kStart) || row.size() < kHashDigits) return std::nullopt;
  id.sweep = row.substr(0, kHashDigits);
  row.remove_prefix(kHashDigits);
  const bool is_hash = id.sweep.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_hash || !take(row, "-") || !take_number(row, id.point) || !take(row, "/") ||
      !take_number(row, id.count) || !take(row, "\"")) {
    return std::nullopt;
  }
  if (id.point < 1 || id.point > id.count) return std::nullopt;
  --id.point;
  return id;
}

}  // namespace pnsim
