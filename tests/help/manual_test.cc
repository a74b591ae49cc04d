// The manual page has what --help has, in the language of man(7).
#include "simulator/help/manual.h"

#include <gmock/gmock.h>

#include "tests/help/toy_program.h"

namespace pnsim {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string toy_page() {
  test::ToyProgram toy;
  return manual_page(toy.app, "toy 1.2");
}

TEST(Manual, BeginsWithWhatTheProgramIs) {
  EXPECT_THAT(toy_page(), StartsWith(".TH TOY 1 \"\" \"toy 1.2\"\n.SH NAME\ntoy \\- a toy\n"));
  EXPECT_THAT(toy_page(), HasSubstr(".SH DESCRIPTION\nIt does nothing.\n"));
}

TEST(Manual, HasASectionForEachCommand) {
  EXPECT_THAT(toy_page(), HasSubstr(".SS \"toy run\"\n\\fBtoy run\\fR [\\fIOPTIONS\\fR] "
                                    "\\fIINPUT\\fR\n.PP\nrun a net\n.TP\n\\fIINPUT\\fR\na net\n"));
  EXPECT_THAT(toy_page(), HasSubstr("\\fBtoy merge\\fR [\\fIOPTIONS\\fR] [\\fIROWS\\fR...]\n"));
  EXPECT_THAT(toy_page(), Not(HasSubstr("inner")));
}

TEST(Manual, NamesOptionsWithTheirValues) {
  EXPECT_THAT(toy_page(), HasSubstr(".TP\n\\fB\\-j\\fR, \\fB\\-\\-threads\\fR \\fIINT\\fR\n"
                                    "threads\n(INT in [0 \\- 8])\n"));
  EXPECT_THAT(toy_page(), HasSubstr("\\fB\\-\\-json\\fR[=\\fIVALUE\\fR]\n"));
  EXPECT_THAT(toy_page(), HasSubstr(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n"));
}

TEST(Manual, ShowsExamplesAsTheyAre) {
  EXPECT_THAT(toy_page(), HasSubstr(".nf\nExample:\n  toy run a\\-net.json\n"
                                    "\\&.hidden 'quote' \\en\n.fi\n"));
}

TEST(Manual, HasTheExitCodesOnce) { EXPECT_THAT(toy_page(), Not(HasSubstr("Exit codes:"))); }

TEST(Manual, ListsEnvironmentAndExitStatus) {
  EXPECT_THAT(toy_page(), HasSubstr(".TP\n\\fBPNSIM_HOME\\fR\n"));
  EXPECT_THAT(toy_page(), HasSubstr(".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\nDone.\n"));
}

}  // namespace
}  // namespace pnsim
