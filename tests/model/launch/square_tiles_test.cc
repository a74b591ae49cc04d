// Square blocks of another edge: sectors, lines and misses of a tile and of a matrix product.
#include "simulator/model/launch/square_tiles.h"

#include <gtest/gtest.h>

#include "simulator/base/data_files.h"
#include "simulator/model/launch/kernel_model.h"

namespace pnsim {
namespace {

const Launch& shipped(const KernelModel& model, const Problem& problem) {
  return model.point(problem).launches.front();
}

const SegmentAccess& access_of(const Launch& launch, const std::string& name) {
  for (const Segment& segment : launch.segments) {
    for (const SegmentAccess& access : segment.accesses) {
      if (access.access_class == name) return access;
    }
  }
  throw std::runtime_error("no access " + name);
}

double missed(const Launch& launch) {
  return static_cast<double>(launch.counters.at("l1_load_sectors") -
                             launch.counters.at("l1_load_hit_sectors"));
}

// Every recorded edge from every other one.
void expect_as_profiled(const std::string& name, const Problem& work, double of_accesses,
                        double of_misses) {
  const KernelModel model = load_kernel_model(find_data_file(name, {"models"}));
  for (const std::int64_t edge : {8, 16, 32}) {
    for (const std::int64_t other : {8, 16, 32}) {
      SCOPED_TRACE(std::to_string(edge) + " to " + std::to_string(other));
      Problem from = work, to = work;
      from["tile"] = edge;
      to["tile"] = other;
      Launch launch = shipped(model, from);
      const Launch& profiled = shipped(model, to);
      reshape_tiles(edge, other, launch);
      for (const char* kind : {"global_load", "global_store"}) {
        const SegmentAccess &mine = access_of(launch, kind), &there = access_of(profiled, kind);
        EXPECT_NEAR(mine.sectors, there.sectors, of_accesses * there.sectors) << kind;
        EXPECT_NEAR(mine.tag_lookups, there.tag_lookups, of_accesses * there.tag_lookups) << kind;
      }
      EXPECT_NEAR(missed(launch), missed(profiled), of_misses * missed(profiled));
    }
  }
}

TEST(SquareTiles, RowsOfATileAndItsNeighboursAreThoseOfTheProfile) {
  expect_as_profiled("sobel_global", {{"height", 1024}, {"width", 1024}}, 0.01, 0.02);
}

TEST(SquareTiles, AMatrixProductReadsRowsAndColumns) {
  expect_as_profiled("matmul_plain", {{"n", 256}}, 0.001, 0.15);
}

TEST(SquareTiles, EdgesOfBrokenRowsChangeNothing) {
  const KernelModel model = load_kernel_model(find_data_file("sobel_global", {"models"}));
  Launch launch = shipped(model, {{"tile", 16}});
  const double sectors = access_of(launch, "global_load").sectors;
  reshape_tiles(16, 12, launch);
  EXPECT_EQ(access_of(launch, "global_load").sectors, sectors);
}

}  // namespace
}  // namespace pnsim
