#include "simulator/model/sass/page_text.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "simulator/base/error.h"
#include "simulator/base/extension.h"
#include "simulator/base/ncu.h"
#include "simulator/base/provenance.h"
#include "simulator/model/sass/page_separators.h"

namespace pnsim {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kReportMark = "NVR\0"sv;  // the first bytes of a report

enum class ByteOrder { kNone, kLittle, kBig };

// UTF-16 begins with a mark, or with ASCII characters of two bytes each.
ByteOrder utf16_order(std::string_view text) {
  if (text.starts_with("\xff\xfe"sv)) return ByteOrder::kLittle;
  if (text.starts_with("\xfe\xff"sv)) return ByteOrder::kBig;
  if (text.size() < 4) return ByteOrder::kNone;
  if (text[0] != 0 && text[1] == 0 && text[2] != 0 && text[3] == 0) return ByteOrder::kLittle;
  if (text[0] == 0 && text[1] != 0 && text[2] == 0 && text[3] != 0) return ByteOrder::kBig;
  return ByteOrder::kNone;
}

void append_utf8(std::uint32_t character, std::string& out) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0 | character >> 6);
  } else if (character < 0x10000) {
    add(0xE0 | character >> 12);
    add(0x80 | (character >> 6 & 0x3F));
  } else {
    add(0xF0 | character >> 18);
    add(0x80 | (character >> 12 & 0x3F));
    add(0x80 | (character >> 6 & 0x3F));
  }
  add(0x80 | (character & 0x3F));
}

std::string from_utf16(std::string_view text, ByteOrder order) {
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(text[i]),
               second = static_cast<unsigned char>(text[i + 1]);
    return static_cast<std::uint32_t>(order == ByteOrder::kLittle ? first | second << 8
                                                                  : first << 8 | second);
  };
  std::string out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    std::uint32_t character = unit(i);
    const bool is_first_half = (character & 0xFC00) == 0xD800 && i + 3 < text.size();
    if (is_first_half && (unit(i + 2) & 0xFC00) == 0xDC00) {
      character = 0x10000 + ((character & 0x3FF) << 10) + (unit(i + 2) & 0x3FF);
      i += 2;
    }
    append_utf8(character, out);
  }
  return out;
}

// Without the lines of messages at the end, and the blank ones among them.
std::string_view without_messages_after(std::string_view page) {
  for (std::string_view rest = page;;) {
    while (!rest.empty() && std::string_view("\r\n").find(rest.back()) != rest.npos) {
      rest.remove_suffix(1);
    }
    const std::size_t newline = rest.rfind('\n');
    if (newline == rest.npos || !rest.substr(newline + 1).starts_with("==")) return page;
    rest = page = rest.substr(0, newline + 1);
  }
}

std::string_view first_line(std::string_view page) { return page.substr(0, page.find('\n')); }

// Whether the first cell of the page is `cell` and `separator` follows it.
bool begins_with_cell(std::string_view page, std::string_view cell, char separator) {
  const bool is_quoted = page.starts_with('"');
  if (is_quoted) page.remove_prefix(1);
  if (!page.starts_with(cell)) return false;
  page.remove_prefix(cell.size());
  if (is_quoted && !page.starts_with('"')) return false;
  if (is_quoted) page.remove_prefix(1);
  return page.starts_with(separator);
}

bool is_details_page(std::string_view page) {
  return begins_with_cell(page, "ID", ',') &&
         first_line(page).find("Metric Name") != std::string_view::npos;
}

// A raw page of which a program removed the first column. The first row of a source page has two
// cells.
bool lacks_id(std::string_view page) {
  const std::string_view header = first_line(page);
  return !begins_with_cell(page, "ID", ',') && header.find("Block Size") != header.npos &&
         header.find("Grid Size") != header.npos;
}

// "this is a details page"; "" where nothing is recognised.
std::string what_it_is(std::string_view page) {
  if (page.starts_with(kReportMark)) return "this is a report of ncu in its own format, not a page";
  if (begins_with_cell(page, "ID", '\t') || begins_with_cell(page, "Kernel Name", '\t')) {
    return "its cells stand between tabs, so another program than ncu wrote it and may have "
           "changed "
           "its numbers";
  }
  if (is_details_page(page)) {
    return "this is a details page, which has rounded numbers and lacks counters";
  }
  if (begins_with_cell(page, "ID", ',')) return "this is a raw page";
  if (lacks_id(page)) return "this is a raw page without the column \"ID\", its first one";
  if (begins_with_cell(page, "Kernel Name", ',')) return "this is a source page";
  if (begins_with_cell(page, "File Path", ',') || begins_with_cell(page, "Function Name", ',')) {
    return "this page shows lines of CUDA, not SASS alone";
  }
  const bool is_printed = page.starts_with('[') && first_line(page).find('@') != page.npos;
  if (is_printed) return "this is a page as text for the screen, printed without --csv";
  return "";
}

// The page as UTF-8, without what stands before and after it.
std::string bare_page(const std::string& text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  const ByteOrder order = utf16_order(text);
  std::string decoded = order == ByteOrder::kNone ? text : from_utf16(text, order);
  std::string_view page = decoded;
  if (page.starts_with(kMark)) page.remove_prefix(kMark.size());
  while (page.starts_with("==")) page.remove_prefix(std::min(page.find('\n'), page.size() - 1) + 1);
  return std::string(without_messages_after(page));
}

bool stands_between_semicolons(std::string_view page) {
  return begins_with_cell(page, "ID", ';') || begins_with_cell(page, "Kernel Name", ';');
}

}  // namespace

std::string page_of(const std::string& text) {
  const std::string page = bare_page(text);
  return stands_between_semicolons(page) ? with_commas(page) : page;
}

std::string page_of(const std::string& text, const std::string& origin) {
  const std::string page = bare_page(text);
  if (!stands_between_semicolons(page)) return page;
  const bool is_raw = begins_with_cell(page, "ID", ';');
  // Names of metrics hold "__"; the other columns of a raw page describe the launch.
  const HoldsNumbers holds_numbers = [is_raw](std::string_view heading) {
    return !is_raw || heading.find("__") != heading.npos;
  };
  check_decimal_marks(
      page, origin, holds_numbers,
      "make the page again with: " + (is_raw ? raw_page_line() : source_page_line()));
  return with_commas(page);
}

bool begins_as(const std::string& page, PageKind kind) {
  return kind == PageKind::kRaw ? begins_with_cell(page, "ID", ',') && !is_details_page(page)
                                : begins_with_cell(page, "Kernel Name", ',') && !lacks_id(page);
}

void fail_page_of(const std::string& what, const std::string& where, PageKind expected) {
  const bool is_raw = expected == PageKind::kRaw;
  fail_input(where, std::string("expected the ") + (is_raw ? "raw" : "source") +
                        " page of ncu as CSV: " +
                        (is_raw ? "a header that begins with \"ID\", a row of units, and at least "
                                  "one launch"
                                : "a row that begins with \"Kernel Name\", then its SASS "
                                  "instructions") +
                        (what.empty() ? "" : "; " + what) +
                        "; make it with: " + (is_raw ? raw_page_line() : source_page_line()));
}

void fail_other_page(const std::string& page, const std::string& where, PageKind expected) {
  fail_page_of(what_it_is(page), where, expected);
}

void check_utf8(const std::string& text, const std::string& where, PageKind kind) {
  if (is_utf8(text)) return;
  fail_input(where,
             "found text that is not UTF-8, which a model cannot hold; print the page again: " +
                 (kind == PageKind::kRaw ? raw_page_line() : source_page_line()));
}

bool is_ncu_report(const std::string& path) {
  if (has_extension(path, ".ncu-rep")) return true;
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  char start[kReportMark.size()] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(start, sizeof start);
  return file.gcount() == sizeof start && std::string_view(start, sizeof start) == kReportMark;
}

}  // namespace pnsim
