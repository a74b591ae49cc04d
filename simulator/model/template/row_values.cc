#include "simulator/model/template/row_values.h"

namespace pnsim {
namespace {

using Op = Expression::Op;

template <Op op>
bool apply_to_rows(RowValues a, RowValues b, std::size_t rows, std::int64_t* out) {
  bool fits = true;
  const auto loop = [&](auto left, auto right) {
    for (std::size_t i = 0; i < rows; ++i) fits &= Expression::apply(op, left(i), right(i), out[i]);
  };
  const auto each = [](RowValues v) { return [from = v.each](std::size_t i) { return from[i]; }; };
  const auto same = [](RowValues v) { return [value = v.all](std::size_t) { return value; }; };
  if (a.each && b.each) {
    loop(each(a), each(b));
  } else if (a.each) {
    loop(each(a), same(b));
  } else {
    loop(same(a), each(b));
  }
  return fits;
}

bool apply_to_rows(Op op, RowValues a, RowValues b, std::size_t rows, std::int64_t* out) {
  switch (op) {
    case Op::kAdd:
      return apply_to_rows<Op::kAdd>(a, b, rows, out);
    case Op::kSubtract:
      return apply_to_rows<Op::kSubtract>(a, b, rows, out);
    case Op::kMultiply:
      return apply_to_rows<Op::kMultiply>(a, b, rows, out);
    case Op::kDivide:
      return apply_to_rows<Op::kDivide>(a, b, rows, out);
    case Op::kModulo:
      return apply_to_rows<Op::kModulo>(a, b, rows, out);
    case Op::kMin:
      return apply_to_rows<Op::kMin>(a, b, rows, out);
    case Op::kMax:
      return apply_to_rows<Op::kMax>(a, b, rows, out);
    case Op::kLess:
      return apply_to_rows<Op::kLess>(a, b, rows, out);
    case Op::kLessEqual:
      return apply_to_rows<Op::kLessEqual>(a, b, rows, out);
    case Op::kEqual:
      return apply_to_rows<Op::kEqual>(a, b, rows, out);
    case Op::kNotEqual:
      return apply_to_rows<Op::kNotEqual>(a, b, rows, out);
    default:
      return false;
  }
}

}  // namespace

RowValues RowEvaluator::evaluate(const Expression& expression, std::span<const RowValues> names,
                                 std::size_t rows, const std::string& where,
                                 std::vector<std::int64_t>& store) {
  stack_.clear();
  for (const Expression::Instruction& step : expression.code()) {
    if (step.op == Op::kNumber) {
      stack_.push_back({nullptr, step.operand});
      continue;
    }
    if (step.op == Op::kName) {
      stack_.push_back(names[static_cast<std::size_t>(step.operand)]);
      continue;
    }
    const bool unary = step.op == Op::kNegate;
    const Op op = unary ? Op::kSubtract : step.op;
    const RowValues b = stack_.back();
    stack_.pop_back();
    const RowValues a = unary ? RowValues{} : stack_.back();
    if (!unary) stack_.pop_back();
    RowValues result;
    bool fits = true;
    if (a.each || b.each) {
      if (levels_.size() <= stack_.size()) levels_.resize(stack_.size() + 1);
      std::vector<std::int64_t>& level = levels_[stack_.size()];
      if (level.size() < rows) level.resize(rows);
      result.each = level.data();
      fits = apply_to_rows(op, a, b, rows, level.data());
    } else {
      fits = Expression::apply(op, a.all, b.all, result.all);
    }
    if (!fits) expression.fail_overflow(where);
    stack_.push_back(result);
  }
  RowValues out = stack_.back();
  if (!levels_.empty() && out.each == levels_[0].data()) {
    store.swap(levels_[0]);
    out.each = store.data();
  }
  return out;
}

}  // namespace pnsim
