// option_prices: the Black-Scholes prices of European calls and puts, one option per thread:
// arithmetic with a logarithm, exponentials, roots and divisions on streamed data.
#include "gpu/kernels/kernel_program.h"
#include "gpu/options_shape.h"

namespace pnsim::gpu {
namespace {

struct OptionArgs {
  const float *price, *strike, *years;  // [n] each, from -1 to 1
  float *call, *put;                    // [n] each
  unsigned n;
};

__device__ float normal_share(float x) {
  const float k = 1.0f / (1.0f + kSlope * fabsf(x));
  const float polynomial =
      k * (kPolynomial1 +
           k * (kPolynomial2 + k * (kPolynomial3 + k * (kPolynomial4 + k * kPolynomial5))));
  const float tail = expf(-0.5f * x * x) / kRootOfTwoPi * polynomial;
  return x > 0 ? 1.0f - tail : tail;
}

}  // namespace
}  // namespace pnsim::gpu

extern "C" __global__ void option_prices(pnsim::gpu::OptionArgs args) {
  using namespace pnsim::gpu;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n) return;
  const float price = kPriceMiddle + kPriceRange * args.price[i];
  const float strike = kStrikeMiddle + kStrikeRange * args.strike[i];
  const float years = kYearsMiddle + kYearsRange * args.years[i];
  const float spread = kVolatility * sqrtf(years);
  const float high =
      (logf(price / strike) + (kRiskFree + 0.5f * kVolatility * kVolatility) * years) / spread;
  const float of_price = normal_share(high), of_strike = normal_share(high - spread);
  const float discounted = strike * expf(-kRiskFree * years);
  args.call[i] = price * of_price - discounted * of_strike;
  args.put[i] = discounted * (1.0f - of_strike) - price * (1.0f - of_price);
}

namespace pnsim::gpu {
namespace {

std::vector<Launch> launches(const AxisValues& axes, const PassBuffers& buffers) {
  OptionArgs args{};
  args.n = unsigned_of(axes, "n");
  if (buffers.source != nullptr) {
    args.price = reinterpret_cast<const float*>(buffers.source);
    args.strike = args.price + args.n;
    args.years = args.strike + args.n;
    args.call = reinterpret_cast<float*>(buffers.target);
    args.put = args.call + args.n;
  }
  const unsigned block = unsigned_of(axes, "block");
  return {{"option_prices",
           reinterpret_cast<const void*>(option_prices),
           {(args.n + block - 1) / block},
           {block},
           0,
           args}};
}

[[maybe_unused]] const bool kRegistered = register_program({"option_prices", no_scratch, launches});

}  // namespace
}  // namespace pnsim::gpu
