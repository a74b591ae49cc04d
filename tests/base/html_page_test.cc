#include "simulator/base/html_page.h"

#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "simulator/base/table.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</td></script><script>alert(1)</script><img src=x onerror=a>\"'&";

// The page is also well-formed XML, but for the void elements of the head.
pugi::xml_document parsed(const HtmlPage& page) {
  std::string text = page.text();
  const std::size_t body = text.find("<body>"), end = text.find("</html>");
  pugi::xml_document document;
  const auto result = document.load_string(text.substr(body, end - body).c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

TEST(HtmlPage, TableHasTheCellsOfItsText) {
  const MadeTables made;
  TextTable table({"program", "mean %", "what it is"});
  table.add_row({"copy", "7.5", "two  blanks, \xc3\xa9t\xc3\xa9"});
  table.add_row({"a very long name of a kernel", "-", "-"});
  HtmlPage page("Errors");
  page.add_tables("By program", table.text(2) + "  (a note that goes\n   on)\n", made.all());
  const pugi::xml_document document = parsed(page);
  std::vector<std::string> cells, heads, notes;
  for (const auto& found : document.select_nodes("//td"))
    cells.push_back(found.node().child_value());
  for (const auto& found : document.select_nodes("//th"))
    heads.push_back(found.node().child_value());
  for (const auto& found : document.select_nodes("//p"))
    notes.push_back(found.node().child_value());
  EXPECT_EQ(heads, (std::vector<std::string>{"program", "mean %", "what it is"}));
  EXPECT_EQ(cells, (std::vector<std::string>{"copy", "7.5", "two  blanks, \xc3\xa9t\xc3\xa9",
                                             "a very long name of a kernel", "-", "-"}));
  EXPECT_EQ(notes, std::vector<std::string>{"(a note that goes on)"});
  EXPECT_EQ(document.select_nodes("//td[@class='number']").size(), 2u);
}

TEST(HtmlPage, SeveralTablesOfOneTextStayApart) {
  const MadeTables made;
  TextTable first({"a"}), second({"b", "c"});
  first.add_row({"1"});
  second.add_row({"2", "3"});
  HtmlPage page("t");
  page.add_tables("both", first.text(2) + "\n" + second.text(2), made.all());
  EXPECT_EQ(parsed(page).select_nodes("//table").size(), 2u);
}

TEST(HtmlPage, NoNameBecomesMarkup) {
  const MadeTables made;
  TextTable table({kHostile});
  table.add_row({kHostile});
  HtmlPage page(kHostile);
  page.add_heading(kHostile);
  page.add_paragraph(kHostile);
  page.add_tables(kHostile, table.text(2), made.all());
  page.add_figure(kHostile, "<?xml version=\"1.0\"?>\n<svg width=\"1\"></svg>\n");
  page.add_data("rows", Json{{"name", kHostile}});
  const std::string text = page.text();
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("<?xml")));
  const pugi::xml_document document = parsed(page);
  EXPECT_EQ(document.select_nodes("//script").size(), 1u);
  EXPECT_EQ(document.select_node("//td").node().child_value(), std::string(kHostile));
  const std::string data = document.select_node("//script").node().child_value();
  EXPECT_EQ(Json::parse(data)["name"], kHostile);
}

TEST(HtmlPage, LoadsAndRunsNothing) {
  HtmlPage page("t");
  page.add_paragraph("x");
  EXPECT_THAT(page.text(), HasSubstr("default-src 'none'"));
  EXPECT_THAT(page.text(), Not(HasSubstr("http://")));
  EXPECT_THAT(page.text(), HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page.text(), HasSubstr("@media print"));
}

}  // namespace
}  // namespace pnsim
