// Asynchronous copies and the barriers in shared memory that they complete. `cp.async` needs
// compute capability 8.0, barriers and bulk copies need 9.0. Every wait is bounded: a fault gives
// an error instead of a GPU that hangs.
#pragma once

#include <cstdint>

#include "gpu/ptx/architecture.cuh"

namespace pnsim::gpu {

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// Copies of 4, 8 or 16 bytes per thread. Only those of 16 bytes bypass L1.
template <int kBytes>
__device__ void copy_async(std::uint32_t shared, const void* global) {
  if constexpr (kBytes == 16) {
    PNSIM_ASM_80("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global) : "memory");
  } else {
    PNSIM_ASM_80("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(global), "n"(kBytes)
                 : "memory");
  }
}

__device__ inline void commit_copies() { PNSIM_ASM_80("cp.async.commit_group;" ::: "memory"); }

// Waits until at most `kPending` groups of this thread's copies are outstanding.
template <int kPending>
__device__ void wait_for_copies() {
  PNSIM_ASM_80("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

// mbarriers: 8 bytes in shared memory, with a phase that flips when all expected arrivals and bytes
// have come.
__device__ inline void init_barrier(std::uint32_t barrier, unsigned arrivals) {
  PNSIM_ASM_90("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// Makes initialised barriers visible to the copy engine and to the cluster.
__device__ inline void publish_barriers() {
  PNSIM_ASM_90("fence.mbarrier_init.release.cluster;" ::: "memory");
  PNSIM_ASM_90("fence.proxy.async;" ::: "memory");
}

__device__ inline void arrive(std::uint32_t barrier) {
  PNSIM_ASM_90("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// An arrival that also announces bytes of bulk copies.
__device__ inline void arrive_with_bytes(std::uint32_t barrier, unsigned bytes) {
  PNSIM_ASM_90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

__device__ inline bool has_passed(std::uint32_t barrier, unsigned phase) {
  std::uint32_t passed = 1;
  PNSIM_ASM_90(
      "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; "
      "}"
      : "=r"(passed)
      : "r"(barrier), "r"(phase)
      : "memory");
  return passed != 0;
}

// A try_wait may suspend the thread for some microseconds, so this is some seconds.
constexpr unsigned kMostTries = 1u << 22;

__device__ inline void wait_for_phase(std::uint32_t barrier, unsigned phase) {
  for (unsigned i = 0; !has_passed(barrier, phase); ++i) {
    if (i == kMostTries) __trap();
  }
}

// True in one lane of a converged warp. The compiler knows that it is one, so it issues bulk copies
// without a loop over lanes.
__device__ inline bool elect_one() {
  std::uint32_t is_elected = 0;
  PNSIM_ASM_90("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
               : "=r"(is_elected));
  return is_elected != 0;
}

// Contiguous bytes from global to shared memory; `bytes` is a multiple of 16. One thread issues.
__device__ inline void bulk_load(std::uint32_t shared, const void* global, unsigned bytes,
                                 std::uint32_t barrier) {
  PNSIM_ASM_90(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared),
      "l"(global), "r"(bytes), "r"(barrier)
      : "memory");
}

// The same bytes to this address, and to this barrier, of each block of the cluster whose bit
// `blocks` has.
__device__ inline void multicast_load(std::uint32_t shared, const void* global, unsigned bytes,
                                      std::uint32_t barrier, std::uint16_t blocks) {
  PNSIM_ASM_90(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1], %2, [%3], %4;" ::"r"(shared),
      "l"(global), "r"(bytes), "r"(barrier), "h"(blocks)
      : "memory");
}

__device__ inline void bulk_store(void* global, std::uint32_t shared, unsigned bytes) {
  PNSIM_ASM_90("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
               "r"(shared), "r"(bytes)
               : "memory");
}

__device__ inline void commit_stores() { PNSIM_ASM_90("cp.async.bulk.commit_group;" ::: "memory"); }

// Waits until all but `kPending` groups of bulk stores are done, written data included.
template <int kPending>
__device__ void wait_for_stores() {
  PNSIM_ASM_90("cp.async.bulk.wait_group %0;" ::"n"(kPending) : "memory");
}

// A box of a matrix that a tensor map describes, with its first element at (column, row).
__device__ inline void tensor_load(std::uint32_t shared, const void* map, int column, int row,
                                   std::uint32_t barrier) {
  PNSIM_ASM_90(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
      "%3}], [%4];" ::"r"(shared),
      "l"(map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}

__device__ inline void tensor_store(const void* map, int column, int row, std::uint32_t shared) {
  PNSIM_ASM_90(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(column), "r"(row), "r"(shared)
      : "memory");
}

// Orders this thread's accesses to shared memory before those of the copy engine and tensor cores.
__device__ inline void fence_for_async() {
  PNSIM_ASM_90("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace pnsim::gpu
