// Nets that cannot be read back are not written, and files that would fill the memory are not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/net/net_builder.h"
#include "simulator/net/net_file.h"
#include "simulator/net/pnml_xml.h"
#include "tests/base/error_of.h"
#include "tests/base/temp_folder.h"

namespace pnsim {
namespace {

using test::TempFolder;
using testing::HasSubstr;

Net small_net() {
  NetBuilder builder("small");
  builder.add_input(builder.add_transition("t"), builder.add_place("p", 1));
  return builder.build();
}

TEST(NetFileBounds, WhatIsTooLargeToBeReadIsNotWritten) {
  const TempFolder folder;
  for (const char* name : {"a.pnml", "a.json"}) {
    EXPECT_THAT(test::error_of(ExitCode::kLimit,
                               [&] { save_net_file(small_net(), folder.path(name), 20); }),
                HasSubstr("bytes, and at most 20 are read"));
    EXPECT_EQ(folder.files(), 0u);
  }
  save_net_file(small_net(), folder.path("a.dot"), 20);  // never read
}

TEST(XmlBounds, ElementsAndAttributesAreCountedBeforeTheyAreKept) {
  const std::string text = R"(<a x="1"><b/><b y="2"></b></a>)";
  EXPECT_NO_THROW(pnml::Document(text, "t", 5));
  EXPECT_THAT(test::error_of(ExitCode::kLimit, [&] { pnml::Document(text, "t", 4); }),
              HasSubstr("t: more than 4 XML elements and attributes"));
}

}  // namespace
}  // namespace pnsim
