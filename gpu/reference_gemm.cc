#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gpu/gemm_shape.h"
#include "gpu/half_bits.h"
#include "gpu/references.h"
#include "simulator/base/parallel.h"

namespace pnsim::gpu {
namespace {

struct GemmSizes {
  std::size_t m, n, k;
  GemmType type;

  std::size_t row_bytes() const { return gemm_row_bytes(type, k); }
};

std::size_t gemm_axis(const Point& point, const char* axis) {
  return static_cast<std::size_t>(point.at(axis));
}

GemmSizes typed_sizes(const Point& point) {
  return {gemm_axis(point, "m"), gemm_axis(point, "n"), gemm_axis(point, "k"),
          static_cast<GemmType>(point.at("type"))};
}

// Of a program whose type is fixed.
template <GemmType type>
GemmSizes sizes_of(const Point& point) {
  return {gemm_axis(point, "m"), gemm_axis(point, "n"), gemm_axis(point, "k"), type};
}

void store(GemmType type, int number, unsigned char* at) {
  const float fraction = static_cast<float>(number) * kGemmUnit;
  const double wide = fraction;
  const std::uint16_t half = half_of_64ths(number);
  const auto byte = static_cast<signed char>(number);
  switch (type) {
    case GemmType::kHalf:
      std::memcpy(at, &half, sizeof(half));
      break;
    case GemmType::kTf32:
      std::memcpy(at, &fraction, sizeof(fraction));
      break;
    case GemmType::kInt8:
      std::memcpy(at, &byte, sizeof(byte));
      break;
    case GemmType::kDouble:
      std::memcpy(at, &wide, sizeof(wide));
      break;
  }
}

int load(GemmType type, const unsigned char* at) {
  std::uint16_t half = 0;
  float fraction = 0;
  double wide = 0;
  switch (type) {
    case GemmType::kHalf:
      std::memcpy(&half, at, sizeof(half));
      return whole_64ths(half);
    case GemmType::kTf32:
      std::memcpy(&fraction, at, sizeof(fraction));
      return static_cast<int>(fraction / kGemmUnit);
    case GemmType::kInt8:
      return static_cast<signed char>(*at);
    case GemmType::kDouble:
      std::memcpy(&wide, at, sizeof(wide));
      return static_cast<int>(wide / kGemmUnit);
  }
  return 0;
}

// A, then B. Four elements of a row take one key.
Words matrices(const Point& point, const GemmSizes& sizes) {
  const std::size_t rows = sizes.m + sizes.n, keys_of_row = (sizes.k + 3) / 4;
  const std::vector<std::uint32_t> keys =
      make_keys(point.input, static_cast<std::uint32_t>(rows * keys_of_row));
  Words words(rows * sizes.row_bytes() / 4);
  auto* const bytes = reinterpret_cast<unsigned char*>(words.data());
  parallel_for(rows, 0, [&](std::size_t row) {
    for (std::size_t i = 0; i < sizes.k; ++i) {
      const std::uint32_t key = keys[row * keys_of_row + i / 4];
      const int number = static_cast<int>(key >> (8 * (i % 4)) & 63u) + kGemmLeast;
      store(sizes.type, number, bytes + row * sizes.row_bytes() + i * bytes_of(sizes.type));
    }
  });
  return words;
}

std::vector<short> numbers_of_row(const GemmSizes& sizes, const Words& input, std::size_t row) {
  const auto* const bytes =
      reinterpret_cast<const unsigned char*>(input.data()) + row * sizes.row_bytes();
  std::vector<short> numbers(sizes.k);
  for (std::size_t i = 0; i < sizes.k; ++i)
    numbers[i] = static_cast<short>(load(sizes.type, bytes + i * bytes_of(sizes.type)));
  return numbers;
}

struct Dot {
  std::int64_t sum = 0, magnitude = 0;
};

Dot dot(const std::vector<short>& a, const std::vector<short>& b) {
  Dot out;
  constexpr std::size_t kPart = 1 << 16;  // of which sums fit into 32 bits
  for (std::size_t first = 0; first < a.size(); first += kPart) {
    int sum = 0, magnitude = 0;
    for (std::size_t i = first; i < std::min(a.size(), first + kPart); ++i) {
      const int product = a[i] * b[i];
      sum += product;
      magnitude += std::abs(product);
    }
    out.sum += sum;
    out.magnitude += magnitude;
  }
  return out;
}

// Products are whole numbers over 64^2. While the absolute products add up to less than 2^24 such
// units, every partial sum in single precision is exact, in any order. Beyond, tensor cores may
// truncate each of k additions: two roundings each.
constexpr double kProductUnit = double{kGemmUnit} * double{kGemmUnit};

float error_bound(const Dot& dot, std::size_t k) {
  if (dot.magnitude < std::int64_t{1} << 24) return 0;
  return static_cast<float>(2.0 * static_cast<double>(k + 1) * kRounding * kProductUnit *
                            static_cast<double>(dot.magnitude));
}

// Rows of C that are computed and compared: all of small products, else so many, spread evenly,
// that they take about a second.
std::size_t row_step(const GemmSizes& sizes) {
  constexpr std::size_t kMostProducts = std::size_t{1} << 28;
  const std::size_t of_row = std::max<std::size_t>(sizes.n * sizes.k, 1);
  const std::size_t rows = std::max<std::size_t>(kMostProducts / of_row, 2);
  return (sizes.m + rows - 1) / rows;
}

Expected product_of(const GemmSizes& sizes, const Words& input) {
  const bool is_double = sizes.type == GemmType::kDouble;
  const std::size_t numbers = sizes.m * sizes.n, words = is_double ? 2 * numbers : numbers;
  Expected expected{Words(words), std::vector<float>(words, std::numeric_limits<float>::infinity()),
                    is_double};
  const std::size_t step = row_step(sizes);
  std::vector<std::vector<short>> rows;
  for (std::size_t i = 0; i < sizes.m; i += step) rows.push_back(numbers_of_row(sizes, input, i));
  parallel_for(sizes.n, 0, [&](std::size_t j) {
    const std::vector<short> b = numbers_of_row(sizes, input, sizes.m + j);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Dot one = dot(rows[r], b);
      const double value = static_cast<double>(one.sum) * kProductUnit;
      const float narrow = static_cast<float>(value);
      const std::size_t at = (r * step * sizes.n + j) * (is_double ? 2 : 1);
      if (is_double) {
        std::memcpy(&expected.words[at], &value, sizeof(value));
      } else {
        std::memcpy(&expected.words[at], &narrow, sizeof(narrow));
      }
      expected.tolerance[at] = is_double ? 0 : error_bound(one, sizes.k);
    }
  });
  return expected;
}

Work work_of(const GemmSizes& sizes) {
  const auto m = static_cast<double>(sizes.m), n = static_cast<double>(sizes.n),
             k = static_cast<double>(sizes.k);
  const double result_bytes = sizes.type == GemmType::kDouble ? 8 : 4;
  return {.elements = m * n,
          .bytes = bytes_of(sizes.type) * (m + n) * k + result_bytes * m * n,
          .flops = 2 * m * n * k};
}

template <GemmSizes (*sizes)(const Point&)>
Reference gemm_by(const char* name, std::vector<const char*> axes) {
  return {name, std::move(axes), [](const Point& point) { return matrices(point, sizes(point)); },
          [](const Point& point, const Words& input) { return product_of(sizes(point), input); },
          [](const Point& point) { return work_of(sizes(point)); }};
}

}  // namespace

const Reference& gemm_reference() {
  static const Reference reference = gemm_by<typed_sizes>("gemm", {"m", "n", "k", "type"});
  return reference;
}

const Reference& half_gemm_reference() {
  static const Reference reference =
      gemm_by<sizes_of<GemmType::kHalf>>("half_gemm", {"m", "n", "k"});
  return reference;
}

const Reference& float_gemm_reference() {
  static const Reference reference =
      gemm_by<sizes_of<GemmType::kTf32>>("float_gemm", {"m", "n", "k"});
  return reference;
}

}  // namespace pnsim::gpu
