#include "simulator/model/template/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim {

// A recursive-descent parser with one method per level of the grammar.
class ExpressionParser {
 public:
  using Op = Expression::Op;

  ExpressionParser(std::string_view text, std::span<const std::string> names,
                   const std::string& where)
      : text_(text), names_(names), where_(where) {}

  Expression parse() {
    comparison();
    skip_blanks();
    if (at_ != text_.size()) fail("unexpected \"" + std::string(text_.substr(at_, 80)) + "\"");
    // A lone number is a literal however it is written: " 00" and "(0)" are "0".
    const bool is_literal = out_.code_.size() == 1 && out_.code_[0].op == Op::kNumber;
    out_.text_ = is_literal ? std::to_string(out_.code_[0].operand) : std::string(text_);
    return std::move(out_);
  }

 private:
  static constexpr int kMaxDepth = 64;
  static constexpr std::size_t kMaxInstructions = 1'000'000;

  [[noreturn]] void fail(const std::string& message) const {
    fail_input(where_,
               "in the expression \"" + std::string(text_.substr(0, 80)) + "\": " + message);
  }

  void emit(Op op, std::int64_t operand = 0) {
    if (out_.code_.size() == kMaxInstructions) {
      fail("more than " + std::to_string(kMaxInstructions) + " numbers, names and operations");
    }
    out_.code_.push_back({op, operand});
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view symbol) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  void comparison() {
    sum();
    if (take("<=")) {
      sum(), emit(Op::kLessEqual);
    } else if (take(">=")) {  // a >= b is evaluated as 1 - (a < b)
      sum(), emit(Op::kLess), emit(Op::kNegate), emit(Op::kNumber, 1), emit(Op::kAdd);
    } else if (take("==")) {
      sum(), emit(Op::kEqual);
    } else if (take("!=")) {
      sum(), emit(Op::kNotEqual);
    } else if (take("<")) {
      sum(), emit(Op::kLess);
    } else if (take(">")) {
      sum(), emit(Op::kLessEqual), emit(Op::kNegate), emit(Op::kNumber, 1), emit(Op::kAdd);
    }
  }

  void sum() {
    product();
    while (true) {
      if (take("+")) {
        product(), emit(Op::kAdd);
      } else if (take("-")) {
        product(), emit(Op::kSubtract);
      } else {
        return;
      }
    }
  }

  void product() {
    factor();
    while (true) {
      if (take("*")) {
        factor(), emit(Op::kMultiply);
      } else if (take("/")) {
        factor(), emit(Op::kDivide);
      } else if (take("%")) {
        factor(), emit(Op::kModulo);
      } else {
        return;
      }
    }
  }

  void factor() {
    // The leaf does not count as nesting.
    if (++depth_ > kMaxDepth + 1) fail("nested deeper than 64");
    if (take("-")) {
      factor(), emit(Op::kNegate);
    } else if (take("(")) {
      comparison(), expect(")");
    } else {
      leaf();
    }
    --depth_;
  }

  void leaf() {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      ++at_;
    }
    const std::string_view word = text_.substr(start, at_ - start);
    if (word.empty()) fail(at_ == text_.size() ? "ends too early" : "expected a number or a name");
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return number(word);
    if ((word == "min" || word == "max") && take("(")) {
      return pair(word == "min" ? Op::kMin : Op::kMax);
    }
    const auto it = std::find(names_.begin(), names_.end(), word);
    if (it == names_.end()) {
      fail("unknown name \"" + std::string(word) + "\"" + suggestion(word, names_));
    }
    emit(Op::kName, it - names_.begin());
  }

  void pair(Op op) {
    comparison();
    expect(",");
    comparison();
    expect(")");
    emit(op);
  }

  void number(std::string_view word) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) {
      fail("found \"" + std::string(word) + "\", expected an integer below 2^63");
    }
    emit(Op::kNumber, value);
  }

  void expect(std::string_view symbol) {
    if (!take(symbol)) fail("expected \"" + std::string(symbol) + "\"");
  }

  std::string_view text_;
  std::span<const std::string> names_;
  const std::string& where_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression out_;
};

Expression Expression::parse(std::string_view text, std::span<const std::string> names,
                             const std::string& where) {
  return ExpressionParser(text, names, where).parse();
}

Expression Expression::constant(std::int64_t value) {
  Expression out;
  out.text_ = std::to_string(value);
  out.code_.push_back({Op::kNumber, value});
  return out;
}

void Expression::fail_overflow(const std::string& where) const {
  fail_input(where, "\"" + text_ + "\" overflows 64 bits or divides by zero");
}

bool Expression::uses(std::size_t name) const {
  return std::any_of(code_.begin(), code_.end(), [&](const Instruction& step) {
    return step.op == Op::kName && step.operand == static_cast<std::int64_t>(name);
  });
}

void Expression::mark_names(std::vector<char>& names) const {
  for (const Instruction& step : code_) {
    if (step.op == Op::kName) names[static_cast<std::size_t>(step.operand)] = true;
  }
}

std::int64_t Expression::evaluate(std::span<const std::int64_t> values,
                                  const std::string& where) const {
  if (code_.size() == 1) {  // most expressions are one number or one name
    return code_[0].op == Op::kNumber ? code_[0].operand
                                      : values[static_cast<std::size_t>(code_[0].operand)];
  }
  // Short expressions are evaluated without an allocation.
  std::array<std::int64_t, 32> few;
  std::vector<std::int64_t> many(code_.size() > few.size() ? code_.size() : 0);
  std::int64_t* top = many.empty() ? few.data() : many.data();  // points after the last value
  for (const Instruction& step : code_) {
    if (step.op == Op::kNumber) {
      *top++ = step.operand;
    } else if (step.op == Op::kName) {
      *top++ = values[static_cast<std::size_t>(step.operand)];
    } else {
      const bool unary = step.op == Op::kNegate;
      const std::int64_t b = *--top;
      const std::int64_t a = unary ? 0 : *--top;
      if (!apply(unary ? Op::kSubtract : step.op, a, b, *top)) fail_overflow(where);
      ++top;
    }
  }
  return top[-1];
}

}  // namespace pnsim
