// Fetches from textures of every kind that stay in L1: latency, and cycles of a fetch, by the
// kind of the texture, the filter, and the bytes of a texel. Neighbouring lanes fetch neighbouring
// texels.
#include "gpu/microbench/bench.cuh"

namespace pnsim::gpu {
namespace {

// kMemory: linear memory by index (tex1Dfetch). The others are arrays.
enum Kind { kMemory, k1d, k2d, kLayered, k3d, kCube };
constexpr const char* kNames[] = {"memory", "1d", "2d", "layered", "3d", "cube"};

constexpr int kSide = 64;  // texels; the cube's faces have as many lines, the others kLines
constexpr int kLines = 4, kDepth = 4, kFaces = 6;
constexpr int kFetches = 16, kRounds = 32;

// Where all fetches lie in the other dimensions: between texels, so that a linear filter needs
// several of them.
constexpr float kBeside = 1.25f;

template <class Texel>
constexpr int words_of() {
  return sizeof(Texel) / sizeof(float);
}

__device__ float sum_of(float t) { return t; }
__device__ float sum_of(float2 t) { return t.x + t.y; }
__device__ float sum_of(float4 t) { return (t.x + t.y) + (t.z + t.w); }

// `x` is a texel with its fraction; on a cube a coordinate of the face towards +X.
template <Kind kind, class Texel>
__device__ Texel fetch(cudaTextureObject_t texture, float x) {
  if constexpr (kind == kMemory) {
    return tex1Dfetch<Texel>(texture, static_cast<int>(x));
  } else if constexpr (kind == k1d) {
    return tex1D<Texel>(texture, x);
  } else if constexpr (kind == k2d) {
    return tex2D<Texel>(texture, x, kBeside);
  } else if constexpr (kind == kLayered) {
    return tex2DLayered<Texel>(texture, x, kBeside, 1);
  } else if constexpr (kind == k3d) {
    return tex3D<Texel>(texture, x, kBeside, kBeside);
  } else {
    return texCubemap<Texel>(texture, 1.0f, 0.3f, x);
  }
}

// The x of fetch() at `texel`.
template <Kind kind>
__host__ __device__ float place(float texel) {
  return kind == kCube ? 1 - 2 * texel / kSide : texel;
}

// The first word of a texel is its place along x, at its centre, so that a fetch gives the place
// of the next one. The other words are 0.
template <Kind kind, class Texel>
class KindTexture {
 public:
  explicit KindTexture(bool linear) {
    const int lines = kind == kCube ? kSide : kind == k1d || kind == kMemory ? 1 : kLines;
    const int depth = kind == kCube ? kFaces : kind == k3d || kind == kLayered ? kDepth : 1;
    std::vector<float> texels(std::size_t{kSide} * lines * depth * words_of<Texel>());
    for (int i = 0; i < kSide * lines * depth; ++i) {
      texels[static_cast<std::size_t>(i * words_of<Texel>())] =
          place<kind>(static_cast<float>(i % kSide) + 0.5f);
    }
    cudaTextureDesc texture{};
    for (cudaTextureAddressMode& mode : texture.addressMode) mode = cudaAddressModeClamp;
    texture.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    texture.normalizedCoords = kind == kCube;
    const cudaResourceDesc resource =
        kind == kMemory ? memory(texels) : array(texels, lines, depth);
    PNSIM_CUDA(cudaCreateTextureObject(&texture_, &resource, &texture, nullptr));
  }
  ~KindTexture() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(array_);
    cudaFree(memory_);
  }
  KindTexture(const KindTexture&) = delete;
  KindTexture& operator=(const KindTexture&) = delete;

  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaResourceDesc memory(const std::vector<float>& texels) {
    const std::size_t bytes = texels.size() * sizeof(float);
    PNSIM_CUDA(cudaMalloc(&memory_, bytes));
    PNSIM_CUDA(cudaMemcpy(memory_, texels.data(), bytes, cudaMemcpyHostToDevice));
    cudaResourceDesc out{};
    out.resType = cudaResourceTypeLinear;
    out.res.linear = {memory_, cudaCreateChannelDesc<Texel>(), bytes};
    return out;
  }

  cudaResourceDesc array(std::vector<float>& texels, int lines, int depth) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>();
    const bool is_flat = kind == k1d || kind == k2d;
    const cudaExtent extent = make_cudaExtent(kSide, kind == k1d ? 0 : lines, is_flat ? 0 : depth);
    PNSIM_CUDA(cudaMalloc3DArray(&array_, &format, extent,
                                 kind == kCube      ? cudaArrayCubemap
                                 : kind == kLayered ? cudaArrayLayered
                                                    : cudaArrayDefault));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), kSide * sizeof(Texel), kSide, lines);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(kSide, lines, depth);
    copy.kind = cudaMemcpyHostToDevice;
    PNSIM_CUDA(cudaMemcpy3D(&copy));
    cudaResourceDesc out{};
    out.resType = cudaResourceTypeArray;
    out.res.array.array = array_;
    return out;
  }

  cudaArray_t array_ = nullptr;
  void* memory_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

template <Kind kind>
__global__ void chain(cudaTextureObject_t texture, std::uint32_t* sink, long long* cycles) {
  float at = place<kind>(static_cast<float>(threadIdx.x) + 0.25f);
  at = fetch<kind, float>(texture, at);
  const long long begin = clock64() + (__float_as_uint(at) == 1u);
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kFetches; ++i) at = fetch<kind, float>(texture, at);
  }
  sink[threadIdx.x] = __float_as_uint(at);
  const long long end = clock64() + (__float_as_uint(at) == 1u);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

// `step` is 0, which only the host knows, so the fetches of rounds cannot be merged.
template <Kind kind, class Texel>
__global__ void fetches(cudaTextureObject_t texture, float step, std::uint32_t* sink,
                        long long* cycles) {
  float at = static_cast<float>(threadIdx.x % 32) + 0.25f;
  float sum[kFetches] = {};
  __syncthreads();
  long long begin = 0;
#pragma unroll 1
  for (int round = -1; round < kRounds; ++round, at += step) {
    if (round == 0) {
      __syncthreads();
      begin = clock64();
    }
#pragma unroll
    for (int i = 0; i < kFetches; ++i)
      sum[i] += sum_of(fetch<kind, Texel>(texture, place<kind>(at + static_cast<float>(i))));
  }
  __syncthreads();
  const long long end = clock64();
  for (int i = 1; i < kFetches; ++i) sum[0] += sum[i];
  sink[threadIdx.x] = __float_as_uint(sum[0]);
  if (threadIdx.x == 0) cycles[0] = end - begin;
}

std::vector<MicroSetting> settings_of(Kind kind, bool linear, int bytes) {
  return {{"kind", kNames[kind]}, {"filter", linear ? "linear" : "point"}, {"bytes", "", bytes}};
}

template <Kind kind>
void add_latencies(Bench& bench, std::vector<MicroValue>& out) {
  for (const bool linear : {false, true}) {
    if (linear && kind == kMemory) continue;
    const KindTexture<kind, float> texture(linear);
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        chain<kind><<<1, 32, 0, bench.stream()>>>(texture.get(), bench.sink(), bench.cycles());
      });
    });
    bench.add(out, "texture_kind_latency", settings_of(kind, linear, sizeof(float)), s, "cycle",
              1.0 / (kRounds * kFetches));
  }
}

template <Kind kind, class Texel>
void add_rates(Bench& bench, std::vector<MicroValue>& out) {
  constexpr int kWarps = 32;
  for (const bool linear : {false, true}) {
    if (linear && kind == kMemory) continue;
    const KindTexture<kind, Texel> texture(linear);
    const Sampled s = sample([&] {
      return bench.cycles_of([&] {
        fetches<kind, Texel><<<1, 32 * kWarps, 0, bench.stream()>>>(texture.get(), 0.0f,
                                                                    bench.sink(), bench.cycles());
      });
    });
    bench.add(out, "texture_kind_rate", settings_of(kind, linear, sizeof(Texel)), s,
              "cycle/warp fetch", 1.0 / (kWarps * kRounds * kFetches));
  }
}

std::vector<MicroValue> run_latency(Bench& bench) {
  std::vector<MicroValue> out;
  add_latencies<kMemory>(bench, out);
  add_latencies<k1d>(bench, out);
  add_latencies<k2d>(bench, out);
  add_latencies<kLayered>(bench, out);
  add_latencies<k3d>(bench, out);
  add_latencies<kCube>(bench, out);
  return out;
}

template <class Texel>
void add_rates_of_kinds(Bench& bench, std::vector<MicroValue>& out) {
  add_rates<kMemory, Texel>(bench, out);
  add_rates<k1d, Texel>(bench, out);
  add_rates<k2d, Texel>(bench, out);
  add_rates<kLayered, Texel>(bench, out);
  add_rates<k3d, Texel>(bench, out);
  add_rates<kCube, Texel>(bench, out);
}

std::vector<MicroValue> run_rate(Bench& bench) {
  std::vector<MicroValue> out;
  add_rates_of_kinds<float>(bench, out);
  add_rates_of_kinds<float2>(bench, out);
  add_rates_of_kinds<float4>(bench, out);
  return out;
}

const bool kRegistered = register_microbenchmark("texture_kind_latency", run_latency) &&
                         register_microbenchmark("texture_kind_rate", run_rate);

}  // namespace
}  // namespace pnsim::gpu
