#include "simulator/base/json.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "simulator/base/compressed.h"
#include "simulator/base/error.h"
#include "simulator/base/output_file.h"

namespace pnsim {
namespace {

// Builds a value from parser events. The builder of nlohmann::json silently accepts duplicate keys
// and any nesting depth. A parser callback would see both, but its time is quadratic in the length
// of an array.
class StrictParser : public nlohmann::json_sax<InputJson> {
 public:
  StrictParser(InputJson& result, const std::string& origin, JsonMemory& memory)
      : result_(result), origin_(origin), memory_(memory) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override {
    use(kTextBytes + value.size());
    return add(std::move(value));
  }
  bool binary(binary_t& value) override { return add(std::move(value)); }  // no JSON text has one
  bool start_object(std::size_t) override { return open(InputJson::value_t::object); }
  bool start_array(std::size_t) override { return open(InputJson::value_t::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    use(kMemberBytes + name.size());
    auto& members = open_.back()->get_ref<InputJson::object_t&>();
    const auto [member, is_new] = members.try_emplace(std::move(name));
    member_ = &member->second;
    if (!is_new) fail_input(origin_ + ": " + pointer(), "the key appears twice in one object");
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const InputJson::exception& error) override {
    const auto* out_of_range = dynamic_cast<const InputJson::out_of_range*>(&error);
    if (out_of_range) throw *out_of_range;
    throw static_cast<const InputJson::parse_error&>(error);
  }

 private:
  // Bytes of the parsed form with what the allocator adds; an array doubles when it grows.
  static constexpr std::uint64_t kValueBytes = 32, kTextBytes = 48, kMemberBytes = 96,
                                 kGroupBytes = 64;

  void use(std::uint64_t bytes) {
    memory_.used += bytes;
    if (memory_.used <= memory_.most) return;
    fail_limit(origin_ + ": its values take more than " + std::to_string(memory_.most) +
               " bytes of memory, the most for one file; split it, or write fewer values");
  }

  // The value has its place: in the array or under the key at hand, or it is all.
  template <class Value>
  InputJson& place(Value&& value) {
    if (open_.empty()) return result_ = std::forward<Value>(value);
    if (open_.back()->is_object()) return *member_ = std::forward<Value>(value);
    return open_.back()->get_ref<InputJson::array_t&>().emplace_back(std::forward<Value>(value));
  }

  // Each handler returns true, which tells the parser to continue.
  template <class Value>
  bool add(Value&& value) {
    use(kValueBytes);
    place(std::forward<Value>(value));
    return true;
  }
  bool open(InputJson::value_t kind) {
    use(kValueBytes + kGroupBytes);
    InputJson& value = place(InputJson(kind));
    if (open_.size() >= kMaxNesting) {
      fail_input(origin_ + ": " + pointer(), "nested deeper than " + std::to_string(kMaxNesting));
    }
    open_.push_back(&value);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

 public:
  // The pointer of the next value: the next index of an array, or the current key of an object.
  std::string pointer_of_next() const {
    const std::string before = pointer();
    if (open_.empty()) return "(top level)";
    if (!open_.back()->is_array()) return before;
    const std::string parent = before.substr(0, before.rfind('/'));
    return parent + "/" + std::to_string(open_.back()->size());
  }

 private:
  // The pointer of the value that was begun last. Each open array contributes its last index, each
  // open object the key of the next open level, or member_ on the innermost level.
  std::string pointer() const {
    InputJson::json_pointer path;
    for (std::size_t level = 0; level < open_.size(); ++level) {
      const InputJson& value = *open_[level];
      const InputJson* inner = level + 1 < open_.size() ? open_[level + 1] : member_;
      if (value.is_array()) {
        path /= value.size() - 1;
        continue;
      }
      for (const auto& [name, member] : value.items()) {
        if (&member == inner) path /= name;
      }
    }
    return path.to_string();
  }

  InputJson& result_;
  const std::string& origin_;
  JsonMemory& memory_;
  std::vector<InputJson*>
      open_;  // open objects and arrays; nothing is added to one while a value in it is open
  InputJson* member_ = nullptr;  // value slot of the last key of the innermost object
};

// The number in nlohmann's "[json.exception.out_of_range.406] number
// overflow parsing '1e400'".
std::string out_of_range_text(const InputJson::out_of_range& error) {
  const std::string text = error.what();
  const std::size_t open = text.find('\''), close = text.rfind('\'');
  if (open == std::string::npos || close <= open) return "a number is out of range";
  return "a number is out of range: found " +
         text.substr(open + 1, std::min<std::size_t>(close - open - 1, 60)) +
         ", expected one that a 64-bit floating-point number holds";
}

// "... parse error at line 3, column 7: ..." without nlohmann's own prefix and id.
std::string plain_message(const InputJson::parse_error& error) {
  const std::string text = error.what();
  const std::size_t start = text.find("] ");
  const std::string plain = start == std::string::npos ? text : text.substr(start + 2);
  // The token may hold quotes of both kinds, so it is shortened here and not as a quoted text.
  constexpr std::size_t kMostOfToken = 200;
  const std::size_t token = plain.find("last read: '");
  const std::size_t end = plain.rfind('\'');
  if (token == std::string::npos || end < token + kMostOfToken) return plain;
  return plain.substr(0, boundary_before(plain, token + kMostOfToken)) + "..." + plain.substr(end);
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
  note_input(path);
  return bytes;
}

}  // namespace

void refuse_named_pipe(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_fifo(path, none)) return;
  const bool has_place = !std::filesystem::canonical(path, none).empty();
  if (has_place) fail_input(path, "found a pipe, expected a file");
}

void check_file(const std::string& path) {
  checked_bytes(path);
  refuse_named_pipe(path);
}

std::string read_file(const std::string& path) {
  check_file(path);
  return read_file_or_pipe(path);
}

std::string read_file_or_pipe(const std::string& path) {
  const std::uint64_t bytes = checked_bytes(path);
  std::ifstream in(path, std::ios::binary);
  std::string text;
  text.reserve(bytes);
  char chunk[65536];
  while (in.read(chunk, sizeof chunk) || in.gcount() > 0) {
    text.append(chunk, static_cast<std::size_t>(in.gcount()));
    // A pipe reports no size in advance.
    if (text.size() > kMaxFileBytes) fail_input(path, "found over 256 MB, expected at most 256 MB");
  }
  if (!in.is_open() || in.bad()) fail_input(path, "cannot be read");
  refuse_compressed(text, path);
  return text;
}

InputJson parse_json(std::string_view text, const std::string& origin) {
  JsonMemory memory;
  return parse_json(text, origin, memory);
}

InputJson parse_json(std::string_view text, const std::string& origin, JsonMemory& memory) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    fail_input(origin, "found an empty file, expected JSON");
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    fail_input(origin, "found a NUL byte at byte " + std::to_string(nul) + ", expected text");
  }
  InputJson result;
  StrictParser parser(result, origin, memory);
  memory.used += text.size();
  try {
    InputJson::sax_parse(text, &parser);
    memory.used -= text.size();
    return result;
  } catch (const InputJson::parse_error& error) {
    fail_input(origin, plain_message(error));
  } catch (const InputJson::out_of_range& error) {
    fail_input(origin + ": " + parser.pointer_of_next(), out_of_range_text(error));
  }
}

InputJson parse_net_json(std::string_view text, const std::string& origin) {
  const std::string_view start = text.substr(0, 4096);
  std::size_t at = start.find("\"kind\"");
  if (at != std::string_view::npos) at = start.find_first_not_of(" \t\r\n:", at + 6);
  JsonMemory memory;
  if (at != std::string_view::npos && start.substr(at).starts_with("\"net\"")) {
    memory.most = kMaxNetMemory;
  }
  return parse_json(text, origin, memory);
}

InputJson load_json(const std::string& path) { return parse_net_json(read_file(path), path); }

std::string to_line(const Json& value) { return value.dump(); }

}  // namespace pnsim
