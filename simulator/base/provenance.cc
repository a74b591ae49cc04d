#include "simulator/base/provenance.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "simulator/base/build_facts.h"
#include "simulator/base/json.h"

namespace pnsim {
namespace {

bool is_plain(const std::string& word) {
  return !word.empty() && word.find_first_of(" \t\n\"'\\$`*?[](){}<>|&;#~!") == std::string::npos;
}

// $'b\xe9.csv', as a shell reads it back: rows are JSON, which holds UTF-8 only.
std::string with_escaped_bytes(const std::string& word) {
  std::string out = "$'";
  for (const char c : word) {
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(c));
    const bool is_plain_byte = c >= ' ' && c < 0x7f && c != '\'' && c != '\\';
    out += is_plain_byte ? std::string(1, c) : std::string(code);
  }
  return out + "'";
}

std::string shell_quoted(const std::string& word) {
  if (!is_utf8(word)) return with_escaped_bytes(word);
  if (is_plain(word)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string program_version() { return PNSIM_VERSION; }

std::string build_commit() { return PNSIM_COMMIT; }

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

bool is_utf8(const std::string& text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return true;
  try {
    to_line(Json(text));
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

std::string name_for_json(const std::string& name) {
  return is_utf8(name) ? name : with_escaped_bytes(name);
}

std::string command_line(int argc, const char* const* argv) {
  std::string out;
  for (int i = 0; i < argc; ++i) {
    std::string word = argv[i];
    if (i == 0) word = word.substr(word.find_last_of('/') + 1);
    out += (i == 0 ? "" : " ") + shell_quoted(word);
  }
  return out;
}

}  // namespace pnsim
