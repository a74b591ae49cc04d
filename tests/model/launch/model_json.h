// Models from JSON text, and the same with one place changed.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "simulator/model/template/instantiate.h"
#include "simulator/model/template/net_template.h"
#include "tests/base/error_of.h"

namespace pnsim::test {

// Calls read(JsonReader) on the parsed text; the "file" is called t.json.
template <class Read>
auto read_text(const std::string& text, Read read) {
  const InputJson json = parse_json(text, "t.json");
  return read(JsonReader(json, "t.json"));
}

inline NetTemplate template_of(const std::string& text) {
  return read_text(text, read_net_template);
}

inline Net net_of(const std::string& text, const ParameterValues& overrides = {}) {
  return instantiate(template_of(text), overrides);
}

// A file with one change, and the error message that the reader must give.
struct Fault {
  const char* pointer;  // JSON pointer of the place
  const char* value;    // JSON put there; "" takes the place away
  const char* message;  // after "t.json: "
};

inline std::string changed(const std::string& text, const Fault& fault) {
  InputJson json = InputJson::parse(text);
  const InputJson::json_pointer at(fault.pointer);
  if (*fault.value) {
    json[at] = InputJson::parse(fault.value);
  } else {
    json[at.parent_pointer()].erase(at.back());
  }
  return json.dump();
}

// Every fault is refused with exactly its message.
template <class Read>
void expect_faults(const std::string& text, const std::vector<Fault>& faults, Read read) {
  read_text(text, read);  // without a fault it is taken
  for (const Fault& fault : faults) {
    SCOPED_TRACE(std::string(fault.pointer) + " := " + fault.value);
    const std::string said = input_error_of([&] { read_text(changed(text, fault), read); });
    EXPECT_EQ(said, std::string("t.json: ") + fault.message);
  }
}

}  // namespace pnsim::test
