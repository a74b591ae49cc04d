#include "tests/fuzz/mutation.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace pnsim::fuzz {
namespace {

struct Piece {
  std::size_t at = 0, size = 0;
};

std::vector<Piece> lines_of(const std::string& text) {
  std::vector<Piece> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out.push_back({at, end - at});
    at = end;
  }
  return out;
}

std::vector<Piece> numbers_of(const std::string& text) {
  std::vector<Piece> out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!std::isdigit(static_cast<unsigned char>(text[at]))) continue;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    out.push_back({at, end - at});
    at = end;
  }
  return out;
}

std::vector<Piece> quoted_of(const std::string& text) {
  std::vector<Piece> out;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos;) {
    const std::size_t end = text.find('"', at + 1);
    if (end == std::string::npos) break;
    out.push_back({at + 1, end - at - 1});
    at = end + 1;
  }
  return out;
}

Piece any_of(const std::vector<Piece>& pieces, Random& random) {
  return pieces.empty() ? Piece{} : pieces[random.below(pieces.size())];
}

std::string cut_off(std::string text, Random& random) {
  text.resize(random.below(text.size()));
  return text;
}

std::string with_flipped_bit(std::string text, Random& random) {
  if (!text.empty()) text[random.below(text.size())] ^= static_cast<char>(1 << random.below(8));
  return text;
}

std::string with_line_doubled(std::string text, Random& random) {
  const auto [at, size] = any_of(lines_of(text), random);
  return text.insert(at, std::string(text, at, size));
}

std::string with_line_removed(std::string text, Random& random) {
  const auto [at, size] = any_of(lines_of(text), random);
  return text.erase(at, size);
}

std::string with_line_moved(std::string text, Random& random) {
  const auto [at, size] = any_of(lines_of(text), random);
  const std::string line(text, at, size);
  text.erase(at, size);
  return text.insert(any_of(lines_of(text), random).at, line);
}

std::string with_extreme_number(std::string text, Random& random) {
  static const char* const kNumbers[] = {"0",
                                         "-1",
                                         "1",
                                         "2",
                                         "65536",
                                         "2147483648",
                                         "4294967296",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551616",
                                         "1e400",
                                         "1e-320",
                                         "0.5",
                                         "nan",
                                         "00",
                                         "1e18",
                                         "-0",
                                         "\"7\"",
                                         "[]",
                                         "{}",
                                         "null",
                                         "true",
                                         "1,5"};
  const auto [at, size] = any_of(numbers_of(text), random);
  return text.replace(at, size, kNumbers[random.below(std::size(kNumbers))]);
}

std::string with_name_changed(std::string text, Random& random) {
  const auto names = quoted_of(text);
  const auto [at, size] = any_of(names, random);
  const auto [from, length] = any_of(names, random);
  switch (random.below(4)) {
    case 0:
      return text.insert(at + size, "x");
    case 1:
      return text.replace(at, size, "");
    case 2:
      return text.replace(at, size, std::string(text, from, length));
    default:
      return text.replace(at, size, std::string(300, 'n'));
  }
}

std::string with_piece_repeated(std::string text, Random& random) {
  const std::size_t at = random.below(text.size());
  const std::string piece(text, at, random.below(200));
  return text.insert(random.below(text.size()), piece);
}

std::string with_byte_inserted(std::string text, Random& random) {
  static constexpr char kBytes[] = {'\0', '"', ',', '{',    '}',  '[',
                                    ']',  '<', '>', '\xff', '\n', '\r'};
  return text.insert(random.below(text.size()), 1, kBytes[random.below(std::size(kBytes))]);
}

struct Change {
  const char* kind;
  std::string (*make)(std::string, Random&);
};
constexpr Change kChanges[] = {{"cut off", cut_off},
                               {"bit flipped", with_flipped_bit},
                               {"line doubled", with_line_doubled},
                               {"line removed", with_line_removed},
                               {"line moved", with_line_moved},
                               {"extreme number", with_extreme_number},
                               {"extreme number", with_extreme_number},
                               {"name changed", with_name_changed},
                               {"piece repeated", with_piece_repeated},
                               {"byte inserted", with_byte_inserted}};

}  // namespace

std::string mutated(const std::string& text, Random& random, const char** kind) {
  const Change& change = kChanges[random.below(std::size(kChanges))];
  if (kind) *kind = change.kind;
  return change.make(text, random);
}

}  // namespace pnsim::fuzz
