// Reads a JSON value together with its place in the file, so that every error can name the place.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/base/json.h"

namespace pnsim {

// A view of one value of a parsed file. The parsed value must outlive the view. A method that does
// not find what it expects throws error 3: "FILE: /json/pointer: found X, expected Y".
class JsonReader {
 public:
  JsonReader(const InputJson& value, std::string file)
      : value_(&value),
        document_(std::make_shared<Document>(Document{std::move(file), {Step{}}})) {}

  // Objects. `only` lists the allowed keys; an unknown key is an error that names the nearest key.
  // Keys that start with '$' (such as "$schema") are always allowed.
  const JsonReader& only(std::initializer_list<std::string_view> keys) const;
  JsonReader at(std::string_view key) const;                        // required
  std::optional<JsonReader> find(std::string_view key) const;       // optional
  std::vector<std::pair<std::string, JsonReader>> members() const;  // sorted by key

  // Arrays.
  std::vector<JsonReader> items() const;

  // Leaves.
  std::string string() const;
  bool boolean() const;
  std::int64_t integer(std::int64_t min, std::int64_t max) const;
  double number(double min = std::numeric_limits<double>::lowest(),
                double max = std::numeric_limits<double>::max()) const;

  bool is_object() const { return value_->is_object(); }
  bool is_array() const { return value_->is_array(); }
  bool is_string() const { return value_->is_string(); }
  bool is_integer() const { return value_->is_number_integer(); }
  bool is_null() const { return value_->is_null(); }

  const InputJson& value() const { return *value_; }
  const std::string& file() const { return document_->file; }
  std::string where() const;  // "FILE: /json/pointer"
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_expected(const std::string& expected) const;  // adds what was found

 private:
  // The path from a value to a value inside it: an object key, which the parsed value owns, or an
  // array index.
  struct Step {
    std::uint32_t from = 0;  // the step that leads to the enclosing value; 0: the document itself
    const std::string* key = nullptr;
    std::size_t index = 0;
  };
  // All steps taken so far. Few of them are ever turned into text.
  struct Document {
    std::string file;
    std::vector<Step> steps;
  };
  JsonReader of(const InputJson& value, const std::string* key, std::size_t index = 0) const;

  const InputJson* value_;
  // Shared by all readers of one file, which must stay on one thread.
  std::shared_ptr<Document> document_;
  std::uint32_t step_ = 0;
};

}  // namespace pnsim
