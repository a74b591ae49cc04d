#include "simulator/base/json.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <vector>

#include "simulator/base/error.h"

namespace pnsim {
namespace {

// The parser of nlohmann::json, which alone takes duplicate keys and any nesting silently. (A parser
// callback would see them too, but with one the time is quadratic in the length of an array.)
class StrictParser : public nlohmann::detail::json_sax_dom_parser<InputJson> {
  using Base = nlohmann::detail::json_sax_dom_parser<InputJson>;

 public:
  StrictParser(InputJson& result, const std::string& origin) : Base(result), origin_(origin) {}

  bool start_object(std::size_t size) { return open(false) && Base::start_object(size); }
  bool start_array(std::size_t size) { return open(true) && Base::start_array(size); }
  bool end_object() { return close() && Base::end_object(); }
  bool end_array() { return close() && Base::end_array(); }
  bool key(std::string& name) { return add_key(name) && Base::key(name); }

  bool null() { return count_element() && Base::null(); }
  bool boolean(bool value) { return count_element() && Base::boolean(value); }
  bool string(std::string& value) { return count_element() && Base::string(value); }
  bool number_integer(std::int64_t value) { return count_element() && Base::number_integer(value); }
  bool number_unsigned(std::uint64_t value) {
    return count_element() && Base::number_unsigned(value);
  }
  bool number_float(double value, const std::string& text) {
    return count_element() && Base::number_float(value, text);
  }

 private:
  // An object or array that is open, and where in it the parser is.
  struct Level {
    bool is_array = false;
    std::size_t elements = 0;  // of the array, begun so far
    std::set<std::string> keys = {};
    std::string last_key = {};
  };

  // Each returns true: go on.
  bool count_element() {
    if (!open_.empty()) ++open_.back().elements;
    return true;
  }

  bool open(bool is_array) {
    count_element();
    if (open_.size() >= kMaxNesting) {
      fail_input(origin_ + ": " + pointer(), "nested deeper than " + std::to_string(kMaxNesting));
    }
    open_.push_back({.is_array = is_array});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool add_key(const std::string& key) {
    if (!open_.back().keys.insert(key).second) {
      open_.back().last_key = key;
      fail_input(origin_ + ": " + pointer(), "the key stands twice in one object");
    }
    open_.back().last_key = key;
    return true;
  }

  std::string pointer() const {
    InputJson::json_pointer path;
    for (const Level& level : open_) {
      if (level.is_array) {
        path /= level.elements - 1;
      } else {
        path /= level.last_key;
      }
    }
    return path.to_string();
  }

  const std::string& origin_;
  std::vector<Level> open_;
};

// "... parse error at line 3, column 7: ..." without nlohmann's own prefix and id.
std::string plain_message(const InputJson::parse_error& error) {
  const std::string text = error.what();
  const std::size_t start = text.find("] ");
  return start == std::string::npos ? text : text.substr(start + 2);
}

}  // namespace

namespace {

std::uint64_t checked_bytes(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail_input(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_input(path, "found a directory, expected a file");
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (bytes > kMaxFileBytes) {
    fail_input(path, "found " + std::to_string(bytes) + " bytes, expected at most " +
                         std::to_string(kMaxFileBytes));
  }
  return bytes;
}

}  // namespace

void check_file(const std::string& path) { checked_bytes(path); }

std::string read_file(const std::string& path) {
  const std::uint64_t bytes = checked_bytes(path);
  std::ifstream in(path, std::ios::binary);
  std::string text;
  text.reserve(bytes);
  char chunk[65536];
  while (in.read(chunk, sizeof chunk) || in.gcount() > 0) {
    text.append(chunk, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxFileBytes) fail_input(path, "over 256 MB");  // a pipe has no size above
  }
  if (!in.is_open() || in.bad()) fail_input(path, "cannot be read");
  return text;
}

InputJson parse_json(std::string_view text, const std::string& origin) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    fail_input(origin, "found an empty file, expected JSON");
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    fail_input(origin, "found a NUL byte at byte " + std::to_string(nul) + ", expected text");
  }
  try {
    InputJson result;
    StrictParser parser(result, origin);
    InputJson::sax_parse(text, &parser);
    return result;
  } catch (const InputJson::parse_error& error) {
    fail_input(origin, plain_message(error));
  } catch (const InputJson::out_of_range& error) {
    fail_input(origin, std::string("a number is out of range: ") + error.what());
  }
}

InputJson load_json(const std::string& path) { return parse_json(read_file(path), path); }

std::string to_line(const Json& value) { return value.dump(); }

}  // namespace pnsim
