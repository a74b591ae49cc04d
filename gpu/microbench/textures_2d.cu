// Fetches from a two-dimensional texture that stays in L1: latency, and cycles of a fetch, by how
// far the texels of neighbouring lanes lie apart.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

// Lanes lie up to 32 texels or 8 lines apart. The touched texels stay in L1.
constexpr int kWidth = 1024, kHeight = 256;
constexpr int kFetches = 16, kRounds = 32;

// A float texture over an array, with unnormalised coordinates: texel (x, y) holds x + 0.5, so that
// a fetch gives the coordinate of the next one.
class Texture2d {
 public:
  explicit Texture2d(bool linear) {
    std::vector<float> texels(kWidth * kHeight);
    for (int i = 0; i < kWidth * kHeight; ++i)
      texels[static_cast<std::size_t>(i)] = static_cast<float>(i % kWidth) + 0.5f;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    PNSIM_CUDA(cudaMallocArray(&array_, &format, kWidth, kHeight));
    PNSIM_CUDA(cudaMemcpy2DToArray(array_, 0, 0, texels.data(), kWidth * sizeof(float),
                                   kWidth * sizeof(float), kHeight, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc texture{};
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    PNSIM_CUDA(cudaCreateTextureObject(&texture_, &resource, &texture, nullptr));
  }
  ~Texture2d() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(array_);
  }
  Texture2d(const Texture2d&) = delete;
  Texture2d& operator=(const Texture2d&) = delete;

  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

// Where a lane fetches: lanes lie dx texels and dy lines apart, wrapping in the texture.
__device__ float2 place_of_lane(int dx, int dy) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  return make_float2(static_cast<float>(lane * dx % kWidth) + 0.5f,
                     static_cast<float>(lane * dy % kHeight) + 0.5f);
}

__global__ void chain(cudaTextureObject_t texture, int dx, int dy, std::uint32_t* sink,
                      long long* cycles) {
  float2 at = place_of_lane(dx, dy);
  at.x = tex2D<float>(texture, at.x, at.y);
  const long long begin = clock64() + (__float_as_uint(at.x) >> 31);
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kFetches; ++i) at.x = tex2D<float>(texture, at.x, at.y);
  }
  sink[threadIdx.x] = __float_as_uint(at.x);
  const long long end = clock64() + (__float_as_uint(at.x) >> 31);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// `step` is 0, which only the host knows, so the fetches of rounds cannot be merged.
__global__ void fetches(cudaTextureObject_t texture, int dx, int dy, float step,
                        std::uint32_t* sink, long long* cycles) {
  float2 at = place_of_lane(dx, dy);
  float sum[kFetches] = {};
  __syncthreads();
  long long begin = 0;
#pragma unroll 1
  for (int round = -1; round < kRounds; ++round, at.x += step) {
    if (round == 0) {
      __syncthreads();
      begin = clock64();
    }
#pragma unroll
    for (int i = 0; i < kFetches; ++i)
      sum[i] += tex2D<float>(texture, at.x + static_cast<float>(i), at.y);
  }
  __syncthreads();
  const long long end = clock64();
  for (int i = 1; i < kFetches; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = __float_as_uint(sum[0]);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

struct Spread {
  int dx, dy;
};
constexpr Spread kSpreads[] = {{0, 0}, {1, 0}, {4, 0}, {8, 0}, {32, 0},
                               {0, 1}, {0, 4}, {0, 8}, {1, 1}, {8, 1}};

std::vector<MicroSetting> settings_of(const Spread& spread, bool linear) {
  return {{"texels_apart", "", spread.dx},
          {"lines_apart", "", spread.dy},
          {"filter", linear ? "linear" : "point"}};
}

std::vector<MicroValue> run_latency(Bench& bench) {
  std::vector<MicroValue> out;
  for (const bool linear : {false, true}) {
    const Texture2d texture(linear);
    for (const Spread& spread : kSpreads) {
      const Sampled s = sample([&] {
        return bench.cycles_of([&] {
          chain<<<1, 32, 0, bench.stream()>>>(texture.get(), spread.dx, spread.dy, bench.sink(),
                                              bench.cycles());
        });
      });
      bench.add(out, "texture_2d_latency", settings_of(spread, linear), s, "cycle",
                1.0 / (kRounds * kFetches));
    }
  }
  return out;
}

std::vector<MicroValue> run_rate(Bench& bench) {
  std::vector<MicroValue> out;
  for (const bool linear : {false, true}) {
    const Texture2d texture(linear);
    for (const Spread& spread : kSpreads) {
      for (const int warps : {4, 32}) {
        const Sampled s = sample(
            [&] {
              return bench.cycles_of([&] {
                fetches<<<1, 32 * warps, 0, bench.stream()>>>(texture.get(), spread.dx, spread.dy,
                                                              0.0f, bench.sink(), bench.cycles());
              });
            },
            7);
        std::vector<MicroSetting> settings = settings_of(spread, linear);
        settings.push_back({"warps", "", warps});
        bench.add(out, "texture_2d_rate", std::move(settings), s, "cycle/warp fetch",
                  1.0 / (warps * kRounds * kFetches));
      }
    }
  }
  return out;
}

const bool kRegistered = register_microbenchmark("texture_2d_latency", run_latency) &&
                         register_microbenchmark("texture_2d_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
