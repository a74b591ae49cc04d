#include "simulator/analysis/exact/marking_table.h"

namespace pnsim {
namespace {

// Estimated size of an entry without its characters: string, number, hash, links, allocation.
constexpr std::size_t kEntryBytes = 96;

// LEB128: seven bits per byte, lowest first; the top bit is set in all bytes but the last.
void append_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<char>(value % 128 + 128));
  bytes.push_back(static_cast<char>(value));
}

std::uint64_t read_varint(const std::string& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= std::uint64_t{byte % 128u} << shift;
    if (byte < 128) return value;
  }
}

// Encodes (number of skipped places, tokens) for each marked place.
std::string encoded(const Marking& marking) {
  std::string bytes;
  std::size_t next = 0;
  for (std::size_t p = 0; p < marking.size(); ++p) {
    if (marking[p] == 0) continue;
    append_varint(bytes, p - next);
    append_varint(bytes, static_cast<std::uint64_t>(marking[p]));
    next = p + 1;
  }
  return bytes;
}

}  // namespace

std::uint32_t MarkingTable::number_of(const Marking& marking) {
  const auto next = static_cast<std::uint32_t>(in_order_.size());
  const auto [it, added] = number_.emplace(encoded(marking), next);
  if (added) {
    in_order_.push_back(&it->first);
    bytes_ += kEntryBytes + it->first.size();
  }
  return it->second;
}

Marking MarkingTable::marking(std::uint32_t number) const {
  const std::string& bytes = *in_order_[number];
  Marking out(place_count_);
  std::size_t place = 0;
  for (std::size_t at = 0; at < bytes.size(); ++place) {
    place += read_varint(bytes, at);
    out[place] = static_cast<Tokens>(read_varint(bytes, at));
  }
  return out;
}

}  // namespace pnsim
