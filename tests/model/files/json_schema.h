// A checker for the part of JSON Schema (draft 2020-12) that the shipped schemas use.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim::test {

// The faults of `value`, each with its JSON pointer; empty when it is valid. A keyword that
// the checker does not know is std::logic_error: a misspelt one must not pass silently.
std::vector<std::string> schema_faults(const InputJson& schema, const InputJson& value);

// The schema of one place of a value (the first alternative of a oneOf that takes the value), or
// nullptr where the schema has no entry for it. `root` resolves references.
const InputJson* subschema_at(const InputJson& root, const InputJson& value,
                              const InputJson::json_pointer& at);

}  // namespace pnsim::test
