#include "simulator/net/node_names.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace pnsim {
namespace {

// Removes ".N" from the front of `text`. Returns nothing when the text does not start so, or N is
// not below `limit`.
std::optional<std::uint32_t> take_number(std::string_view& text, std::uint32_t limit) {
  if (!text.starts_with('.')) return std::nullopt;
  std::uint32_t number = 0;
  const char* const first = text.data() + 1;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(first, end, number);
  if (error != std::errc{} || number >= limit) return std::nullopt;
  if (*first == '0' && last != first + 1) return std::nullopt;  // "p.01"
  text.remove_prefix(static_cast<std::size_t>(last - text.data()));
  return number;
}

}  // namespace

std::string_view group_of(std::string_view name) {
  while (true) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return name;
    if (name.find_first_not_of("0123456789", dot + 1) != std::string_view::npos) return name;
    name = name.substr(0, dot);
  }
}

void NodeNames::add_instances(std::string name, std::vector<std::uint32_t> numbers) {
  const std::uint32_t count =
      std::accumulate(numbers.begin(), numbers.end(), 1u, std::multiplies<>());
  add_row(std::move(name), std::move(numbers), count);
}

void NodeNames::add_row(std::string name, std::vector<std::uint32_t> numbers, std::uint32_t count) {
  if (count == 0) return;
  rows_.push_back({std::move(name), size_, std::move(numbers), {}});
  size_ += count;
}

void NodeNames::keep(const std::vector<char>& is_kept) {
  std::vector<Row> rows;
  std::uint32_t size = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    const std::uint32_t end = r + 1 < rows_.size() ? rows_[r + 1].first : size_;
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = row.first; i < end; ++i) {
      if (is_kept[i]) kept.push_back(row.instance(i - row.first));
    }
    if (kept.empty()) continue;
    const auto count = static_cast<std::uint32_t>(kept.size());
    if (count < end - row.first) row.kept = std::move(kept);
    row.first = std::exchange(size, size + count);
    rows.push_back(std::move(row));
  }
  rows_ = std::move(rows);
  size_ = size;
}

void NodeNames::sort() {
  by_name_.resize(rows_.size());
  std::iota(by_name_.begin(), by_name_.end(), 0u);
  std::stable_sort(by_name_.begin(), by_name_.end(),
                   [&](auto a, auto b) { return rows_[a].name < rows_[b].name; });
}

const NodeNames::Row& NodeNames::row_of(std::uint32_t i) const {
  if (rows_.size() == size_) return rows_[i];  // one node per row
  const auto next =
      std::upper_bound(rows_.begin(), rows_.end(), i,
                       [](std::uint32_t at, const Row& row) { return at < row.first; });
  return *std::prev(next);
}

std::string NodeNames::name(std::uint32_t i) const {
  const Row& row = row_of(i);
  std::uint32_t each = 1;  // nodes with the same prefix of the name
  for (const std::uint32_t numbers : row.numbers) each *= numbers;
  std::string name = row.name;
  const std::uint32_t instance = row.instance(i - row.first);
  for (const std::uint32_t numbers : row.numbers) {
    each /= numbers;
    name.append(1, '.').append(std::to_string(instance / each % numbers));
  }
  return name;
}

std::string_view NodeNames::group(std::uint32_t i) const {
  const Row& row = row_of(i);
  return row.numbers.empty() ? group_of(row.name) : std::string_view(row.name);
}

std::vector<NodeNames::Group> NodeNames::groups() const {
  std::vector<Group> out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const std::uint32_t end = r + 1 < rows_.size() ? rows_[r + 1].first : size_;
    out.push_back({group(rows_[r].first), end - rows_[r].first});
  }
  return out;
}

std::optional<std::uint32_t> NodeNames::find(std::string_view name) const {
  const auto find_row = [&](std::string_view row_name) -> const Row* {
    const auto it =
        std::lower_bound(by_name_.begin(), by_name_.end(), row_name,
                         [&](std::uint32_t r, std::string_view n) { return rows_[r].name < n; });
    return it == by_name_.end() || rows_[*it].name != row_name ? nullptr : &rows_[*it];
  };
  if (const Row* const row = find_row(name); row && row->numbers.empty()) return row->first;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const Row* const row = find_row(name.substr(0, dot));
  if (!row || row->numbers.empty()) return std::nullopt;
  std::string_view suffix = name.substr(dot);
  std::uint32_t at = 0;
  for (const std::uint32_t numbers : row->numbers) {
    const auto number = take_number(suffix, numbers);
    if (!number) return std::nullopt;
    at = at * numbers + *number;
  }
  if (!suffix.empty()) return std::nullopt;
  if (row->kept.empty()) return row->first + at;
  const auto kept = std::lower_bound(row->kept.begin(), row->kept.end(), at);
  if (kept == row->kept.end() || *kept != at) return std::nullopt;
  return row->first + static_cast<std::uint32_t>(kept - row->kept.begin());
}

}  // namespace pnsim
