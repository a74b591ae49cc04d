#include "simulator/model/sass/source_page.h"

#include <algorithm>
#include <charconv>

#include "simulator/base/csv.h"
#include "simulator/base/error.h"
#include "simulator/base/numbers.h"
#include "simulator/model/launch/opcodes.h"
#include "simulator/model/launch/segment.h"
#include "simulator/model/sass/kernel_name.h"
#include "simulator/model/sass/page_text.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxPageCount = std::int64_t{1} << 50;  // far over any launch
constexpr std::size_t kNoPageColumn = static_cast<std::size_t>(-1);

struct PageColumn {
  const char* name;
  std::int64_t SourceRow::*member;
  const char* what;
  std::int64_t most = kMaxPageCount;
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
    {"Access Size", &SourceRow::access_bits, "a number of bits", 8 * kMostAccessBytes},
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
    const bool is_numbered =
        address == kNoPageColumn && find_page_column(cells, "#") != kNoPageColumn;
    if (is_numbered || find_page_column(cells, "Line No") != kNoPageColumn) {
      fail_page_of("this page shows lines of CUDA, not SASS alone", where, PageKind::kSource);
    }
    if (source == kNoPageColumn)
      fail_page_of("the column \"Source\" is missing", where, PageKind::kSource);
    for (std::size_t i = 0; i < std::size(kPageColumns); ++i) {
      columns[i] = find_page_column(cells, kPageColumns[i].name);
    }
    if (columns[0] == kNoPageColumn) {
      fail_page_of("the column \"Instructions Executed\" is missing", where, PageKind::kSource);
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
  if (value > column.most) {
    fail_input(where + ", column " + column.name, "found \"" + text + "\", expected " +
                                                      column.what + ", at most " +
                                                      std::to_string(column.most));
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
  check_utf8(row.text, where + ", column Source", PageKind::kSource);
  if (header.address < cells.size()) row.address = parse_address(cells[header.address]);
  for (std::size_t i = 0; i < std::size(kPageColumns); ++i) {
    if (header.columns[i] >= cells.size()) continue;
    row.*kPageColumns[i].member =
        parse_page_count(cells[header.columns[i]], kPageColumns[i], where);
  }
  return row;
}

}  // namespace

namespace {

// Instructions of one page: those of a thousand large kernels, about a gigabyte.
constexpr std::size_t kMaxPageRows = 5'000'000;

class PageReader {
 public:
  explicit PageReader(const std::string& origin) : origin_(origin) {}

  void read(std::vector<std::string>& cells, std::size_t number) {
    const std::string where = origin_ + ": row " + std::to_string(number);
    if (awaits_header_) {
      header_ = PageHeader(cells, origin_ + ": row " + std::to_string(number - 1));
      tables_.back().counts = header_.counts();
      awaits_header_ = false;
    } else if (cells.size() >= 2 && cells[0] == "Kernel Name") {
      finish();
      tables_.push_back({plain_kernel_name(cells[1]), origin_, number, {}, {}, 1, "", {}});
      check_name(where);
      awaits_header_ = true;
    } else if (tables_.empty()) {
      fail_other_page(csv_line(cells), where, PageKind::kSource);
    } else if (tables_.back().fault.empty()) {
      add_row(cells, where);
    }
  }

  std::vector<SourceTable> take() {
    if (awaits_header_) {
      fail_input(tables_.back().where(),
                 "the table of this kernel is missing: the page ends too early; print it again");
    }
    finish();
    return std::move(tables_);
  }

 private:
  void check_name(const std::string& where) {
    try {
      check_utf8(tables_.back().kernel, where + ", column Kernel Name", PageKind::kSource);
    } catch (const Error& error) {
      tables_.back().fault = error.what();
    }
  }

  void add_row(const std::vector<std::string>& cells, const std::string& where) {
    if (++rows_ > kMaxPageRows) {
      fail_limit(where + ": the page has more than " + std::to_string(kMaxPageRows) +
                 " instructions, the most that are read at once; profile fewer launches a report "
                 "(ncu --launch-skip, --launch-count)");
    }
    SourceTable& table = tables_.back();
    try {
      table.rows.push_back(parse_row(cells, header_, where));
      const std::size_t count = table.rows.size();
      if (count > 1 && table.rows.back().address != 0 &&
          table.rows.back().address < table.rows[count - 2].address) {
        fail_input(
            where + ", column Address",
            "found an instruction before that of the row before: expected the program in order");
      }
    } catch (const Error& error) {
      table.fault = error.what();
    }
  }

  // A table that equals the one before becomes a copy of it.
  void finish() {
    if (tables_.size() < 2 || !tables_.back().same_rows(tables_[tables_.size() - 2])) return;
    rows_ -= tables_.back().rows.size();
    tables_.pop_back();
    ++tables_.back().copies;
  }

  const std::string& origin_;
  std::vector<SourceTable> tables_;
  PageHeader header_;
  bool awaits_header_ = false;
  std::size_t rows_ = 0;
};

}  // namespace

std::vector<SourceTable> read_source_tables(const std::string& csv_text,
                                            const std::string& origin) {
  constexpr std::string_view kNoLines = "No lineinfo available to show CUDA-C source";
  const std::string page = page_of(csv_text, origin);
  if (page.empty() && csv_text.find(kNoLines) != std::string::npos) {
    fail_page_of("this is a page of lines of CUDA, which the program does not have", origin,
                 PageKind::kSource);
  }
  PageReader reader(origin);
  for_each_csv_row(page, origin, [&](std::vector<std::string>& cells, std::size_t number) {
    reader.read(cells, number);
  });
  return reader.take();
}

std::vector<SourceTable> read_source_page(const std::string& csv_text, const std::string& origin) {
  std::vector<SourceTable> tables = read_source_tables(csv_text, origin);
  for (const SourceTable& table : tables) {
    if (!table.fault.empty()) throw Error(ExitCode::kBadInput, table.fault);
  }
  return tables;
}

std::string opcode_of(const SourceRow& row, const std::string& opcode) {
  const bool is_shared = row.wavefronts > 0 && row.tags <= 0 && row.sectors <= 0;
  if (!is_shared) return opcode;
  const std::string_view base = base_of(opcode);
  for (const auto& [generic, shared] :
       {std::pair{"LD", "LDS"}, std::pair{"ST", "STS"}, std::pair{"ATOM", "ATOMS"}}) {
    if (base == generic) return shared + opcode.substr(base.size());
  }
  return opcode;
}

}  // namespace pnsim
