#include "runtime/model/quantise.hpp"

namespace trl::runtime {

QuantisedRows quantise_rows(const at::Tensor& weight) {
  const auto exact = weight.detach().to(at::kFloat);
  const auto scale = std::get<0>(exact.abs().max(1)) / 127.0;  // [out]
  const auto divisor = at::where(scale > 0, scale, at::ones_like(scale)).unsqueeze(1);
  return {at::round(exact / divisor).clamp(-127, 127).to(at::kChar), scale};
}

at::Tensor dequantise(const QuantisedRows& rows, at::ScalarType type) {
  return (rows.values.to(at::kFloat) * rows.scale.unsqueeze(1)).to(type);
}

at::Tensor pack_for_products(const at::Tensor& values) {
  const auto out = values.size(0), in = values.size(1);
  const auto bytes = (values.to(at::kShort) + 128).to(at::kByte);
  // [out, blocks, half, t, 8] → [out, blocks, t, half, 8]
  return bytes.view({out, in / 64, 2, 4, 8}).transpose(2, 3).reshape({out, in}).contiguous();
}

at::Tensor unpack_from_products(const at::Tensor& packed) {
  const auto out = packed.size(0), in = packed.size(1);
  const auto bytes = packed.view({out, in / 64, 4, 2, 8}).transpose(2, 3).reshape({out, in});
  return (bytes.to(at::kShort) - 128).to(at::kChar);
}

}  // namespace trl::runtime
