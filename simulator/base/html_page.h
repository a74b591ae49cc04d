// One HTML file without scripts and without other files: tables, figures and the numbers behind
// them. It follows the reader's light or dark setting and prints well.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json.h"
#include "simulator/base/table.h"

namespace pnsim {

// Every text is escaped: no name can become markup.
class HtmlPage {
 public:
  explicit HtmlPage(const std::string& title);

  void add_heading(const std::string& text);
  void add_paragraph(const std::string& text);

  // A text with tables in it: each of `tables` that it contains (table.h) becomes an HTML table,
  // the lines between them paragraphs; an indented line goes on with the one before. `caption`
  // names the tables for those who cannot see the heading above.
  void add_tables(const std::string& caption, const std::string& text,
                  const std::vector<MadeTable>& tables);

  // An SVG document of this project, drawn in the page. `caption` also describes it to those who
  // cannot see it.
  void add_figure(const std::string& caption, const std::string& svg);

  // A JSON value for programs that read the page, as a script element of type application/json with
  // this id. It is not shown.
  void add_data(const std::string& id, const Json& value);

  std::string text() const;

 private:
  void add_lines(const std::string& text);

  std::string title_, body_;
};

}  // namespace pnsim
