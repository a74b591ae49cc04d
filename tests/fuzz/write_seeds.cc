// write_seeds FOLDER: FOLDER/TARGET/NN for each seed, and FOLDER/TARGET.dict with their words, of
// which libFuzzer makes new inputs.
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/fuzz/target.h"

namespace {

std::set<std::string> words_of(const std::vector<std::string>& seeds) {
  constexpr std::size_t kLongWord = 40, kManyWords = 1500;
  std::set<std::string> words;
  for (const std::string& seed : seeds) {
    std::string word;
    for (const char c : seed + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.') {
        word += c;
        continue;
      }
      if (word.size() > 1 && word.size() < kLongWord && words.size() < kManyWords)
        words.insert(word);
      word.clear();
    }
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: write_seeds FOLDER\n", stderr), 2;
  for (const auto& target : pnsim::fuzz::targets()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target.name;
    std::filesystem::create_directories(folder);
    const auto seeds = target.seeds();
    for (std::size_t i = 0; i < seeds.size(); ++i)
      std::ofstream(folder / ("seed" + std::to_string(i)), std::ios::binary) << seeds[i];
    std::ofstream dictionary(folder.string() + ".dict");
    for (const std::string& word : words_of(seeds)) dictionary << '"' << word << "\"\n";
  }
}
