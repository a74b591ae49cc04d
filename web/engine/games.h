// The token games that a page has open, as JSON.
#pragma once

#include <map>
#include <memory>

#include "simulator/base/json_reader.h"
#include "web/engine/token_game.h"

namespace pnsim {

// Requests and answers are those of openNet, step, back and closeNet in engine.d.ts.
class Games {
 public:
  // Error 3 for a text that is no net, error 5 for more nodes than a page can show.
  Json open(const JsonReader& request);
  Json step(const JsonReader& request);
  Json back(const JsonReader& request);
  Json close(const JsonReader& request);

  static constexpr std::size_t kMaxShownNodes = 200'000;

 private:
  TokenGame& game_of(const JsonReader& request);

  std::map<std::int64_t, std::unique_ptr<TokenGame>> games_;
  std::int64_t next_ = 1;
};

}  // namespace pnsim
