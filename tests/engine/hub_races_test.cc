// Many clients at few hubs: waiting transitions, winners and the conflict log are compared with the
// reference engine.
#include <random>
#include <set>
#include <utility>

#include "simulator/engine/conflict_log.h"
#include "simulator/engine/hubs.h"
#include "simulator/engine/run.h"
#include "simulator/net/net_builder.h"
#include "tests/engine/compare_engines.h"
#include "tests/engine/same_run.h"

namespace pnsim {
namespace {

// Builds nets of hubs, their clients and the activity around them.
class HubNet {
 public:
  explicit HubNet(std::uint64_t seed) : random_(seed), builder_("hubs" + std::to_string(seed)) {
    for (int h = 0; h < 3; ++h) add_hub("h" + std::to_string(h));
    for (std::size_t c = 0, clients = 8 + below(8); c < clients; ++c)
      add_client("c" + std::to_string(c));
    for (int m = 0; m < 2; ++m) add_mover("m" + std::to_string(m));
  }
  // Additionally, gates: no client takes while its hub is held, and runs of clients are blocked
  // while one of their places is marked.
  static HubNet with_gates(std::uint64_t seed) {
    HubNet net(seed);
    const std::size_t run = 1 + net.below(4);
    PlaceId gate = net.any();
    for (std::size_t c = 0; c < net.own_.size(); ++c) {
      const auto& [taker, hold] = net.clients_[c];
      const bool is_held = net.below(12) > 0;
      if (is_held && hold != net.own_[c].place) net.inhibit(taker, hold);
      if (c % run == 0) gate = net.any();
      if (gate != hold || !is_held) net.inhibit(taker, gate);
    }
    return net;
  }
  // Additionally, every second client takes from a place that holds the sum of their own places. In
  // every fourth net one of its arcs is missing.
  HubNet(std::uint64_t seed, bool has_tally) : HubNet(seed) {
    if (!has_tally) return;
    Tokens all = 0;
    for (std::size_t c = 0; c < own_.size(); c += 2) all += own_[c].tokens;
    const PlaceId tally = builder_.add_place("tally", all);
    std::size_t skip = seed % 4 == 0 ? below(8) : 1000;
    for (std::size_t c = 0; c < own_.size(); c += 2) {
      if (skip-- != 0) builder_.add_input(own_[c].taker, tally, own_[c].weight);
      for (const Gift& gift : gifts_) {
        if (gift.to == own_[c].place && skip-- != 0)
          builder_.add_output(gift.from, tally, gift.weight);
      }
    }
  }
  Net build() { return builder_.build(); }
  Net build_without_dead() {
    builder_.leave_out_dead();
    return builder_.build();
  }

 private:
  struct Hub {
    PlaceId free, taken, hold;
    Tokens weight;
  };
  struct Own {
    TransitionId taker;
    PlaceId place;
    Tokens tokens, weight;
  };
  struct Gift {
    TransitionId from;
    PlaceId to;
    Tokens weight;
  };

  struct Client {
    TransitionId taker;
    PlaceId hold;  // the place that holds the hub
  };

  void inhibit(TransitionId t, PlaceId p) {
    if (inhibited_.emplace(t.value, p.value).second) builder_.add_inhibitor(t, p);
  }
  std::uint64_t below(std::uint64_t size) { return random_() % size; }
  PlaceId any() { return places_[below(places_.size())]; }
  void give_any(TransitionId t, Tokens weight) {
    gifts_.push_back({t, any(), weight});
    builder_.add_output(t, gifts_.back().to, weight);
  }

  // A hub that is free, or taken until its countdown has ended.
  void add_hub(const std::string& name) {
    const auto weight = static_cast<Tokens>(1 + below(4) / 3);
    const Hub hub{builder_.add_place(name + ".free", static_cast<Tokens>(below(5))),
                  builder_.add_place(name + ".taken"), builder_.add_place(name + ".hold"), weight};
    builder_.add_input(builder_.add_transition(name + ".tick"), hub.hold);
    const TransitionId release = builder_.add_transition(name + ".release");
    builder_.add_input(release, hub.taken);
    builder_.add_output(release, hub.free, weight);
    builder_.add_inhibitor(release, hub.hold);
    hubs_.push_back(hub);
    if (below(3) == 0) places_.push_back(hub.free);
    if (below(3) == 0) places_.push_back(hub.hold);
  }

  // A client that takes from one hub and from one or two places of its own. Some clients are
  // inhibited by other places.
  void add_client(const std::string& name) {
    const Hub& hub = hubs_[below(hubs_.size())];
    const TransitionId t = builder_.add_transition(name + ".takes");
    builder_.add_input(t, hub.free, hub.weight);
    for (std::size_t i = 0, own = below(8) == 0 ? 2 : 1; i < own; ++i) {
      const auto tokens = static_cast<Tokens>(below(3));
      const PlaceId p = builder_.add_place(name + ".own" + std::to_string(i), tokens);
      const auto weight = static_cast<Tokens>(1 + below(6) / 5);
      builder_.add_input(t, p, weight);
      places_.push_back(p);
      if (i == 0) own_.push_back({t, p, tokens, weight});
    }
    if (below(3) == 0) inhibit(t, any());
    clients_.push_back({t, hub.hold});
    if (below(3) > 0) give_any(t, static_cast<Tokens>(1 + below(2)));
    if (below(4) == 0) {
      builder_.add_output(t, hub.free, hub.weight);
    } else {
      builder_.add_output(t, hub.taken);
      if (below(2) == 0) builder_.add_output(t, hub.hold, static_cast<Tokens>(1 + below(4)));
    }
  }

  // Adds tokens to the places in rotation, so that the net stays live.
  void add_mover(const std::string& name) {
    const PlaceId clock = builder_.add_place(name + ".clock", 1);
    const TransitionId t = builder_.add_transition(name + ".moves");
    builder_.add_input(t, clock);
    builder_.add_output(t, clock);
    give_any(t, 1);
    if (below(2) == 0) builder_.add_inhibitor(t, any());
  }

  std::mt19937_64 random_;
  NetBuilder builder_;
  std::vector<Hub> hubs_;
  std::vector<PlaceId> places_;
  std::vector<Own> own_;
  std::vector<Client> clients_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> inhibited_;
  std::vector<Gift> gifts_;
};

void expect_same_log(const ConflictLog& found, const ConflictLog& expected,
                     const std::string& where) {
  const auto counts = found.counts(), wanted = expected.counts();
  ASSERT_EQ(counts.size(), wanted.size()) << where;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(counts[i].first, wanted[i].first) << where;
    EXPECT_EQ(counts[i].second.times, wanted[i].second.times) << where;
    EXPECT_EQ(counts[i].second.transitions, wanted[i].second.transitions) << where;
    EXPECT_EQ(counts[i].second.won, wanted[i].second.won) << where;
  }
}

TEST(HubRaces, AThousandRandomNetsStepByStep) {
  std::uint64_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    steps += test::compare_engines(HubNet(seed).build(), {.seed = seed, .stream = 2}, 120);
  }
  EXPECT_GT(steps, 50000u) << "too few steps to say anything";
}

TEST(HubRaces, TheLogOfConflictsSaysTheSame) {
  std::uint64_t contests = 0, hubs = 0;
  for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    const Net net = HubNet(seed).build();
    hubs += find_hubs(net).hubs.size();
    ConflictLog found(net), expected(net);
    const RunId id{.seed = seed, .replica = 1};
    const RunResult reference = run_reference(net, id, 200, &expected);
    test::expect_same_run(run_incremental(net, id, 200, &found), reference, net.name());
    expect_same_log(found, expected, net.name());
    for (const auto& [place, count] : expected.counts()) contests += count.times;
  }
  EXPECT_GT(hubs, 500u) << "too few hubs to say anything";
  EXPECT_GT(contests, 5000u) << "too few conflicts to say anything";
}

TEST(HubRaces, APlaceThatIsImpliedChangesNothing) {
  std::size_t implied = 0, others = 0, hubs = 0;
  std::uint64_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    const Net net = HubNet(seed, true).build();
    const Hubs found = find_hubs(net);
    const bool is_implied = found.is_implied[net.find_place("tally")->value];
    (is_implied ? implied : others) += 1;
    if (is_implied) hubs += found.hubs.size();
    steps += test::compare_engines(net, {.seed = seed, .stream = 3}, 120);
    ConflictLog log(net), expected(net);
    const RunResult reference = run_reference(net, {.seed = seed}, 120, &expected);
    test::expect_same_run(run_incremental(net, {.seed = seed}, 120, &log), reference, net.name());
    expect_same_log(log, expected, net.name());
  }
  EXPECT_GT(implied, 300u) << "too few to say anything";
  EXPECT_GT(others, 100u) << "too few to say anything";
  EXPECT_GT(hubs, 300u) << "too few to say anything";
  EXPECT_GT(steps, 50000u) << "too few to say anything";
}

TEST(HubRaces, GatesHoldBackGroupsAndHubs) {
  std::size_t hub_gates = 0, group_gates = 0;
  std::uint64_t steps = 0, contests = 0;
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    const Net net = HubNet::with_gates(seed).build();
    const Hubs found = find_hubs(net);
    for (const Hubs::Hub& hub : found.hubs) hub_gates += hub.gate ? 1 : 0;
    for (const Hubs::Group& group : found.groups) group_gates += group.gates.empty() ? 0 : 1;
    steps += test::compare_engines(net, {.seed = seed, .stream = 4}, 120);
    ConflictLog log(net), expected(net);
    const RunResult reference = run_reference(net, {.seed = seed}, 120, &expected);
    test::expect_same_run(run_incremental(net, {.seed = seed}, 120, &log), reference, net.name());
    expect_same_log(log, expected, net.name());
    for (const auto& [place, count] : expected.counts()) contests += count.times;
  }
  EXPECT_GT(hub_gates, 500u) << "too few to say anything";
  EXPECT_GT(group_gates, 2000u) << "too few to say anything";
  EXPECT_GT(steps, 30000u) << "too few to say anything";
  EXPECT_GT(contests, 2000u) << "too few to say anything";
}

// A dead transition draws nothing, and removing it keeps the numbers of the places, which the draws
// use.
TEST(HubRaces, NothingChangesWithoutTheDead) {
  std::size_t left_out = 0;
  for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    const Net all = HubNet(seed).build(), live = HubNet(seed).build_without_dead();
    left_out += all.transition_count() - live.transition_count();
    ConflictLog found(live), expected(all);
    const RunId id{.seed = seed, .replica = 2};
    const RunResult reference = run_reference(all, id, 200, &expected);
    test::expect_same_run(run_incremental(live, id, 200, &found), reference, all.name());
    test::expect_same_run(run_reference(live, id, 200), reference, all.name());
    expect_same_log(found, expected, all.name());
  }
  EXPECT_GT(left_out, 500u) << "too few dead to say anything";
}

// The fast engine draws from a long list of clients in another way than from a short one.
TEST(HubRaces, ThousandsOfClientsOfOneHubRunAsByTheReferenceEngine) {
  NetBuilder builder("long_queue");
  const PlaceId hub = builder.add_place("hub", 700);
  for (int c = 0; c < 6000; ++c) {
    const std::string name = "." + std::to_string(c);
    const PlaceId own = builder.add_place("own" + name, c % 7 == 0 ? 2 : 1);
    const TransitionId take = builder.add_transition("take" + name);
    builder.add_input(take, hub);
    builder.add_input(take, own);
    if (c % 3 != 0) builder.add_output(take, hub);
  }
  EXPECT_GT(test::compare_engines(builder.build(), {.seed = 8}, 40), 5u);
}

}  // namespace
}  // namespace pnsim
