#include "simulator/model/memory/launch_sums.h"

namespace pnsim {
namespace {

double sum_of(const std::vector<ProgramItem>& program, const std::vector<double>& segments) {
  double sum = 0;
  for (const ProgramItem& item : program) {
    sum += static_cast<double>(item.repeat) *
           (item.segment ? segments[*item.segment] : sum_of(item.body, segments));
  }
  return sum;
}

bool is_store(const SegmentAccess& access) {
  const OpcodeClass& cls = class_of(access);
  return cls.paper == InstructionClass::kGlobal && cls.result == LateResult::kNone;
}

bool is_plain_store(const SegmentAccess& access) {
  return is_store(access) && !is_global_atomic(class_of(access));
}

double bytes_of(const SegmentAccess& access) {
  return access.count * static_cast<double>(access.bytes) * access.lanes;
}

// Over the accesses for which `is_one` holds.
template <class IsOne, class Of>
double sum_of_accesses(const Launch& launch, IsOne&& is_one, Of&& of) {
  return sum_over(launch, [&](const Segment& segment) {
    double sum = 0;
    for (const SegmentAccess& access : segment.accesses) {
      if (is_one(access)) sum += of(access);
    }
    return sum;
  });
}

double sectors_of(const SegmentAccess& access) { return access.sectors; }

template <class IsOne>
bool has_access(const Launch& launch, IsOne&& is_one) {
  return std::any_of(launch.segments.begin(), launch.segments.end(), [&](const Segment& segment) {
    return std::any_of(segment.accesses.begin(), segment.accesses.end(), is_one);
  });
}

}  // namespace

double sum_over_warps(const Launch& launch, const std::vector<double>& segments) {
  double sum = 0;
  for (const WarpKind& kind : launch.warp_kinds) {
    sum += static_cast<double>(kind.warps) * sum_of(kind.program, segments);
  }
  return sum;
}

bool makes_loads(const Launch& launch) {
  return has_access(launch,
                    [](const SegmentAccess& access) { return is_global_load(class_of(access)); });
}

bool makes_stores(const Launch& launch) { return has_access(launch, is_store); }

double stored_bytes(const Launch& launch) { return sum_of_accesses(launch, is_store, bytes_of); }

double plainly_stored_bytes(const Launch& launch) {
  return sum_of_accesses(launch, is_plain_store, bytes_of);
}

double plainly_stored_sectors(const Launch& launch) {
  return sum_of_accesses(launch, is_plain_store, sectors_of);
}

double local_store_sectors(const Launch& launch) {
  return sum_of_accesses(
      launch, [](const SegmentAccess& access) { return access.access_class == "local_store"; },
      sectors_of);
}

double l1_tags(const Launch& launch) {
  return sum_of_accesses(
      launch, [](const SegmentAccess&) { return true; },
      [](const SegmentAccess& access) { return access.tag_lookups; });
}

double atomic_sectors(const Launch& launch) {
  return sum_of_accesses(
      launch, [](const SegmentAccess& access) { return is_global_atomic(class_of(access)); },
      sectors_of);
}

double copied_wavefronts(const Launch& launch, bool through_l1) {
  return sum_of_accesses(
      launch,
      [&](const SegmentAccess& access) {
        return class_of(access).result == LateResult::kAsyncCopy && access.through_l1 == through_l1;
      },
      [](const SegmentAccess& access) { return access.wavefronts; });
}

double shared_wavefronts(const Launch& launch) {
  return sum_of_accesses(launch, is_shared_access, [](const SegmentAccess& access) {
    return std::max(access.wavefronts, access.count);
  });
}

}  // namespace pnsim
