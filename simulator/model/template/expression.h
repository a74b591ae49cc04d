// Integer expressions of net templates, such as "l1 + 1": weights, markings and counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pnsim {

// The grammar, from the lowest precedence: comparisons (< <= > >= == !=, giving 1 or 0); + -; * /
// %; unary -; numbers, names, min(a, b), max(a, b), parentheses. Division rounds towards zero.
class Expression {
 public:
  // `names[i]` is the name of values[i] in evaluate(). Error 3 at `where` for bad syntax, an
  // unknown name (with the nearest one), or nesting deeper than 64.
  static Expression parse(std::string_view text, std::span<const std::string> names,
                          const std::string& where);
  static Expression constant(std::int64_t value);

  // Error 3 at `where` for an overflow or a division by zero.
  std::int64_t evaluate(std::span<const std::int64_t> values, const std::string& where) const;

  // True when the expression uses the name at this position.
  bool uses(std::size_t name) const;
  // Sets names[i] to true for each name that the expression uses.
  void mark_names(std::vector<char>& names) const;
  bool is_number() const { return code_.size() == 1 && code_[0].op == Op::kNumber; }
  // True for the literal 0, but not for an expression whose value is 0.
  bool is_literal_zero() const { return text_ == "0"; }
  const std::string& text() const { return text_; }

  enum class Op : std::uint8_t {
    kNumber,
    kName,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kModulo,
    kNegate,
    kMin,
    kMax,
    kLess,
    kLessEqual,
    kEqual,
    kNotEqual,
  };
  struct Instruction {
    Op op;
    std::int64_t operand = 0;  // the number, or the position of the name
  };
  // The instructions in postfix order.
  std::span<const Instruction> code() const { return code_; }
  // Applies a binary operation. Returns false on overflow or division by zero.
  static bool apply(Op op, std::int64_t a, std::int64_t b, std::int64_t& result);
  [[noreturn]] void fail_overflow(const std::string& where) const;

 private:
  friend class ExpressionParser;

  std::string text_;
  std::vector<Instruction> code_;
};

// Defined in the header, so that loops over many operands can inline it.
inline bool Expression::apply(Op op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  const bool can_divide = b != 0 && !(a == kLowest && b == -1);
  switch (op) {
    case Op::kAdd:
      return !__builtin_add_overflow(a, b, &result);
    case Op::kSubtract:
      return !__builtin_sub_overflow(a, b, &result);
    case Op::kMultiply:
      return !__builtin_mul_overflow(a, b, &result);
    case Op::kDivide:
      result = can_divide ? a / b : 0;
      return can_divide;
    case Op::kModulo:
      result = can_divide ? a % b : 0;
      return can_divide;
    case Op::kMin:
      result = std::min(a, b);
      return true;
    case Op::kMax:
      result = std::max(a, b);
      return true;
    case Op::kLess:
      result = a < b;
      return true;
    case Op::kLessEqual:
      result = a <= b;
      return true;
    case Op::kEqual:
      result = a == b;
      return true;
    case Op::kNotEqual:
      result = a != b;
      return true;
    default:
      return false;
  }
}

}  // namespace pnsim
