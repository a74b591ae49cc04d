#include "simulator/model/launch/reshape.h"

#include <algorithm>

#include "simulator/base/error.h"
#include "simulator/model/launch/block_work.h"
#include "simulator/model/launch/imbalance.h"

namespace pnsim {
namespace {

// Allocation units of a warp's registers and of a block's shared memory (CUDA's occupancy
// calculator, compute capability 7.0 and later).
constexpr std::int64_t kRegisterUnit = 256;
constexpr std::int64_t kSharedUnitBytes = 128;
constexpr std::size_t kMaxPieces = std::size_t{1} << 22;

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t rounded_up(std::int64_t a, std::int64_t unit) { return divided_up(a, unit) * unit; }

// Neighbouring warps of one kind.
struct Piece {
  std::size_t kind = 0;
  std::int64_t warps = 0;
};

class Pieces {
 public:
  explicit Pieces(std::string where) : where_(std::move(where)) {}

  void add(std::size_t kind, std::int64_t warps) {
    if (warps == 0) return;
    if (!all_.empty() && all_.back().kind == kind) return void(all_.back().warps += warps);
    if (all_.size() == kMaxPieces) {
      fail_limit(where_ + ": its warps form over " + std::to_string(kMaxPieces) +
                 " runs of equal kinds, too many to deal them to blocks of another size");
    }
    all_.push_back({kind, warps});
  }

  const std::vector<Piece>& all() const { return all_; }

 private:
  std::string where_;
  std::vector<Piece> all_;
};

// The warps of the launch in their order.
Pieces pieces_of(const Launch& launch) {
  Pieces out("kernel " + launch.kernel);
  if (launch.block_kinds.empty()) {
    for (std::size_t k = 0; k < launch.warp_kinds.size(); ++k) {
      out.add(k, launch.warp_kinds[k].warps);
    }
  }
  for (const BlockKind& kind : launch.block_kinds) {
    if (kind.warps.size() == 1) {
      out.add(kind.warps[0].kind, kind.blocks * kind.warps[0].count);
      continue;
    }
    for (std::int64_t b = 0; b < kind.blocks; ++b) {
      for (const auto& [k, count] : kind.warps) out.add(k, count);
    }
  }
  return out;
}

// The same kinds in the same order for `count` warps, each with its share: warp i is of the kind of
// warp floor((i + 1/2) N / count) of the N.
Pieces scaled(const Pieces& from, std::int64_t count, const std::string& where) {
  __int128 all = 0, end = 0;
  for (const Piece& s : from.all()) all += s.warps;
  Pieces out(where);
  std::int64_t done = 0;
  for (const Piece& s : from.all()) {
    end += s.warps;
    const auto upto = static_cast<std::int64_t>((2 * end * count + all - 1) / (2 * all));
    out.add(s.kind, upto - done);
    done = upto;
  }
  return out;
}

// Warps with at least one of the `threads` when blocks have `block` of them.
std::int64_t warps_with_threads(std::int64_t threads, std::int64_t block) {
  return threads / block * divided_up(block, 32) + divided_up(threads % block, 32);
}

void add_block(std::vector<BlockKind>& kinds, BlockKind block) {
  const auto same = [](const BlockKind::Warps& a, const BlockKind::Warps& b) {
    return a.kind == b.kind && a.count == b.count;
  };
  if (!kinds.empty() && std::equal(kinds.back().warps.begin(), kinds.back().warps.end(),
                                   block.warps.begin(), block.warps.end(), same)) {
    kinds.back().blocks += block.blocks;
  } else {
    kinds.push_back(std::move(block));
  }
}

// Divides the warps into blocks of `warps_a_block`; equal neighbouring blocks are one kind.
std::vector<BlockKind> dealt_to_blocks(const Pieces& warps, std::int64_t warps_a_block) {
  std::vector<BlockKind> out;
  BlockKind open{1, {}};
  std::int64_t missing = warps_a_block;  // in the open block
  for (auto [kind, count] : warps.all()) {
    if (missing < warps_a_block) {
      const std::int64_t taken = std::min(count, missing);
      open.warps.push_back({kind, taken});
      missing -= taken;
      count -= taken;
      if (missing > 0) continue;
      add_block(out, std::move(open));
      open = {1, {}};
      missing = warps_a_block;
    }
    if (count >= warps_a_block) add_block(out, {count / warps_a_block, {{kind, warps_a_block}}});
    if (count % warps_a_block == 0) continue;
    open.warps.push_back({kind, count % warps_a_block});
    missing -= count % warps_a_block;
  }
  return out;
}

void deal_warps(const Launch& from, Launch& to) {
  const std::int64_t threads = from.grid * from.block;
  const std::int64_t all = to.grid * to.warps_per_block();
  const std::int64_t working = warps_with_threads(threads, to.block);
  Pieces warps = scaled(pieces_of(from), working, "kernel " + from.kernel);
  for (WarpKind& kind : to.warp_kinds) kind.warps = 0;
  if (working < all) {
    warps.add(to.warp_kinds.size(), all - working);
    to.warp_kinds.push_back({});
  }
  for (const Piece& s : warps.all()) to.warp_kinds[s.kind].warps += s.warps;
  to.block_kinds.clear();
  if (!from.block_kinds.empty()) to.block_kinds = dealt_to_blocks(warps, to.warps_per_block());
}

}  // namespace

std::int64_t resident_blocks(const Launch& launch, const DeviceProfile& device) {
  const std::int64_t warps = launch.warps_per_block();
  if (launch.block > device.count("max_threads_per_block")) return 0;
  std::int64_t blocks =
      std::min(device.count("max_blocks_per_sm"), device.count("max_warps_per_sm") / warps);
  if (launch.registers > 0) {
    const std::int64_t of_warp = rounded_up(launch.registers * 32, kRegisterUnit);
    const std::int64_t units = device.count("schedulers_per_sm");  // each has its own registers
    blocks = std::min(blocks, device.count("registers_per_sm") / of_warp / units * units / warps);
  }
  const std::int64_t of_block =
      rounded_up(launch.shared_bytes, kSharedUnitBytes) +
      static_cast<std::int64_t>(device.value("reserved_shared_bytes_per_block"));
  if (of_block > 0) blocks = std::min(blocks, device.count("shared_bytes_per_sm") / of_block);
  return blocks;
}

bool tells_resident_blocks(const DeviceProfile& device) {
  const auto has = [&](const char* fact) { return device.facts.contains(fact); };
  return has("max_threads_per_block") && has("max_blocks_per_sm") && has("max_warps_per_sm") &&
         has("registers_per_sm") && has("schedulers_per_sm") && has("shared_bytes_per_sm") &&
         has("reserved_shared_bytes_per_block");
}

Launch on_device(Launch launch, const DeviceProfile& device) {
  launch.resident_blocks = resident_blocks(launch, device);
  if (launch.resident_blocks < 1) {
    fail_input("kernel " + launch.kernel,
               "a block of " + std::to_string(launch.block) + " threads with " +
                   std::to_string(launch.registers) + " registers each and " +
                   std::to_string(launch.shared_bytes) +
                   " bytes of shared memory does not fit on " + "an SM of " + device.name);
  }
  return launch;
}

Launch reshape(const Launch& launch, std::int64_t block, const DeviceProfile& device) {
  if (block < 1) fail_input("kernel " + launch.kernel, "a block has at least one thread");
  Launch out = launch;
  out.block = block;
  out.grid = divided_up(launch.grid * launch.block, block);
  out.shared_bytes = divided_up(launch.shared_bytes * block, launch.block);
  if (block != launch.block) {
    Launch grown = launch;
    scale_block_work(out.grid, block, grown);
    out.warp_kinds = std::move(grown.warp_kinds);
    out.counters = std::move(grown.counters);
  }
  deal_warps(launch, out);
  // The imbalance of blocks over schedulers belongs to the old blocks; that of the data stays.
  if (block != launch.block) set_data_imbalance(data_imbalance(launch), out);
  return on_device(std::move(out), device);
}

}  // namespace pnsim
