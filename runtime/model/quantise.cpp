#include "runtime/model/quantise.hpp"

#include <array>

#include "base/support/error.hpp"

namespace trl::runtime {
namespace {

constexpr std::int64_t kBlock = kNormalFloatBlock;

at::Tensor padded_to(const at::Tensor& flat, std::int64_t multiple) {
  const auto rest = (multiple - flat.numel() % multiple) % multiple;
  return rest == 0 ? flat : at::constant_pad_nd(flat, {0, rest});
}

QuantisedMatrix quantise_nf4(const at::Tensor& weight) {
  const auto blocks = quantise_blocks(padded_to(weight.detach().reshape({-1}), kBlock).view({-1, kBlock}));
  const auto pairs = blocks.codes.view({-1, 2});
  const auto bytes = pairs.select(1, 0) * 16 + pairs.select(1, 1);
  return {MatrixStorage::Id::nf4, weight.size(0), weight.size(1),
          bytes.narrow(0, 0, (weight.numel() + 1) / 2).clone(), blocks.scale.view({-1})};
}

// Returns both values of each byte: [256] numbers of 64 bits that hold two floats each.
at::Tensor pairs_of_bytes(const c10::Device& device) {
  std::array<float, 512> values{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    values[2 * byte] = kNormalFloats[byte >> 4];
    values[2 * byte + 1] = kNormalFloats[byte & 15];
  }
  return at::tensor(at::ArrayRef<float>(values)).to(device).view(at::kDouble);
}

// Returns the same numbers as the tensor operations of dequantise_nf4 below, in a tenth of their time.
at::Tensor dequantise_nf4_on_cpu(const QuantisedMatrix& matrix) {
  auto numbers = at::empty({matrix.out, matrix.in});
  const auto* bytes = matrix.values.const_data_ptr<std::uint8_t>();
  const float* scale = matrix.scale.const_data_ptr<float>();
  float* out = numbers.mutable_data_ptr<float>();
  const auto count = numbers.numel();
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    std::array<float, 16> values = kNormalFloats;
    for (float& value : values) value *= scale[begin / kBlock];
    const auto pairs = std::min(kBlock, count - begin) / 2;
    for (std::int64_t i = 0; i < pairs; ++i) {
      const auto byte = bytes[begin / 2 + i];
      out[begin + 2 * i] = values[byte >> 4];
      out[begin + 2 * i + 1] = values[byte & 15];
    }
  }
  if (count % 2 == 1) out[count - 1] = kNormalFloats[bytes[count / 2] >> 4] * scale[(count - 1) / kBlock];
  return numbers;
}

at::Tensor dequantise_nf4(const QuantisedMatrix& matrix, at::ScalarType type) {
  if (matrix.values.device().is_cpu()) return dequantise_nf4_on_cpu(matrix).to(type);
  const auto bytes = padded_to(matrix.values, kBlock / 2);
  const auto values = pairs_of_bytes(bytes.device()).index_select(0, bytes.to(at::kInt)).view(at::kFloat);
  return (values.view({-1, kBlock}) * matrix.scale.unsqueeze(1))
      .view({-1})
      .narrow(0, 0, matrix.out * matrix.in)
      .view({matrix.out, matrix.in})
      .to(type);
}

// x / y and y / x of each element, correctly rounded on every device. On a GPU, ATen divides by a number by
// multiplying with its reciprocal; if weights have few bits, a quotient that is slightly wrong often falls on
// the other side of a half.
at::Tensor divided(const at::Tensor& x, double y) { return x / at::full_like(x, y); }
at::Tensor divided(double x, const at::Tensor& y) { return at::full_like(y, x) / y; }

at::Tensor padded_to(const at::Tensor& matrix, std::int64_t rows, std::int64_t columns) {
  if (matrix.size(0) == rows && matrix.size(1) == columns) return matrix;
  return at::constant_pad_nd(matrix, {0, columns - matrix.size(1), 0, rows - matrix.size(0)});
}

}  // namespace

QuantisedRows quantise_rows(const at::Tensor& weight) {
  const auto exact = weight.detach().to(at::kFloat);
  const auto scale = divided(std::get<0>(exact.abs().max(1)), 127.0);  // [out]
  const auto divisor = at::where(scale > 0, scale, at::ones_like(scale)).unsqueeze(1);
  return {at::round(exact / divisor).clamp(-127, 127).to(at::kChar), scale};
}

at::Tensor dequantise(const QuantisedRows& rows, at::ScalarType type) {
  return (rows.values.to(at::kFloat) * rows.scale.unsqueeze(1)).to(type);
}

QuantisedMatrix quantise(const at::Tensor& weight, MatrixStorage::Id storage) {
  if (storage == MatrixStorage::Id::nf4) return quantise_nf4(weight);
  auto rows = quantise_rows(weight);
  return {storage, weight.size(0), weight.size(1), std::move(rows.values), std::move(rows.scale)};
}

QuantisedBlocks blocks_of(const QuantisedMatrix& matrix) {
  const auto codes = at::stack({matrix.values.bitwise_right_shift(4), matrix.values.bitwise_and(15)}, 1);
  return {codes.view({matrix.out, matrix.in}), matrix.scale.view({matrix.out, matrix.in / kBlock})};
}

at::Tensor dequantise(const QuantisedMatrix& matrix, at::ScalarType type) {
  if (matrix.storage == MatrixStorage::Id::nf4) return dequantise_nf4(matrix, type);
  return dequantise(QuantisedRows{matrix.values, matrix.scale}, type);
}

RoundedRows round_rows(const at::Tensor& x) {
  constexpr double kOutlier = 6;
  const auto outlier = x.abs() >= kOutlier;
  const auto inner = x.masked_fill(outlier, 0).to(at::kFloat);
  const auto most = std::get<0>(inner.abs().max(1));  // [rows]
  const auto factor = at::where(most > 0, divided(127.0, most), at::zeros_like(most)).unsqueeze(1);
  RoundedRows rounded{at::round(inner * factor).to(at::kChar), divided(most, 127.0), {}};
  if (outlier.any().item<bool>()) rounded.outliers = x.masked_fill(outlier.logical_not(), 0);
  return rounded;
}

at::Tensor integer_product(const at::Tensor& x, const at::Tensor& values) {
  const auto rows = x.size(0), in = x.size(1), out = values.size(0);
  if (x.device().is_cpu()) {
    // A sum of 1024 products of at most 127² is below 2^24, so floats hold it exactly in any order. On
    // processors without AVX-512's instructions for bytes, this takes a twentieth of the time of _int_mm.
    constexpr std::int64_t kExact = 1024;
    auto sum = at::zeros({rows, out}, at::kInt);
    for (std::int64_t begin = 0; begin < in; begin += kExact) {
      const auto count = std::min(kExact, in - begin);
      sum += at::matmul(x.narrow(1, begin, count).to(at::kFloat),
                        values.narrow(1, begin, count).to(at::kFloat).t())
                 .to(at::kInt);
    }
    return sum;
  }
  // cuBLAS requires more than 16 rows, and multiples of 8. Zeros in the padding add nothing.
  const auto whole = [](std::int64_t size, std::int64_t least) {
    return std::max(least, (size + 7) / 8 * 8);
  };
  const auto columns = whole(in, 8);
  return at::_int_mm(padded_to(x, whole(rows, 32), columns), padded_to(values, whole(out, 8), columns).t())
      .narrow(0, 0, rows)
      .narrow(1, 0, out);
}

MatrixStorage::Id storage_named(const std::string& name) {
  if (const auto* storage = find_matrix_storage(name)) return storage->id;
  std::string names;
  for (const auto& storage : matrix_storages())
    names += (names.empty() ? "" : ", ") + std::string(storage.name);
  throw UserError("quantize = " + name + " is unknown", "use one of " + names);
}

std::string_view name_of(MatrixStorage::Id id) {
  for (const auto& storage : matrix_storages())
    if (storage.id == id) return storage.name;
  return "";
}

}  // namespace trl::runtime
