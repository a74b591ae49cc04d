// Expressions in many instances of a net template at a time: a net has some hundred thousand of
// them, and going through an expression once for some hundred instances spares most of the work.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/model/template/expression.h"

namespace pnsim {

// A number in each of some rows, often the same one in all.
struct RowValues {
  const std::int64_t* each = nullptr;  // null: `all` in every row
  std::int64_t all = 0;

  std::int64_t operator[](std::size_t row) const { return each ? each[row] : all; }
};

// Not for several threads at a time.
class RowEvaluator {
 public:
  // What expression.evaluate() gives in each of the rows, where names[i] are the values of name i.
  // It may refer to `names` or to `store`, and lasts as long as both. Error 3 at `where` as
  // evaluate().
  RowValues evaluate(const Expression& expression, std::span<const RowValues> names,
                     std::size_t rows, const std::string& where, std::vector<std::int64_t>& store);

 private:
  std::vector<std::vector<std::int64_t>> levels_;  // [position on the stack] values of rows
  std::vector<RowValues> stack_;
};

}  // namespace pnsim
