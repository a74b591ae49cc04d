#include "simulator/net/net_name.h"

#include <algorithm>
#include <boost/locale/utf.hpp>

namespace pnsim {

const char* name_fault(std::string_view name) {
  namespace utf = boost::locale::utf;
  if (name.empty()) return "found an empty name, expected at least one character";
  const auto is_printable_ascii = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (std::all_of(name.begin(), name.end(), is_printable_ascii)) return nullptr;
  for (const char* at = name.data(); at != name.data() + name.size();) {
    const utf::code_point c = utf::utf_traits<char>::decode(at, name.data() + name.size());
    if (c == utf::illegal || c == utf::incomplete) return "found a name that is not UTF-8";
    if (c < 0x20 || c == 0x7f) return "found a control character in a name";
  }
  return nullptr;
}

}  // namespace pnsim
