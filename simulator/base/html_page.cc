#include "simulator/base/html_page.h"

#include <span>
#include <sstream>

#include "simulator/base/svg_canvas.h"

namespace pnsim {
namespace {

// Both themes have a contrast of at least 7 for text. Figures keep their white ground, on which
// their palette was chosen.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ground: #ffffff; --text: #1a1a1a; --line: #767676;
  --soft: #f2f2f2; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171a; --text: #ececec; --line: #8a8f94; --soft: #22272b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 84rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
p { max-width: 60rem; }
.wide { overflow-x: auto; position: relative; margin: 1rem 0; }
.wide:focus-visible { outline: 3px solid #56b4e9; outline-offset: 2px; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .2rem .75rem .2rem 0; text-align: left; white-space: nowrap; }
th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
td { border-bottom: 1px solid var(--soft); }
.number { text-align: right; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; padding: .25rem 0; }
figure svg { display: block; max-width: 100%; height: auto; background: #ffffff; }
@media print {
  :root { --ground: #ffffff; --text: #000000; --line: #000000; --soft: #cccccc; }
  main { max-width: none; padding: 0; } .wide { overflow: visible; }
  th, td { white-space: normal; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
}
)";

std::string table_html(const std::string& caption, const MadeTable& table) {
  const std::string name = xml_escaped(caption);
  // A table that is scrolled can be reached and scrolled by keyboard.
  std::string html = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + name +
                     "\"><table><caption>" + name + "</caption>\n<thead><tr>";
  const auto class_of = [&](std::size_t column) {
    return table.is_number[column] ? " class=\"number\"" : "";
  };
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    html += std::string("<th scope=\"col\"") + class_of(c) + ">" + xml_escaped(table.header[c]) +
            "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      html += std::string("<td") + class_of(c) + ">" + xml_escaped(row[c]) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

// The first of the tables that stands in the text from `at` on, and where; null for none.
const MadeTable* next_table(const std::string& text, std::span<const MadeTable> tables,
                            std::size_t at, std::size_t& found) {
  const MadeTable* first = nullptr;
  found = text.size();
  for (const MadeTable& table : tables) {
    const std::size_t place = text.find(table.text, at);
    if (table.text.empty() || place >= found) continue;
    first = &table;
    found = place;
  }
  return first;
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

// JSON in HTML: "<" may begin the end of the script element.
std::string script_safe(const std::string& json) {
  std::string out;
  for (const char c : json) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

}  // namespace

HtmlPage::HtmlPage(const std::string& title) : title_(title) {}

void HtmlPage::add_heading(const std::string& text) {
  body_ += "<h2>" + xml_escaped(text) + "</h2>\n";
}

void HtmlPage::add_paragraph(const std::string& text) {
  body_ += "<p>" + xml_escaped(text) + "</p>\n";
}

void HtmlPage::add_lines(const std::string& text) {
  std::istringstream in(text);
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) add_paragraph(paragraph);
    paragraph.clear();
  };
  for (std::string line; std::getline(in, line);) {
    const bool goes_on = line.starts_with(' ');
    line = trimmed(line);
    if (line.empty() || line.starts_with('(') || !goes_on) end_paragraph();
    paragraph += (paragraph.empty() || line.empty() ? "" : " ") + line;
  }
  end_paragraph();
}

void HtmlPage::add_tables(const std::string& caption, const std::string& text,
                          const std::vector<MadeTable>& tables) {
  std::size_t at = 0, found = 0;
  while (const MadeTable* table = next_table(text, tables, at, found)) {
    add_lines(text.substr(at, found - at));
    body_ += table_html(caption, *table);
    at = found + table->text.size();
  }
  add_lines(text.substr(at));
}

void HtmlPage::add_figure(const std::string& caption, const std::string& svg) {
  const std::size_t begin = svg.find("<svg ");  // an XML declaration has no place in HTML
  const std::string name = xml_escaped(caption);
  const std::string drawing = begin == std::string::npos ? ""
                                                         : "<svg role=\"img\" aria-label=\"" +
                                                               name + "\" " + svg.substr(begin + 5);
  body_ += "<figure><figcaption>" + name + "</figcaption>\n" + drawing + "</figure>\n";
}

void HtmlPage::add_data(const std::string& id, const Json& value) {
  body_ += "<script type=\"application/json\" id=\"" + xml_escaped(id) + "\">" +
           script_safe(to_line(value)) + "</script>\n";
}

std::string HtmlPage::text() const {
  const std::string title = xml_escaped(title_);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         // Nothing is loaded and nothing runs, whatever a name in the data looks like.
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'\">\n<title>" +
         title + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<main>\n<h1>" + title +
         "</h1>\n" + body_ + "</main>\n</body>\n</html>\n";
}

}  // namespace pnsim
