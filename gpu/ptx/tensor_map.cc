#include "gpu/ptx/tensor_map.h"

#include <cuda_runtime.h>

#include <string>

#include "simulator/base/error.h"

namespace pnsim::gpu {
namespace {

// The driver's function, found at run time so that the program starts without a driver.
PFN_cuTensorMapEncodeTiled_v12000 encode_function() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult query{};
  const cudaError_t code = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                            cudaEnableDefault, &query);
  if (code != cudaSuccess || query != cudaDriverEntryPointSuccess || found == nullptr) {
    fail_unavailable("the driver has no cuTensorMapEncodeTiled, which CUDA 12.0 brought");
  }
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
}

}  // namespace

CUtensorMap tensor_map(const BoxedMatrix& matrix) {
  const cuuint64_t sizes[] = {matrix.columns, matrix.rows};
  const cuuint64_t pitches[] = {matrix.row_bytes};
  const cuuint32_t box[] = {matrix.box_columns, matrix.box_rows};
  const cuuint32_t steps[] = {1, 1};
  CUtensorMap map{};
  const CUresult code =
      encode_function()(&map,
                        matrix.element == BoxElement::kHalf ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                                            : CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                        2, matrix.data, sizes, pitches, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                        matrix.swizzle == BoxSwizzle::k128Bytes ? CU_TENSOR_MAP_SWIZZLE_128B
                                                                : CU_TENSOR_MAP_SWIZZLE_NONE,
                        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (code != CUDA_SUCCESS) {
    fail_unavailable("the driver refuses the tensor map of a matrix: code " +
                     std::to_string(static_cast<int>(code)));
  }
  return map;
}

}  // namespace pnsim::gpu
