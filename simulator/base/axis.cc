#include "simulator/base/axis.h"

#include <algorithm>
#include <set>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"
#include "simulator/base/numbers.h"
#include "simulator/base/table.h"

namespace pnsim {
namespace {

constexpr std::int64_t kMaxExponent = 62;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(separator, from);
    parts.push_back(trimmed(text.substr(from, to - from)));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

class AxisParser {
 public:
  explicit AxisParser(std::string_view text) : text_(text) {}

  Axis parse() {
    const std::size_t equals = text_.find('=');
    if (equals == std::string_view::npos) fail("expected NAME=VALUES");
    read_name(trimmed(text_.substr(0, equals)));
    read_values(trimmed(text_.substr(equals + 1)));
    return std::move(axis_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    fail_usage("axis \"" + beginning_of(text_) + "\": " + beginning_of(message) +
               "; examples: l1=[10:200:10], l2=[1,2,4], n[pow2]=[12:24]");
  }

  // The text may have quotes, so that Error cannot tell where it ends.
  static std::string beginning_of(std::string_view text) {
    std::size_t end = 400;
    if (text.size() <= end) return std::string(text);
    while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not in a character of UTF-8
    return std::string(text.substr(0, end)) + "...";
  }

  void read_name(std::string_view name) {
    if (name.ends_with(']')) {
      const std::size_t open = name.find('[');
      if (open == std::string_view::npos || name.substr(open) != "[pow2]") {
        fail("the brackets after the name may hold only \"pow2\"");
      }
      is_exponents_ = true;
      name = trimmed(name.substr(0, open));
    }
    if (name.empty() || name.find_first_of("[]:, \t") != std::string_view::npos) {
      fail("found the name \"" + std::string(name) + "\", expected a plain name");
    }
    axis_.name = name;
  }

  void read_values(std::string_view values) {
    const bool opens = values.starts_with('[');
    if (opens != (values.size() > 1 && values.ends_with(']'))) fail("a bracket is missing");
    if (opens) values = trimmed(values.substr(1, values.size() - 2));
    if (values.empty()) fail("the axis is empty");
    if (opens && values.find(':') != std::string_view::npos) {
      read_range(parts_of(values, ':'));
      return;
    }
    const auto items = opens ? parts_of(values, ',') : std::vector{values};
    for (const std::string_view item : items) add_word(item);
    check_different();  // a range has no repeated values
  }

  void read_range(const std::vector<std::string_view>& parts) {
    std::int64_t numbers[3] = {0, 0, 1};
    if (parts.size() > 3) fail("a range is FIRST:LAST or FIRST:LAST:STEP");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto number = parse_integer_or_power(parts[i]);
      numbers[i] = number.value_or(0);
      if (!number) {
        fail("found \"" + std::string(parts[i]) + "\" in a range, expected a whole number");
      }
    }
    const auto [first, last, step] = numbers;
    if (step < 1) fail("the step must be at least 1");
    if (first > last) fail("the range is empty: its first value is above its last");
    const auto span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    const std::uint64_t beyond_first = span / static_cast<std::uint64_t>(step);
    if (beyond_first >= kMaxAxisValues) {
      fail("found over " + grouped(kMaxAxisValues) + " values, the maximum of an axis");
    }
    check_exponent(last);
    for (std::uint64_t i = 0; i <= beyond_first; ++i) {
      add_number(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) +
                                           i * static_cast<std::uint64_t>(step)));
    }
  }

  void add_word(std::string_view word) {
    if (word.empty()) fail("a value is empty");
    if (word.find_first_of("[]:,") != std::string_view::npos) {
      fail("found the value \"" + std::string(word) + "\"; lists and ranges need brackets [ ]");
    }
    refuse_dots(word);
    if (const auto value = parse_integer_or_power(word)) {
      add_number(*value);
    } else if (is_exponents_) {
      fail("found \"" + std::string(word) + "\", expected an exponent");
    } else {
      axis_.values.emplace_back(word);
    }
  }

  // "64..1024", as other programs write a range.
  void refuse_dots(std::string_view word) const {
    const std::size_t dots = word.find("..");
    if (dots == std::string_view::npos) return;
    const std::string_view first = word.substr(0, dots), last = word.substr(dots + 2);
    if (!parse_integer_or_power(first) || !parse_integer_or_power(last)) return;
    fail("found \"" + std::string(word) + "\"; a range is written " + axis_.name + "=[" +
         std::string(first) + ":" + std::string(last) + "], or with a step " + axis_.name + "=[" +
         std::string(first) + ":" + std::string(last) + ":STEP]");
  }

  void check_exponent(std::int64_t value) const {
    if (!is_exponents_ || (value >= 0 && value <= kMaxExponent)) return;
    fail("found the exponent " + std::to_string(value) + ", expected 0 to " +
         std::to_string(kMaxExponent));
  }

  void add_number(std::int64_t value) {
    check_exponent(value);
    if (is_exponents_) value = std::int64_t{1} << value;
    axis_.values.push_back(std::to_string(value));
  }

  void check_different() const {
    std::set<std::string_view> seen;
    for (const std::string& value : axis_.values) {
      if (!seen.insert(value).second) fail("the value " + value + " appears twice");
    }
  }

  std::string_view text_;
  bool is_exponents_ = false;
  Axis axis_;
};

}  // namespace

std::vector<std::int64_t> Axis::integers() const {
  std::vector<std::int64_t> out;
  for (const std::string& text : values) {
    const auto value = parse_integer(text);
    if (!value) fail_usage("axis " + name + ": found \"" + text + "\", expected a whole number");
    out.push_back(*value);
  }
  return out;
}

Axis parse_axis(std::string_view text) { return AxisParser(trimmed(text)).parse(); }

std::vector<Axis> with_overrides(std::vector<Axis> axes, const std::vector<Axis>& overrides) {
  std::set<std::string> given;
  for (const Axis& axis : overrides) {
    const auto it = std::find_if(axes.begin(), axes.end(),
                                 [&](const Axis& known) { return known.name == axis.name; });
    if (it == axes.end()) {
      std::vector<std::string> known;
      for (const Axis& one : axes) known.push_back(one.name);
      fail_usage("unknown axis \"" + axis.name + "\"" + suggestion(axis.name, known));
    }
    if (!given.insert(axis.name).second) fail_usage("the axis " + axis.name + " is given twice");
    it->values = axis.values;
  }
  return axes;
}

namespace {

// Returns " = 1,000,000,000,000". Returns nothing for one axis, and when the product exceeds 10^18.
std::string product_text(std::span<const Axis> axes) {
  unsigned __int128 product = 1;
  for (const Axis& axis : axes) {
    product *= axis.values.size();
    if (product > 1'000'000'000'000'000'000) return "";
  }
  return axes.size() < 2 ? "" : " = " + grouped(static_cast<long long>(product));
}

}  // namespace

std::uint64_t point_count(std::span<const Axis> axes) {
  unsigned __int128 count = 1;
  for (const Axis& axis : axes) {
    count *= axis.values.size();
    if (count > kMaxPoints) {
      std::string sizes;
      for (const Axis& one : axes) {
        sizes += (sizes.empty() ? "" : " * ") + std::to_string(one.values.size());
      }
      fail_usage("the axes make " + sizes + product_text(axes) + " points, expected at most " +
                 grouped(static_cast<long long>(kMaxPoints)));
    }
  }
  return static_cast<std::uint64_t>(count);
}

std::vector<std::size_t> point_at(std::span<const Axis> axes, std::uint64_t index) {
  std::vector<std::size_t> position(axes.size());
  for (std::size_t a = axes.size(); a-- > 0;) {
    const std::uint64_t size = axes[a].values.size();
    position[a] = static_cast<std::size_t>(index % size);
    index /= size;
  }
  return position;
}

}  // namespace pnsim
