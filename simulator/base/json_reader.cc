#include "simulator/base/json_reader.h"

#include <algorithm>
#include <cstdio>

#include "simulator/base/error.h"
#include "simulator/base/nearest.h"

namespace pnsim {
namespace {

constexpr std::size_t kMaxShown = 60;

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// JSON pointers escape '~' and '/' in keys (RFC 6901).
std::string escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~' || c == '/') {
      out += c == '~' ? "~0" : "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string shown(const InputJson& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  const std::string text = value.dump(-1, ' ', false, InputJson::error_handler_t::replace);
  return text.size() <= kMaxShown ? text : text.substr(0, kMaxShown) + "...";
}

}  // namespace

JsonReader JsonReader::of(const InputJson& value, const std::string* key, std::size_t index) const {
  JsonReader reader = *this;
  reader.value_ = &value;
  reader.step_ = static_cast<std::uint32_t>(document_->steps.size());
  document_->steps.push_back({step_, key, index});
  return reader;
}

std::string JsonReader::where() const {
  std::string pointer;
  for (std::uint32_t s = step_; s != 0; s = document_->steps[s].from) {
    const Step& step = document_->steps[s];
    std::string here(1, '/');
    here += step.key ? escaped(*step.key) : std::to_string(step.index);
    pointer.insert(0, here);
  }
  return document_->file + ": " + (pointer.empty() ? "(top level)" : pointer);
}

void JsonReader::fail(const std::string& message) const { fail_input(where(), message); }

void JsonReader::fail_expected(const std::string& expected) const {
  fail("found " + shown(*value_) + ", expected " + expected);
}

const JsonReader& JsonReader::only(std::initializer_list<std::string_view> keys) const {
  if (!value_->is_object()) fail_expected("an object");
  for (const auto& [key, unused] : value_->items()) {
    if (key.starts_with('$')) continue;
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    fail("unknown key \"" + key + "\"" + suggestion(key, known));
  }
  return *this;
}

JsonReader JsonReader::at(std::string_view key) const {
  if (auto found = find(key)) return *found;
  fail("the key \"" + std::string(key) + "\" is missing");
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  if (!value_->is_object()) fail_expected("an object");
  const auto it = value_->find(key);
  if (it == value_->end()) return std::nullopt;
  return of(*it, &it.key());
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  if (!value_->is_object()) fail_expected("an object");
  std::vector<std::pair<std::string, JsonReader>> out;
  for (auto it = value_->begin(); it != value_->end(); ++it)
    out.emplace_back(it.key(), of(*it, &it.key()));
  return out;
}

std::vector<JsonReader> JsonReader::items() const {
  if (!value_->is_array()) fail_expected("an array");
  std::vector<JsonReader> out;
  out.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) out.push_back(of((*value_)[i], nullptr, i));
  return out;
}

std::string JsonReader::string() const {
  if (!value_->is_string()) fail_expected("a string");
  return value_->get<std::string>();
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) fail_expected("true or false");
  return value_->get<bool>();
}

std::int64_t JsonReader::integer(std::int64_t min, std::int64_t max) const {
  const auto fail_range = [&] {
    fail_expected("an integer from " + std::to_string(min) + " to " + std::to_string(max));
  };
  // The parser delivers integers beyond 64 bits as floating point, so this check refuses both.
  if (!value_->is_number_integer()) fail_range();
  if (value_->is_number_unsigned() &&
      value_->get<std::uint64_t>() > static_cast<std::uint64_t>(std::max<std::int64_t>(max, 0))) {
    fail_range();
  }
  const std::int64_t value = value_->get<std::int64_t>();
  if (value < min || value > max) fail_range();
  return value;
}

double JsonReader::number(double min, double max) const {
  if (!value_->is_number()) fail_expected("a number");
  const double value = value_->get<double>();
  if (!(value >= min && value <= max)) {
    fail_expected("a number from " + short_text(min) + " to " + short_text(max));
  }
  return value;
}

}  // namespace pnsim
