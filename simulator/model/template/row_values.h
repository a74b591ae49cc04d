// Evaluates an expression for many instances of a net template at once. A net has some hundred
// thousand expressions. Evaluating each once per some hundred instances saves most of the work.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/model/template/expression.h"

namespace pnsim {

// A number for each of a range of rows, often the same number for all.
struct RowValues {
  const std::int64_t* each = nullptr;  // null: `all` in every row
  std::int64_t all = 0;

  std::int64_t operator[](std::size_t row) const { return each ? each[row] : all; }
};

// Not thread-safe.
class RowEvaluator {
 public:
  // Returns expression.evaluate() for each of the rows, where names[i] holds the values of name i.
  // The result may refer to `names` or to `store`, and is valid as long as both. Error 3 at
  // `where`, as for evaluate().
  RowValues evaluate(const Expression& expression, std::span<const RowValues> names,
                     std::size_t rows, const std::string& where, std::vector<std::int64_t>& store);

 private:
  std::vector<std::vector<std::int64_t>> levels_;  // [position on the stack] values of rows
  std::vector<RowValues> stack_;
};

}  // namespace pnsim
