// Delays and countdowns longer than the wheel of running timers, executed by a whole engine.
#include <random>

#include "simulator/engine/running_timers.h"
#include "simulator/net/net_builder.h"
#include "tests/engine/compare_engines.h"

namespace pnsim {
namespace {

constexpr auto kWheel = static_cast<Tokens>(RunningTimers::kSlots);

// Countdowns and delays of about one wheel length and of several, which start each other in a ring.
// Some countdowns are refilled while they run.
Net net_of_long_timers(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t size) { return random() % size; };
  const auto length = [&] {
    const Tokens near = kWheel - 3 + static_cast<Tokens>(below(6));
    return below(2) == 0 ? near : static_cast<Tokens>(below(3 * RunningTimers::kSlots)) + 1;
  };
  NetBuilder builder("long" + std::to_string(seed));
  std::vector<PlaceId> starts;
  for (int i = 0; i < 4; ++i) {
    starts.push_back(builder.add_place("s" + std::to_string(i), static_cast<Tokens>(1 - below(2))));
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::string name = "t" + std::to_string(i);
    const PlaceId next = starts[(i + 1) % starts.size()];
    const TransitionId start = builder.add_transition(name + ".start");
    builder.add_input(start, starts[i]);
    if (i % 2 == 0) {
      const PlaceId hold = builder.add_place(name + ".hold"),
                    held = builder.add_place(name + ".held");
      builder.add_output(start, hold, length());
      builder.add_output(start, held);
      builder.add_input(builder.add_transition(name + ".tick"), hold);
      const TransitionId end = builder.add_transition(name + ".end");
      builder.add_input(end, held);
      builder.add_inhibitor(end, hold);
      builder.add_output(end, next);
    } else {
      const Tokens steps = length();
      const PlaceId wait = builder.add_place(name + ".wait"),
                    passed = builder.add_place(name + ".passed");
      const TransitionId tick = builder.add_transition(name + ".tick");
      const TransitionId end = builder.add_transition(name + ".end");
      builder.add_output(start, wait, steps + 1);
      builder.add_input(tick, wait, 2);
      builder.add_output(tick, wait);
      builder.add_output(tick, passed);
      builder.add_input(end, wait);
      builder.add_input(end, passed, steps);
      builder.add_output(end, next);
    }
  }
  return builder.build();
}

TEST(LongTimers, EndAsTheReferenceCountsThem) {
  std::uint64_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    steps +=
        test::compare_timed(net_of_long_timers(seed), {.seed = seed}, 12 * RunningTimers::kSlots);
  }
  EXPECT_GT(steps, 200 * RunningTimers::kSlots) << "too few steps to say anything";
}

}  // namespace
}  // namespace pnsim
