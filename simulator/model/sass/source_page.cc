#include "simulator/model/sass/source_page.h"

#include <algorithm>
#include <charconv>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/numbers.h"
#include "simulator/model/sass/kernel_name.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxPageCount = std::int64_t{1} << 50;  // far over any launch
constexpr std::size_t kNoPageColumn = static_cast<std::size_t>(-1);

struct PageColumn {
  const char* name;
  std::int64_t SourceRow::*member;
  const char* what;
};

constexpr PageColumn kPageColumns[] = {
    {"Instructions Executed", &SourceRow::executed, "a count of executed instructions"},
    {"Thread Instructions Executed", &SourceRow::threads, "a count of thread instructions"},
    {"Predicated-On Thread Instructions Executed", &SourceRow::threads_on,
     "a count of thread instructions"},
    {"Divergent Branches", &SourceRow::divergent, "a count of branches"},
    {"L2 Theoretical Sectors Global", &SourceRow::sectors, "a count of sectors"},
    {"L2 Theoretical Sectors Local", &SourceRow::local_sectors, "a count of sectors"},
    {"L1 Tag Requests Global", &SourceRow::tags, "a count of tag requests"},
    {"L1 Wavefronts Shared", &SourceRow::wavefronts, "a count of wavefronts"},
    {"Access Size", &SourceRow::access_bits, "a number of bits"},
};

std::size_t find_page_column(const std::vector<std::string>& header, const std::string& name) {
  const auto it = std::find(header.begin(), header.end(), name);
  return it == header.end() ? kNoPageColumn : static_cast<std::size_t>(it - header.begin());
}

// The positions of the columns in one table.
struct PageHeader {
  std::size_t source = kNoPageColumn;
  std::size_t address = kNoPageColumn;
  std::size_t columns[std::size(kPageColumns)] = {};

  std::vector<std::int64_t SourceRow::*> counts() const {
    std::vector<std::int64_t SourceRow::*> out;
    for (std::size_t i = 0; i < std::size(kPageColumns); ++i) {
      if (columns[i] != kNoPageColumn) out.push_back(kPageColumns[i].member);
    }
    return out;
  }

  PageHeader() = default;
  PageHeader(const std::vector<std::string>& cells, const std::string& where)
      : source(find_page_column(cells, "Source")), address(find_page_column(cells, "Address")) {
    if (source == kNoPageColumn) fail_input(where, "the column \"Source\" is missing");
    for (std::size_t i = 0; i < std::size(kPageColumns); ++i) {
      columns[i] = find_page_column(cells, kPageColumns[i].name);
    }
    if (columns[0] == kNoPageColumn) {
      fail_input(where, "the column \"Instructions Executed\" is missing");
    }
  }
};

std::int64_t parse_page_count(const std::string& text, const PageColumn& column,
                              const std::string& where) {
  if (text == "-" && column.member != &SourceRow::executed) return kNotCounted;
  const bool is_empty_optional = text.empty() && column.member != &SourceRow::executed;
  if (is_empty_optional) return kNotCounted;
  const std::string digits = without_separators(text).value_or("");
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < 0 ||
      value > kMaxPageCount) {
    fail_input(where, "found \"" + text + "\", expected " + column.what);
  }
  return value;
}

// "0x7f00" or "128"; 0 for other text, which is harmless: only branch targets are looked up.
std::uint64_t parse_address(std::string_view text) {
  std::uint64_t value = 0;
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  return value;
}

SourceRow parse_row(const std::vector<std::string>& cells, const PageHeader& header,
                    const std::string& where) {
  if (cells.size() <= std::max(header.source, header.columns[0])) {
    fail_input(where, "the row ends before the column \"Instructions Executed\"");
  }
  SourceRow row;
  row.text = cells[header.source].substr(
      std::min(cells[header.source].find_first_not_of(' '), cells[header.source].size()));
  if (header.address < cells.size()) row.address = parse_address(cells[header.address]);
  for (std::size_t i = 0; i < std::size(kPageColumns); ++i) {
    if (header.columns[i] >= cells.size()) continue;
    row.*kPageColumns[i].member =
        parse_page_count(cells[header.columns[i]], kPageColumns[i], where);
  }
  return row;
}

}  // namespace

std::string page_of(const std::string& text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  std::string_view page = text;
  if (page.starts_with(kMark)) page.remove_prefix(kMark.size());
  while (page.starts_with("==")) page.remove_prefix(std::min(page.find('\n'), page.size() - 1) + 1);
  return std::string(page);
}

std::vector<SourceTable> read_source_page(const std::string& csv_text, const std::string& origin) {
  const auto rows = parse_csv(page_of(csv_text), origin);
  std::vector<SourceTable> tables;
  PageHeader header;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string where = origin + ": row " + std::to_string(r + 1);
    if (rows[r].size() >= 2 && rows[r][0] == "Kernel Name") {
      if (r + 1 == rows.size()) fail_input(where, "the table of this kernel is missing");
      tables.push_back({plain_kernel_name(rows[r][1]), origin, r + 1, {}, {}});
      header = PageHeader(rows[++r], where);
      tables.back().counts = header.counts();
    } else if (tables.empty()) {
      fail_input(where,
                 "expected the source page of ncu as CSV: a row that begins with "
                 "\"Kernel Name\"" +
                     std::string(rows[0][0] == "ID" ? "; this is a raw page" : ""));
    } else {
      std::vector<SourceRow>& table = tables.back().rows;
      table.push_back(parse_row(rows[r], header, where));
      if (table.size() > 1 && table.back().address != 0 &&
          table.back().address < table[table.size() - 2].address) {
        fail_input(
            where + ", column Address",
            "found an instruction before that of the row before: expected the program in order");
      }
    }
  }
  return tables;
}

std::vector<SourceTable> one_table_a_launch(std::vector<SourceTable> tables, std::size_t launches,
                                            const std::string& origin) {
  if (tables.size() == launches) return tables;
  std::vector<SourceTable> out;
  bool is_doubled = tables.size() == 2 * launches;
  for (std::size_t i = 0; is_doubled && i < tables.size(); i += 2) {
    is_doubled = tables[i].same_rows(tables[i + 1]);
    out.push_back(std::move(tables[i]));
  }
  if (is_doubled) return out;
  fail_input(origin, "found " + std::to_string(tables.size()) +
                         " tables, expected one or two for "
                         "each of the " +
                         std::to_string(launches) + " launches of the raw page");
}

}  // namespace pnsim
