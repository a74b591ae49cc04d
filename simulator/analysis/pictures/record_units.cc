// Records the units of a net whose template attributes its steps ("reasons").
#include <algorithm>

#include "simulator/analysis/pictures/record.h"
#include "simulator/analysis/pictures/span_recorder.h"
#include "simulator/engine/fast_engine.h"
#include "simulator/engine/state_watch.h"

namespace pnsim {
namespace {

constexpr const char* kNoWarpState = "no warp";

std::vector<UnitStates> states_of(const TemplateTracks& tracks) {
  std::vector<UnitStates> out;
  for (const UnitTracks& unit : tracks.units) out.push_back(unit.states);
  return out;
}

// Which warp used each unit last. A transition that takes a unit belongs to the warp whose places
// it takes from.
class UnitUsers {
 public:
  UnitUsers(const Net& net, const TemplateTracks& tracks)
      : net_(net), warp_of_(tracks.warp_of), tracks_at_(net.place_count()) {
    for (const UnitTracks& unit : tracks.units) {
      if (&unit != &tracks.units.front()) {
        for (const UnitStates::Take& take : unit.states.takes) {
          tracks_at_[take.place.value].push_back(user_.size() + take.unit);
        }
      }
      user_.resize(user_.size() + unit.states.units, kNoWarp);
    }
  }

  void note_fired(std::span<const TransitionId> fired) {
    for (const TransitionId t : fired) {
      const std::uint32_t warp = warp_of(t);
      for (const Arc& arc : net_.inputs(t)) {
        for (const std::size_t track : tracks_at_[arc.place.value]) user_[track] = warp;
      }
    }
  }

  std::uint32_t user(std::size_t track) const { return user_[track]; }

 private:
  std::uint32_t warp_of(TransitionId t) const {
    for (const Arc& arc : net_.inputs(t)) {
      if (warp_of_[arc.place.value] != kNoUnit) return warp_of_[arc.place.value];
    }
    return kNoWarp;
  }

  const Net& net_;
  const std::vector<std::uint32_t>& warp_of_;
  std::vector<std::vector<std::size_t>> tracks_at_;  // [place] the tracks whose unit it is
  std::vector<std::uint32_t> user_;                  // [track]
};

class UnitRecorder {
 public:
  UnitRecorder(const Net& net, const TemplateTracks& tracks, const PictureWindow& window)
      : tracks_(tracks),
        specs_(states_of(tracks)),
        watch_(net, specs_),
        users_(net, tracks),
        spans_(window, track_count()) {
    for (const UnitStates& spec : specs_) add_states(spec);
  }

  // After the transitions of a step were chosen, and after they fired.
  void note_fired(std::span<const TransitionId> fired, std::uint64_t step) {
    watch_.note_fired(fired, step, 1);
    users_.note_fired(fired);
    if (spans_.takes(step, any_warp(step))) record(step);
  }
  void note_changes(std::span<const TransitionId> fired, const Marking& marking,
                    std::uint64_t step) {
    watch_.note_changes(fired, marking, step);
  }

  bool is_done(std::uint64_t step) const { return spans_.is_done(step); }

  RunPicture picture(std::uint64_t steps, std::optional<Outcome> outcome, bool has_goal) {
    RunPicture out;
    out.states = states_;
    out.groups = {{tracks_.units[0].kind + "s", tracks_.units[0].names},
                  {tracks_.units[1].kind + "s", tracks_.units[1].names}};
    if (tracks_.units.size() > 2) out.groups.push_back({"units", {}});
    for (std::size_t i = 2; i < tracks_.units.size(); ++i) {
      const auto& names = tracks_.units[i].names;
      out.groups.back().tracks.insert(out.groups.back().tracks.end(), names.begin(), names.end());
    }
    spans_.finish(steps, outcome, has_goal, out);
    return out;
  }

 private:
  std::size_t track_count() const {
    std::size_t count = 0;
    for (const UnitStates& spec : specs_) count += spec.units;
    return count;
  }

  // Units with a state of the same name share it. The last state of a unit is its rest.
  void add_states(const UnitStates& spec) {
    state_of_.emplace_back();
    uses_.emplace_back(spec.states.size(), 0);
    for (const UnitStates::Take& take : spec.takes) uses_.back()[take.state] = 1;
    for (std::size_t s = 0; s < spec.states.size(); ++s) {
      const std::string name = spec.states[s].empty() ? kNoWarpState : spec.states[s];
      const auto known =
          std::find_if(states_.begin(), states_.end(),
                       [&](const PictureState& state) { return state.name == name; });
      state_of_.back().push_back(static_cast<std::size_t>(known - states_.begin()));
      if (known == states_.end()) states_.push_back({name, s + 1 == spec.states.size()});
    }
  }

  bool any_warp(std::uint64_t step) const {
    const UnitStates& warps = specs_.front();
    for (std::uint32_t unit = 0; unit < warps.units; ++unit) {
      if (watch_.state(0, unit, step) + 1 < warps.states.size()) return true;
    }
    return false;
  }

  void record(std::uint64_t step) {
    std::uint32_t track = 0;
    for (std::size_t g = 0; g < specs_.size(); ++g) {
      for (std::uint32_t unit = 0; unit < specs_[g].units; ++unit, ++track) {
        const std::uint32_t state = watch_.state(g, unit, step);
        const bool has_user = g > 0 && uses_[g][state];
        spans_.set(track, step, state_of_[g][state], has_user ? users_.user(track) : kNoWarp);
      }
    }
  }

  const TemplateTracks& tracks_;
  const std::vector<UnitStates> specs_;
  StateWatch watch_;
  UnitUsers users_;
  SpanRecorder spans_;
  std::vector<PictureState> states_;
  std::vector<std::vector<std::size_t>> state_of_;  // [group][its state] position in states_
  std::vector<std::vector<char>> uses_;             // [group][its state] a warp uses the unit
};

}  // namespace

RunPicture record_units(const Net& net, const TemplateTracks& tracks, RunId id,
                        std::uint64_t max_steps, const PictureWindow& window) {
  FastEngine engine(net, id);
  UnitRecorder recorder(net, tracks, window);
  std::optional<Outcome> outcome;
  while (!(outcome = engine.outcome(max_steps)) && !recorder.is_done(engine.steps())) {
    const std::span<const TransitionId> fired = engine.choose();
    recorder.note_fired(fired, engine.steps());
    engine.fire();
    recorder.note_changes(fired, engine.marking_without_ticks(), engine.steps());
  }
  return recorder.picture(engine.steps(), outcome, net.has_goal());
}

}  // namespace pnsim
